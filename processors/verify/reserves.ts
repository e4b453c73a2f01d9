// Reserves from trade to trade: where they do not follow, trades are missing.
import type { Key } from '../../schemas/keys.ts'
import { toBase58 } from '../../schemas/keys.ts'
import { formatPosition, type Position } from '../../schemas/position.ts'
import type { TapeEvent } from '../../schemas/types.ts'
import type { TapeFinding } from './finding.ts'

type Part<Type extends TapeEvent['type'], Field extends keyof Extract<TapeEvent, { type: Type }>> = Pick<
  Extract<TapeEvent, { type: Type }>,
  'type' | Field
>
type Trade = Part<
  'trade',
  'mint' | 'isBuy' | 'isAgent' | 'mayhem' | 'quoteMint' | 'tokenUnits' | 'quoteUnits' | 'virtualQuoteUnits' | 'virtualTokenUnits'
>
type PoolTrade = Part<
  'poolTrade',
  'mint' | 'pool' | 'isBuy' | 'coinIsBase' | 'tokenUnits' | 'quoteUnits' | 'poolTokenUnits' | 'poolQuoteUnits' | 'virtualQuoteUnits'
>
type PoolLiquidity = Part<
  'poolLiquidity',
  'mint' | 'pool' | 'isDeposit' | 'coinIsBase' | 'tokenUnits' | 'quoteUnits' | 'poolTokenUnits' | 'poolQuoteUnits'
>

/** What moves reserves, and of it what the check looks at: an event of the tape has more. */
export type ReserveEvent =
  | Part<'launch', 'mint' | 'mayhem' | 'quoteMint' | 'virtualQuoteUnits' | 'virtualTokenUnits'>
  | Trade
  | Part<'mayhemReserves', 'mint'>
  | Part<'poolCreate', 'pool' | 'coinIsBase' | 'tokenUnits' | 'quoteUnits'>
  | Part<'poolBoost', 'pool'>
  | PoolTrade
  | PoolLiquidity

/** Curves and pools that are remembered: a day has 36,000 launches. Of an older one the next trade counts as its first. */
const REMEMBERED_MAX = 500_000

/** Virtual reserves after the newest event; undefined where they move without trades (mayhem) or are not in SOL. */
type Curve = { readonly quote: number; readonly token: number } | undefined
/** The base side after the newest event: the side that no fee touches. Undefined where others move it too (boost). */
type Pool = { readonly base: number } | undefined

export interface ReserveCounts {
  trades: number
  /** Trades whose arithmetic and predecessor could be checked; the others are of mayhem curves or other quotes. */
  checked: number
  poolTrades: number
  poolChecked: number
  launches: number
  /** Curves whose first trade came without the launch. */
  withoutLaunch: number
}

/** Checks the events of a chain in order. */
export class ReserveCheck {
  readonly counts: ReserveCounts = { trades: 0, checked: 0, poolTrades: 0, poolChecked: 0, launches: 0, withoutLaunch: 0 }
  readonly #curves = new Map<Key, Curve>()
  readonly #pools = new Map<Key, Pool>()

  /** What is wrong with the event, after those before it. */
  event(event: ReserveEvent | Exclude<TapeEvent, ReserveEvent>, at: Position): readonly TapeFinding[] {
    switch (event.type) {
      case 'launch': {
        this.counts.launches++
        const { virtualQuoteUnits: quote, virtualTokenUnits: token } = event
        const isPlain = !event.mayhem && event.quoteMint === null && quote !== null && token !== null
        if (isPlain) remember(this.#curves, event.mint, { quote, token })
        else if (event.mayhem || event.quoteMint !== null) remember(this.#curves, event.mint, undefined)
        return []
      }
      case 'trade':
        return this.#trade(event, at)
      case 'mayhemReserves':
        remember(this.#curves, event.mint, undefined)
        return []
      case 'poolCreate':
        remember(this.#pools, event.pool, { base: event.coinIsBase ? event.tokenUnits : event.quoteUnits })
        return []
      case 'poolBoost':
        remember(this.#pools, event.pool, undefined)
        return []
      case 'poolTrade':
        return this.#poolTrade(event, at)
      case 'poolLiquidity':
        return this.#liquidity(event, at)
      default:
        return []
    }
  }

  #trade(trade: Trade, at: Position): TapeFinding[] {
    this.counts.trades++
    const isKnown = this.#curves.has(trade.mint)
    const known = this.#curves.get(trade.mint)
    if (!isKnown) this.counts.withoutLaunch++
    if (trade.quoteMint !== null || trade.mayhem || trade.isAgent || (isKnown && known === undefined)) {
      remember(this.#curves, trade.mint, undefined)
      return []
    }
    this.counts.checked++
    const sign = trade.isBuy ? 1 : -1
    const before = { quote: trade.virtualQuoteUnits - sign * trade.quoteUnits, token: trade.virtualTokenUnits + sign * trade.tokenUnits }
    remember(this.#curves, trade.mint, { quote: trade.virtualQuoteUnits, token: trade.virtualTokenUnits })
    const head = { position: formatPosition(at), mint: toBase58(trade.mint) }
    const findings: TapeFinding[] = []
    if (known !== undefined && (known.quote !== before.quote || known.token !== before.token)) {
      const [expected, found] = [
        [known.quote, known.token],
        [before.quote, before.token],
      ] as const
      findings.push({ finding: 'reserves', ...head, expected, found, words: 'trades of this curve before this one are missing' })
    }
    if (!followsFormula(trade, before)) {
      const found = [before.quote, before.token, trade.quoteUnits, trade.tokenUnits]
      findings.push({ finding: 'formula', ...head, found, words: 'the amounts are not what these reserves give' })
    }
    return findings
  }

  #poolTrade(trade: PoolTrade, at: Position): readonly TapeFinding[] {
    this.counts.poolTrades++
    const { coinIsBase, isBuy, tokenUnits, quoteUnits } = trade
    const leaves = coinIsBase === isBuy
    const moved = coinIsBase ? tokenUnits : quoteUnits
    const isBoosted = trade.virtualQuoteUnits !== null && trade.virtualQuoteUnits !== 0
    return this.#pool(trade, at, leaves ? -moved : moved, isBoosted)
  }
  #liquidity(event: PoolLiquidity, at: Position): readonly TapeFinding[] {
    const moved = event.coinIsBase ? event.tokenUnits : event.quoteUnits
    return this.#pool(event, at, event.isDeposit ? moved : -moved, false)
  }
  #pool(event: PoolTrade | PoolLiquidity, at: Position, moved: number, isBoosted: boolean): readonly TapeFinding[] {
    const { pool, mint, coinIsBase, poolTokenUnits, poolQuoteUnits } = event
    const isKnown = this.#pools.has(pool)
    const known = this.#pools.get(pool)
    if (isBoosted || (isKnown && known === undefined)) {
      remember(this.#pools, pool, undefined)
      return []
    }
    if (event.type === 'poolTrade') this.counts.poolChecked++
    const before = coinIsBase ? poolTokenUnits : poolQuoteUnits
    remember(this.#pools, pool, { base: before + moved })
    if (known === undefined || known.base === before) return []
    const words = 'trades or liquidity of this pool before this event are missing'
    const head = { position: formatPosition(at), mint: toBase58(mint), pool: toBase58(pool) }
    return [{ finding: 'reserves', ...head, expected: [known.base], found: [before], words }]
  }
}

/** Puts the key last; the first goes when there are too many. */
const remember = <Value>(map: Map<Key, Value>, key: Key, value: Value): void => {
  map.delete(key)
  map.set(key, value)
  if (map.size <= REMEMBERED_MAX) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

/**
 * The launchpad's integer formulas, exact. A sale gives floor(amount * quote / (token + amount)); an exact amount costs
 * floor(amount * quote / (token - amount)) + 1; an exact price gets what one unit less would buy.
 */
const followsFormula = (trade: Trade, before: { readonly quote: number; readonly token: number }): boolean => {
  const [quote, token] = [BigInt(before.quote), BigInt(before.token)]
  const [amount, paid] = [BigInt(trade.tokenUnits), BigInt(trade.quoteUnits)]
  if (quote <= 0n || token <= 0n || (trade.isBuy && amount >= token)) return false
  if (!trade.isBuy) return paid === (amount * quote) / (token + amount)
  return paid === (amount * quote) / (token - amount) + 1n || amount === ((paid - 1n) * token) / (quote + paid - 1n)
}
