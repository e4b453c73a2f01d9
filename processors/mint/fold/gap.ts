// Gaps: what is known of a mint after frames that were not delivered.
import { add, subtract } from '../../../schemas/amount.ts'
import type { CurveRow, Trade } from '../../../schemas/types.ts'
import type { TapeHeader } from '../../tape.ts'
import { GAP_BROKEN, GAP_CLEARED, GAP_MISSED, GAP_OPEN, isWatched } from '../rows.ts'

/** True when the newest gap reaches the frame of the mint's newest event, or lies after it. Vouched frames have no gap. */
export const isOverGap = (curve: Readonly<CurveRow>, header: TapeHeader): boolean =>
  !header.vouched && header.gapTo !== null && header.gapTo >= curve.lastNumber

/** Marks the gap as open. A mint that missed a trade stays as it is. */
const openGap = (curve: CurveRow, from: number, to: number, call: string | null): void => {
  if (curve.gapTrades === GAP_BROKEN) return
  curve.gapFrom = from
  curve.gapNumber = to
  curve.gapCall = call
  if (curve.gapTrades !== GAP_MISSED) curve.gapTrades = GAP_OPEN
}

/** Records the header's newest gap: trades may be missing. */
export const noteGap = (curve: CurveRow, header: TapeHeader): void => openGap(curve, header.gapFrom ?? -1, header.gapTo ?? -1, null)

/** Records a call without its event as a gap of its frame. */
export const noteMissingEvent = (curve: CurveRow, number: number, call: string): void => openGap(curve, number, number, call)

/** True where the trade's amounts give, from the reserves after it, the stored ones. */
const followsFrom = (curve: Readonly<CurveRow>, trade: Trade): boolean => {
  const [quoteBefore, tokenBefore] = trade.isBuy ? [subtract, add] : [add, subtract]
  return (
    quoteBefore(trade.virtualQuoteUnits, trade.quoteUnits) === curve.virtualQuoteUnits &&
    tokenBefore(trade.virtualTokenUnits, trade.tokenUnits) === curve.virtualTokenUnits
  )
}

/**
 * Judges a trade before its reserves are stored. It clears a gap or shows that trades were missed; without a gap, it shows whether trades
 * are missing between the curve's newest event, in frame `since`, and this one, in frame `number`. Every trade rounds in favour of the
 * curve, so missed trades cannot lead back to the same pair of reserves. Mayhem curves (reserves move without trades) and other quotes are
 * not judged.
 */
export const judgeReserves = (curve: CurveRow, trade: Trade, since: number, number: number): void => {
  if (!isWatched(curve) && curve.gapTrades !== GAP_OPEN) return
  if (curve.quoteMint !== null || curve.mayhem) return
  const matches = followsFrom(curve, trade)
  if (curve.gapTrades === GAP_OPEN) curve.gapTrades = matches ? GAP_CLEARED : GAP_MISSED
  else if (!matches && curve.virtualQuoteUnits >= 0) {
    curve.gapTrades = GAP_BROKEN
    curve.gapFrom = since
    curve.gapNumber = number
    curve.gapCall = null
  }
}

/** True when the labels of an outcome would depend on trades that may be missing. */
export const isCensoredByGap = (curve: Readonly<CurveRow>, header: TapeHeader): boolean => !isWatched(curve) || isOverGap(curve, header)
