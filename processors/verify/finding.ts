// What a check of a tape says: one thing that is missing or does not fit.
import type { PositionText } from '../../schemas/position.ts'

/**
 * `gap`: frames between two others; `partial`: a frame without some of its block's transactions; `fork`: a frame that builds on another
 * one than was there; `order`: a frame that does not come after the one before; `unreadable`: a record nobody understands; `reserves`: trades
 * of a curve or pool between two others; `formula`: a trade that the curve's arithmetic does not give.
 */
type FindingKind = 'gap' | 'partial' | 'fork' | 'order' | 'unreadable' | 'reserves' | 'formula'

export interface TapeFinding {
  readonly finding: FindingKind
  /** Where it shows. */
  readonly position: PositionText
  /** As its chain writes it. */
  readonly mint?: string
  readonly pool?: string
  /** First and last number of a gap. */
  readonly from?: number
  readonly to?: number
  /** What should have been there, and what was. */
  readonly expected?: readonly (number | string)[]
  readonly found?: readonly (number | string)[]
  readonly words: string
}
