// The curve's reserves: exact sums over its events, because no event states them.
//
// real quote = inflows minus outflows, without fees and taxes; tokens = supply minus outflows plus inflows. Fees that leave the curve
// change neither. The formulas are the contract's: out = net * T / (Q + net), gross = in * Q / (T + in), rounded down, with Q = virtual
// plus real quote.
import { add, subtract } from '../../../schemas/amount.ts'
import type { AltBuyback, AltComplete, AltLaunch, AltTrade, CurveFiguresRow, CurveLaunchRow } from '../../../schemas/types.ts'
import { isAtMostPercent } from '../../mint/fold/reserves.ts'
import type { TapeAt } from '../../tape.ts'
import { type CurveRowsView, isOpen } from '../rows.ts'
import { DRAIN_PEAK_PART, DRAIN_PERCENT, SUPPLY_UNITS } from '../thresholds.ts'

/** The launch figures that the formulas use. */
export type LaunchReserves = Readonly<Pick<CurveLaunchRow, 'supplyUnits' | 'virtualQuoteUnits' | 'thresholdUnits'>>
/** The figures that the curve's events change. */
export type MovedReserves = Pick<CurveFiguresRow, 'realQuoteUnits' | 'tokenUnits' | 'outUnits' | 'inUnits'>
type Held = Readonly<Pick<MovedReserves, 'realQuoteUnits' | 'tokenUnits'>>
type Moved = Pick<AltTrade, 'quoteUnits' | 'tokenUnits'>
type Trade = Moved & Pick<AltTrade, 'isBuy'>

/** The supply of a launch, or the usual one if the event that minted the supply was not observed. */
export const supplyOf = ({ supplyUnits }: Pick<AltLaunch, 'supplyUnits'>): CurveLaunchRow['supplyUnits'] => supplyUnits ?? SUPPLY_UNITS

/** A curve without trades. */
export const newReserves = (
  event: Pick<AltLaunch, keyof LaunchReserves>,
): { readonly launch: LaunchReserves; readonly figures: MovedReserves } => {
  const supplyUnits = supplyOf(event)
  const { virtualQuoteUnits, thresholdUnits } = event
  const launch = { supplyUnits, virtualQuoteUnits, thresholdUnits }
  return { launch, figures: { realQuoteUnits: 0, tokenUnits: supplyUnits, outUnits: 0, inUnits: 0 } }
}

/** Tokens that the curve never sells: when only these are left, it has reached its threshold. */
const reservedUnits = ({ supplyUnits, virtualQuoteUnits, thresholdUnits }: LaunchReserves): bigint => {
  const full = BigInt(virtualQuoteUnits) + BigInt(thresholdUnits)
  return full === 0n ? 0n : (BigInt(supplyUnits) * BigInt(virtualQuoteUnits)) / full
}

/** What the contract gives at the stored reserves: tokens of a buy, quote of a sale. Undefined where a curve cannot have such reserves. */
export const givenFor = (launch: LaunchReserves, { realQuoteUnits, tokenUnits: reserve }: Held, trade: Trade): bigint | undefined => {
  const quote = BigInt(launch.virtualQuoteUnits) + BigInt(realQuoteUnits)
  const tokens = BigInt(reserve)
  const given = BigInt(trade.isBuy ? trade.quoteUnits : trade.tokenUnits)
  const [from, to] = trade.isBuy ? [quote, tokens] : [tokens, quote]
  return from + given <= 0n ? undefined : (given * to) / (from + given)
}

/** True where the trade's amounts are those that the contract gives at the stored reserves. The buy that fills the curve may get fewer. */
export const followsFrom = (launch: LaunchReserves, figures: Held, trade: Trade): boolean => {
  const given = givenFor(launch, figures, trade)
  if (given === undefined) return false
  const got = BigInt(trade.isBuy ? trade.tokenUnits : trade.quoteUnits)
  return given === got || (trade.isBuy && given > got && BigInt(figures.tokenUnits) - got === reservedUnits(launch))
}

export const takeTrade = (figures: MovedReserves, trade: Trade): void => {
  const { isBuy, quoteUnits, tokenUnits } = trade
  if (isBuy) {
    takeBought(figures, trade)
    return
  }
  figures.realQuoteUnits = subtract(figures.realQuoteUnits, quoteUnits)
  figures.tokenUnits = add(figures.tokenUnits, tokenUnits)
  figures.inUnits = add(figures.inUnits, tokenUnits)
}

export const takeBuyback = (figures: CurveFiguresRow, buyback: AltBuyback): void => {
  takeBought(figures, buyback)
  figures.buybacks += 1
  figures.lockedUnits = add(figures.lockedUnits, buyback.tokenUnits)
}

/** Applies tokens that a wallet or a buyback buys from the curve. */
export const takeBought = (figures: MovedReserves, { quoteUnits, tokenUnits }: Moved): void => {
  figures.realQuoteUnits = add(figures.realQuoteUnits, quoteUnits)
  figures.tokenUnits = subtract(figures.tokenUnits, tokenUnits)
  figures.outUnits = add(figures.outUnits, tokenUnits)
}

/** True where a completion hands over exactly the stored reserves. */
export const isAllOf = (figures: Held, { quoteUnits, tokenUnits }: Moved): boolean =>
  figures.realQuoteUnits === quoteUnits && figures.tokenUnits === tokenUnits

/** The figures keep what the curve held when it was full; the curve itself is empty from then on. */
export const takeComplete = (figures: CurveFiguresRow, { quoteUnits, tokenUnits }: AltComplete): void => {
  figures.realQuoteUnits = quoteUnits
  figures.tokenUnits = tokenUnits
  figures.outUnits = add(figures.outUnits, tokenUnits)
}

/** Updates the running peak, and records when the drain of the outcome rule was met. */
export const notePeak = ({ launch, figures, position, signature }: CurveRowsView, at: TapeAt): void => {
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
