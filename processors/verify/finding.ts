// A finding of a tape check: something that is missing or inconsistent.
import type { PositionText } from '../../schemas/position.ts'

/**
 * `gap`: missing frames between two others; `partial`: a frame without some of its block's transactions; `fork`: a frame whose parent is
 * another block with the number of the previous frame; `order`: a frame that does not come after the previous one; `unreadable`: a record
 * that cannot be decoded; `reserves`: missing trades of a curve or pool between two others; `formula`: a trade that does not match the
 * curve's formula.
 */
type FindingKind = 'gap' | 'partial' | 'fork' | 'order' | 'unreadable' | 'reserves' | 'formula'

export interface TapeFinding {
  readonly finding: FindingKind
  /** Where it was detected. */
  readonly position: PositionText
  /** In its chain's text form. */
  readonly mint?: string
  readonly pool?: string
  /** First and last number of a gap. */
  readonly from?: number
  readonly to?: number
  /** The expected values, and the ones found. */
  readonly expected?: readonly (number | string)[]
  readonly found?: readonly (number | string)[]
  readonly words: string
}
