// Gaps: what is known of a mint after frames that were not delivered.
import { add, subtract } from '../../../schemas/amount.ts'
import type { CurveRow, Trade } from '../../../schemas/types.ts'
import type { TapeHeader } from '../../tape.ts'
import { GAP_CLEARED, GAP_MISSED, GAP_OPEN, isWatched } from '../rows.ts'

/** True when the newest gap reaches the frame of the mint's newest event, or lies after it. Vouched frames have no gap. */
export const isOverGap = (curve: Readonly<CurveRow>, header: TapeHeader): boolean =>
  !header.vouched && header.gapTo !== null && header.gapTo >= curve.lastNumber

/** Records the header's newest gap and that trades may be missing (GAP_OPEN). A mint that missed a trade stays GAP_MISSED. */
export const noteGap = (curve: CurveRow, header: TapeHeader): void => {
  curve.gapNumber = header.gapTo ?? -1
  curve.gapFrom = header.gapFrom ?? -1
  curve.gapCall = null
  if (curve.gapTrades !== GAP_MISSED) curve.gapTrades = GAP_OPEN
}

/** Records a call without its event as a gap of its frame. */
export const noteMissingEvent = (curve: CurveRow, number: number, call: string): void => {
  curve.gapNumber = number
  curve.gapFrom = number
  curve.gapCall = call
  if (curve.gapTrades !== GAP_MISSED) curve.gapTrades = GAP_OPEN
}

/**
 * Judges a gap by the first trade after it, before its reserves are stored: the trade's amounts give the reserves before it, which must
 * equal the stored ones. Every trade rounds in favour of the curve, so missed trades cannot lead back to the same pair of reserves. Mayhem
 * curves (reserves move without trades) and other quotes are not judged.
 */
export const judgeGap = (curve: CurveRow, trade: Trade): void => {
  if (curve.gapTrades !== GAP_OPEN || curve.quoteMint !== null || curve.mayhem) return
  const [quoteBefore, tokenBefore] = trade.isBuy ? [subtract, add] : [add, subtract]
  const matches =
    quoteBefore(trade.virtualQuoteUnits, trade.quoteUnits) === curve.virtualQuoteUnits &&
    tokenBefore(trade.virtualTokenUnits, trade.tokenUnits) === curve.virtualTokenUnits
  curve.gapTrades = matches ? GAP_CLEARED : GAP_MISSED
}

/** True when the labels of an outcome would depend on trades that may be missing. */
export const isCensoredByGap = (curve: Readonly<CurveRow>, header: TapeHeader): boolean => !isWatched(curve) || isOverGap(curve, header)
