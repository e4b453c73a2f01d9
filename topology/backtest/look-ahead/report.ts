// The result of the look-ahead test.
import type { Evidence } from '../../../processors/mint/detectors/detector.ts'

/**
 * - `remembers`: a fresh instance gives another answer for the same rows.
 * - `knows addresses`: another answer when all addresses, hashes and texts (names, symbols, links) are replaced.
 * - `knows dates`: another answer at other slots, on other dates, or some minutes or seconds later or earlier within the same hour.
 * - `depends on order`: another answer when the same calls come in reverse order.
 */
export const FLIP_KINDS = ['remembers', 'knows addresses', 'knows dates', 'depends on order'] as const
export type FlipKind = (typeof FLIP_KINDS)[number]

/** A call whose answer changed when it was repeated. */
export interface FlipExample {
  readonly kind: FlipKind
  /** Position of the rows. */
  readonly position: string
  /** Position of the launch, and address of the curve: rows do not contain the mint itself. */
  readonly launch: string
  readonly curve: string
  /** Evidence in the run and in the repeated call; null if the detector did not fire. */
  readonly was: Evidence | null
  readonly is: Evidence | null
  /** The error, if the repeated call threw. */
  readonly failure: string | null
}

export interface LookAheadReport {
  readonly detector: string
  readonly version: number
  readonly hash: string
  readonly seed: number
  readonly calls: number
  readonly firings: number
  /** Repeated calls, by sample (watch.ts); `all` counts a call once, even if two samples have it. */
  readonly repeated: { readonly firings: number; readonly lastCalls: number; readonly others: number; readonly all: number }
  /** Number of answers compared. */
  readonly compared: number
  /** Calls with a changed answer, by kind; none is allowed. A call counted as `remembers` is not counted as another kind. */
  readonly flips: Readonly<Record<FlipKind, number>>
  readonly flipsTotal: number
  /**
   * Repeated firings that vanish when all amounts grow by a millionth. Not counted as flips: amounts may be that close to a threshold. If
   * most firings vanish, the detector recognizes mints by their exact amounts.
   */
  readonly byExactAmounts: number
  /** The flip with the lowest position of each kind. */
  readonly examples: readonly FlipExample[]
}
