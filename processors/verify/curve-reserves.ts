// Reserves of bonding curves from event to event. Source of what moves them: facts of the launchpad, sections 2 and 5.
import { type Amount, add, subtract } from '../../schemas/amount.ts'
import type { Key } from '../../schemas/keys.ts'
import { compared, type Followed, type LaunchPart, type MayhemReservesPart, remember, type TradePart } from './reserve-events.ts'

/** Reserves after the newest event, virtual ones but for `real`, the quote that was paid in; null in layouts that do not say them. */
interface Curve {
  readonly quote: Amount | null
  readonly token: Amount | null
  readonly real: Amount | null
  /** Its launch or a trade said so. */
  readonly isMayhem: boolean
}
const UNKNOWN: Curve = { quote: null, token: null, real: null, isMayhem: false }

/** A trade against the curve before it, and whether its amounts are what the reserves before it give. */
export interface FollowedTrade extends Followed {
  /** Undefined where the formula is not the plain one: mayhem, other quotes, the agent. */
  readonly isByFormula: boolean | undefined
  readonly before: { readonly quote: Amount; readonly token: Amount }
}

/** Any quote, mayhem or not. Reserves of events are those after them. */
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
  /** The agent moves the virtual quote by another amount than it pays: its own trades are held against tokens and what is paid in. */
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
  /** The launchpad sets the virtual reserves; what was paid in does not move by it. */
  mayhemReserves({ mint, virtualQuoteUnits: quote, virtualTokenUnits: token, realQuoteUnits: real }: MayhemReservesPart): Followed {
    const known = this.#curves.get(mint) ?? UNKNOWN
    remember(this.#curves, mint, { quote, token, real, isMayhem: true })
    return compared([[known.real, real]])
  }
}

/**
 * The launchpad's integer formulas, exact. A sale gives floor(amount * quote / (token + amount)); an exact amount costs
 * floor(amount * quote / (token - amount)) + 1; an exact price gets what one unit less would buy.
 */
const followsFormula = (trade: TradePart, before: { readonly quote: Amount; readonly token: Amount }): boolean => {
  const [quote, token] = [BigInt(before.quote), BigInt(before.token)]
  const [amount, paid] = [BigInt(trade.tokenUnits), BigInt(trade.quoteUnits)]
  if (quote <= 0n || token <= 0n || (trade.isBuy && amount >= token)) return false
  if (!trade.isBuy) return paid === (amount * quote) / (token + amount)
  return paid === (amount * quote) / (token - amount) + 1n || amount === ((paid - 1n) * token) / (quote + paid - 1n)
}
