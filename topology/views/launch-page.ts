// What the first page of a mint tells of its launch without being decoded.

/** First byte of a page without a launch: `launch` is the first field of MintState, a union, and null its first branch. */
const NO_LAUNCH = 0
/** So many bytes of a launch hold its place, its frame's hash and most of its signature, however long the numbers are. */
const LAUNCH_HEAD_BYTES = 78

/** Launch rows are written first. */
export const hasLaunch = (page: Uint8Array): boolean => page[0] !== NO_LAUNCH

/** True for one launch in both pages, and where neither has one. */
export const isSameLaunch = (before: Uint8Array, after: Uint8Array): boolean => {
  if (!hasLaunch(before) || !hasLaunch(after)) return hasLaunch(before) === hasLaunch(after)
  return Buffer.compare(before.subarray(0, LAUNCH_HEAD_BYTES), after.subarray(0, LAUNCH_HEAD_BYTES)) === 0
}
