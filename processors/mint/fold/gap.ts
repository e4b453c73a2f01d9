// Gaps: what a mint knows after frames that were not delivered.
import { add, subtract } from '../../../schemas/amount.ts'
import type { CurveRow, Trade } from '../../../schemas/types.ts'
import type { TapeHeader } from '../../tape.ts'
import { GAP_CLEARED, GAP_MISSED, GAP_OPEN, isWatched } from '../rows.ts'

/** True when the newest gap reaches the frame of the newest event of the mint, or lies after it. Frames that were vouched for have none. */
export const isOverGap = (curve: Readonly<CurveRow>, header: TapeHeader): boolean =>
  !header.vouched && header.gapTo !== null && header.gapTo >= curve.lastNumber

/** Marks the mint as open over the header's newest gap. A mint that missed a trade stays so. */
export const noteGap = (curve: CurveRow, header: TapeHeader): void => {
  curve.gapNumber = header.gapTo ?? -1
  curve.gapFrom = header.gapFrom ?? -1
  if (curve.gapTrades !== GAP_MISSED) curve.gapTrades = GAP_OPEN
}

/**
 * Judges a gap by the first trade after it, before its reserves are taken: the reserves before it, which its amounts give, are ours or not.
 * Rounding goes to the curve at every trade, so that missed trades cannot lead back to the same pair of reserves.
 * Mayhem curves (reserves move without trades) and other quotes stay unjudged.
 */
export const judgeGap = (curve: CurveRow, trade: Trade): void => {
  if (curve.gapTrades !== GAP_OPEN || curve.quoteMint !== null || curve.mayhem) return
  const [quoteBefore, tokenBefore] = trade.isBuy ? [subtract, add] : [add, subtract]
  const isOurs =
    quoteBefore(trade.virtualQuoteUnits, trade.quoteUnits) === curve.virtualQuoteUnits &&
    tokenBefore(trade.virtualTokenUnits, trade.tokenUnits) === curve.virtualTokenUnits
  curve.gapTrades = isOurs ? GAP_CLEARED : GAP_MISSED
}

/** True when the labels of an outcome would rest on trades that may be missing. */
export const isCensoredByGap = (curve: Readonly<CurveRow>, header: TapeHeader): boolean => !isWatched(curve) || isOverGap(curve, header)
