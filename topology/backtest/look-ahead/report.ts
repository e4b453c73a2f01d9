// What the look-ahead test found.
import type { Evidence } from '../../../processors/mint/detectors/detector.ts'

/**
 * - `remembers`: a fresh instance answers otherwise about the same rows.
 * - `knows addresses`: another answer where every address, hash and word is another.
 * - `knows dates`: another answer at other slots, on other dates, or some minutes later within the same hour.
 * - `depends on order`: another answer where the same calls come in reverse order.
 */
export const FLIP_KINDS = ['remembers', 'knows addresses', 'knows dates', 'depends on order'] as const
export type FlipKind = (typeof FLIP_KINDS)[number]

/** A call that was answered otherwise. */
export interface FlipExample {
  readonly kind: FlipKind
  /** Position of the rows. */
  readonly position: string
  /** Where the mint or curve was launched, and the address of its curve: rows do not name the mint itself. */
  readonly launch: string
  readonly curve: string
  /** Evidence in the run, null where it did not fire; and when asked again. */
  readonly was: Evidence | null
  readonly is: Evidence | null
  /** Where it threw when asked again. */
  readonly failure: string | null
}

export interface LookAheadReport {
  readonly detector: string
  readonly version: number
  readonly hash: string
  readonly seed: number
  /** Of the run. */
  readonly calls: number
  readonly firings: number
  /** Calls that were asked again; each counts once, though several lists may hold it. */
  readonly asked: { readonly firings: number; readonly lastCalls: number; readonly others: number; readonly all: number }
  /** Answers compared. */
  readonly compared: number
  /** Calls that were answered otherwise, by kind; none is allowed. A call that is remembered counts as nothing else. */
  readonly flips: Readonly<Record<FlipKind, number>>
  readonly flipsTotal: number
  /**
   * Firings that vanish when all amounts grow by a millionth, of those asked again. No flip: a threshold may be that near. Where it is most
   * of them, the detector knows mints by their exact amounts.
   */
  readonly byExactAmounts: number
  /** The first of each kind, in the order of positions. */
  readonly examples: readonly FlipExample[]
}
