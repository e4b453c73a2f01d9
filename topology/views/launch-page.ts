// Facts about a mint's launch that are read from its first page without decoding it.

/** First byte of a page without a launch: `launch` is the first field of MintState, a union, and null its first branch. */
const NO_LAUNCH = 0
/** This many bytes of a launch include its position, its frame's hash and most of its signature, for any length of the numbers. */
const LAUNCH_HEAD_BYTES = 78

/** Launch rows are written first. */
export const hasLaunch = (page: Uint8Array): boolean => page[0] !== NO_LAUNCH

/** True if both pages have the same launch, or neither has one. */
export const isSameLaunch = (before: Uint8Array, after: Uint8Array): boolean => {
  if (!hasLaunch(before) || !hasLaunch(after)) return hasLaunch(before) === hasLaunch(after)
  return Buffer.compare(before.subarray(0, LAUNCH_HEAD_BYTES), after.subarray(0, LAUNCH_HEAD_BYTES)) === 0
}
