// The curve's reserves: taken from each event, never summed up.
import { type Amount, greaterOf, subtract, times } from '../../../schemas/amount.ts'
import type { CurveRow, MayhemReserves, Trade } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import { DRAIN_PEAK_LAMPORTS, DRAIN_PERCENT, VIRTUAL_QUOTE_LAMPORTS, VIRTUAL_TOKEN_UNITS } from '../thresholds.ts'

/** True when `part` is at most `percent` of `whole`. */
export const isAtMostPercent = (part: Amount, whole: Amount, percent: number): boolean => times(part, 100) <= times(whole, percent)

/**
 * Stores the reserves after a trade. Layout G0 has no real reserves: they are derived for plain SOL-paired curves and unknown for others.
 */
export const takeReserves = (curve: CurveRow, trade: Trade): void => {
  curve.quoteMint ??= trade.quoteMint
  if (trade.mayhem) curve.mayhem = true
  const hasFixedOffset = trade.quoteMint === null && !curve.mayhem
  curve.virtualQuoteUnits = trade.virtualQuoteUnits
  curve.virtualTokenUnits = trade.virtualTokenUnits
  curve.realQuoteUnits =
    trade.realQuoteUnits ?? (hasFixedOffset ? greaterOf(0, subtract(trade.virtualQuoteUnits, VIRTUAL_QUOTE_LAMPORTS)) : -1)
  curve.realTokenUnits =
    trade.realTokenUnits ?? (hasFixedOffset ? greaterOf(0, subtract(trade.virtualTokenUnits, VIRTUAL_TOKEN_UNITS)) : -1)
}

/** Stores the reserves that the launchpad set on a mayhem curve without a trade. */
export const takeMayhemReserves = (curve: CurveRow, event: MayhemReserves): void => {
  curve.mayhem = true
  curve.virtualQuoteUnits = event.virtualQuoteUnits
  curve.virtualTokenUnits = event.virtualTokenUnits
  curve.realQuoteUnits = event.realQuoteUnits
  curve.realTokenUnits = event.realTokenUnits
}

/** Updates the running peak, and records when the drain of the outcome rule was met. Nothing changes after migration. */
export const notePeak = (curve: CurveRow, at: TapeAt, second: number): void => {
  const real = curve.realQuoteUnits
  if (curve.migratedAt !== 0 || real < 0) return
  if (real > curve.peakQuoteUnits) {
    curve.peakQuoteUnits = real
    curve.peakNumber = at.position.number
    curve.peakTx = at.position.tx
    curve.peakOuter = at.position.outer
    curve.peakInner = at.position.inner
    curve.peakHash8 = at.header.hash8
    return
  }
  const isDrained =
    curve.quoteMint === null && curve.peakQuoteUnits >= DRAIN_PEAK_LAMPORTS && isAtMostPercent(real, curve.peakQuoteUnits, DRAIN_PERCENT)
  if (isDrained && curve.drainAt === 0) curve.drainAt = second
}
