// Status of a frame source, for views and cards.
/** What a frame source reports about itself. */
export interface SourceStatus {
  /** Number and time (unix s) of its newest frame, and when that arrived (wall clock, unix ms) if known; null before the first frame. */
  tip(): { readonly number: number; readonly time: number; readonly cameMs?: number } | null
  /**
   * Maps stream time to wall time. At speed 0 the source plays as fast as possible, or has ended. Absent or undefined if the source has no
   * such mapping.
   */
  anchor?(): { readonly streamMs: number; readonly wallMs: number; readonly speed: number } | undefined
  /** Time as the cards see it, unix ms, null if it is not known; absent if nobody needs to know how fresh they are. */
  now?(): number | null
}
