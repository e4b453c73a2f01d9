// The curve's reserves: exact sums of its events, because no event carries them.
//
// real quote = sum of what came in less what went out, without fees and taxes; tokens = supply less what went out and plus what came back.
// Fees that leave the curve change neither. The formulas are the contract's: out = net * T / (Q + net), gross = in * Q / (T + in), rounded
// down, with Q = the quote it pretends to have and the real one.
import { add, subtract } from '../../../schemas/amount.ts'
import type { AltBuyback, AltComplete, AltTrade, CurveFiguresRow, CurveLaunchRow } from '../../../schemas/types.ts'
import { isAtMostPercent } from '../../mint/fold/reserves.ts'
import type { TapeAt } from '../../tape.ts'
import { type CurveSight, isOpen } from '../rows.ts'
import { DRAIN_PEAK_PART, DRAIN_PERCENT } from '../thresholds.ts'

type Launch = Readonly<CurveLaunchRow>
type Figures = Readonly<CurveFiguresRow>

/** Tokens that the curve never sells: with them it is full at its threshold. */
const reservedUnits = ({ supplyUnits, virtualQuoteUnits, thresholdUnits }: Launch): bigint => {
  const full = BigInt(virtualQuoteUnits) + BigInt(thresholdUnits)
  return full === 0n ? 0n : (BigInt(supplyUnits) * BigInt(virtualQuoteUnits)) / full
}

/** True where the trade's amounts are those that the contract would have made of our reserves. The buy that fills the curve is cut. */
export const followsFrom = (launch: Launch, { realQuoteUnits, tokenUnits: reserve }: Figures, trade: AltTrade): boolean => {
  const quote = BigInt(launch.virtualQuoteUnits) + BigInt(realQuoteUnits)
  const tokens = BigInt(reserve)
  const [tokenUnits, quoteUnits] = [BigInt(trade.tokenUnits), BigInt(trade.quoteUnits)]
  if (!trade.isBuy) return tokens + tokenUnits > 0n && (tokenUnits * quote) / (tokens + tokenUnits) === quoteUnits
  if (quote + quoteUnits <= 0n) return false
  const out = (quoteUnits * tokens) / (quote + quoteUnits)
  return out === tokenUnits || (out > tokenUnits && tokens - tokenUnits === reservedUnits(launch))
}

export const takeTrade = (figures: CurveFiguresRow, { isBuy, quoteUnits, tokenUnits }: AltTrade): void => {
  if (isBuy) {
    buyFrom(figures, quoteUnits, tokenUnits)
    return
  }
  figures.realQuoteUnits = subtract(figures.realQuoteUnits, quoteUnits)
  figures.tokenUnits = add(figures.tokenUnits, tokenUnits)
  figures.inUnits = add(figures.inUnits, tokenUnits)
}

export const takeBuyback = (figures: CurveFiguresRow, { quoteUnits, tokenUnits }: AltBuyback): void => {
  buyFrom(figures, quoteUnits, tokenUnits)
  figures.buybacks += 1
  figures.lockedUnits = add(figures.lockedUnits, tokenUnits)
}

const buyFrom = (figures: CurveFiguresRow, quoteUnits: AltTrade['quoteUnits'], tokenUnits: AltTrade['tokenUnits']): void => {
  figures.realQuoteUnits = add(figures.realQuoteUnits, quoteUnits)
  figures.tokenUnits = subtract(figures.tokenUnits, tokenUnits)
  figures.outUnits = add(figures.outUnits, tokenUnits)
}

/** True where a completion hands over exactly our reserves. */
export const isAllOf = (figures: Figures, { quoteUnits, tokenUnits }: AltComplete): boolean =>
  figures.realQuoteUnits === quoteUnits && figures.tokenUnits === tokenUnits

/** The figures keep what the curve held when it was full: from then on it is empty. */
export const takeComplete = (figures: CurveFiguresRow, { quoteUnits, tokenUnits }: AltComplete): void => {
  figures.realQuoteUnits = quoteUnits
  figures.tokenUnits = tokenUnits
  figures.outUnits = add(figures.outUnits, tokenUnits)
}

/** Moves the running peak, and notes when the outcome rule's drain was met. */
export const notePeak = ({ launch, figures, position, signature }: CurveSight, at: TapeAt): void => {
  const { realQuoteUnits: real, peakQuoteUnits: peak } = figures
  if (real > peak) {
    figures.peakQuoteUnits = real
    figures.peakNumber = position.number
    figures.peakTx = position.tx
    figures.peakOuter = position.outer
    figures.peakInner = position.inner
    figures.peakHash8 = at.header.hash8
    figures.peakSignature = signature
    return
  }
  if (figures.drainAt !== 0 || !isOpen(figures) || BigInt(peak) * BigInt(DRAIN_PEAK_PART) < BigInt(launch.thresholdUnits)) return
  if (isAtMostPercent(real, peak, DRAIN_PERCENT)) figures.drainAt = at.header.time
}
