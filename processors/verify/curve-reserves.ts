// Tracks the reserves of bonding curves from event to event: launches, trades and the launchpad's mayhem events move them.
import { type Amount, add, subtract } from '../../schemas/amount.ts'
import type { Key } from '../../schemas/keys.ts'
import { compared, type Followed, type LaunchPart, type MayhemReservesPart, remember, type TradePart } from './reserve-events.ts'

/** Reserves after the newest event, virtual except for `real`, the quote that was paid in; null in layouts that do not state them. */
interface Curve {
  readonly quote: Amount | null
  readonly token: Amount | null
  readonly real: Amount | null
  /** True once its launch, a trade or a change of its mayhem reserves shows that the curve is in mayhem mode. */
  readonly isMayhem: boolean
}
const UNKNOWN: Curve = { quote: null, token: null, real: null, isMayhem: false }

/** A trade compared with the curve before it, and whether its amounts match the formula at those reserves. */
export interface FollowedTrade extends Followed {
  /** Undefined where the plain formula does not apply: mayhem, other quotes, the agent. */
  readonly isByFormula: boolean | undefined
  readonly before: { readonly quote: Amount; readonly token: Amount }
}

/** Tracks curves of any quote, mayhem or not. An event states the reserves after it. */
export class CurveReserves {
  readonly #curves = new Map<Key, Curve>()

  has(mint: Key): boolean {
    return this.#curves.has(mint)
  }
  isMayhem(mint: Key): boolean {
    return this.#curves.get(mint)?.isMayhem === true
  }
  launch({ mint, mayhem: isMayhem, virtualQuoteUnits: quote, virtualTokenUnits: token }: LaunchPart): void {
    remember(this.#curves, mint, { quote, token, real: 0, isMayhem })
  }
  /** The agent moves the virtual quote by another amount than it pays: its own trades are checked by tokens and real quote. */
  trade(trade: TradePart): FollowedTrade {
    const { mint, isBuy, isAgent, tokenUnits, quoteUnits, virtualQuoteUnits, virtualTokenUnits, realQuoteUnits } = trade
    const known = this.#curves.get(mint) ?? UNKNOWN
    const [quoteBefore, tokenBefore] = isBuy ? [subtract, add] : [add, subtract]
    const before = { quote: quoteBefore(virtualQuoteUnits, quoteUnits), token: tokenBefore(virtualTokenUnits, tokenUnits) }
    const real = realQuoteUnits === null ? null : quoteBefore(realQuoteUnits, quoteUnits)
    const isMayhem = known.isMayhem || trade.mayhem || isAgent
    remember(this.#curves, mint, { quote: virtualQuoteUnits, token: virtualTokenUnits, real: realQuoteUnits, isMayhem })
    const isByFormula = isMayhem || trade.quoteMint !== null ? undefined : followsFormula(trade, before)
    const quotes = isAgent ? ([known.real, real] as const) : ([known.quote, before.quote] as const)
    return { ...compared([quotes, [known.token, before.token]]), isByFormula, before }
  }
  /** The launchpad sets the virtual reserves; the real quote does not change. */
  mayhemReserves({ mint, virtualQuoteUnits: quote, virtualTokenUnits: token, realQuoteUnits: real }: MayhemReservesPart): Followed {
    const known = this.#curves.get(mint) ?? UNKNOWN
    remember(this.#curves, mint, { quote, token, real, isMayhem: true })
    return compared([[known.real, real]])
  }
}

/**
 * The launchpad's integer formulas, exact. A sale gives floor(amount * quote / (token + amount)). A buy of an exact amount costs
 * floor(amount * quote / (token - amount)) + 1; a buy for an exact price gets floor((price - 1) * token / (quote + price - 1)).
 */
const followsFormula = (trade: TradePart, before: { readonly quote: Amount; readonly token: Amount }): boolean => {
  const [quote, token] = [BigInt(before.quote), BigInt(before.token)]
  const [amount, paid] = [BigInt(trade.tokenUnits), BigInt(trade.quoteUnits)]
  if (quote <= 0n || token <= 0n || (trade.isBuy && amount >= token)) return false
  if (!trade.isBuy) return paid === (amount * quote) / (token + amount)
  return paid === (amount * quote) / (token - amount) + 1n || amount === ((paid - 1n) * token) / (quote + paid - 1n)
}
