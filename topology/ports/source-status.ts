// What a source of frames tells of itself, to views and cards.
/** What the source of frames tells of itself. */
export interface SourceStatus {
  /** Number and time (unix s) of the newest frame it sent, and when that came (wall, unix ms) where it knows; null before the first. */
  tip(): { readonly number: number; readonly time: number; readonly cameMs?: number } | null
  /** Its line of stream time against the wall: speed 0 plays as fast as it can. Absent or undefined where it has none. */
  anchor?(): { readonly streamMs: number; readonly wallMs: number; readonly speed: number } | undefined
  /** Time of the cards, unix ms; absent where nobody is to know how fresh they are. */
  now?(): number
}
