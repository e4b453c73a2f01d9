// Checks reserves from trade to trade: where they do not match, trades are missing.
import { printAmount } from '../../schemas/amount.ts'
import { keyText } from '../../schemas/keys.ts'
import { formatPosition, type Position } from '../../schemas/position.ts'
import type { TapeEvent } from '../../schemas/types.ts'
import { CurveReserves } from './curve-reserves.ts'
import type { TapeFinding } from './finding.ts'
import { PoolReserves } from './pool-reserves.ts'
import { type KindCounts, newCounts, type ReserveCheck, type ReserveCounts } from './reserve-check.ts'
import type { Followed, MigratePart, PoolLiquidityPart, PoolTradePart, ReserveEvent, TradePart } from './reserve-events.ts'

/**
 * Kinds of trades, which are counted separately.
 * - On a curve: `plain` (the quote is SOL), `other_quote`, `mayhem`, `agent` (a trade of the mayhem agent).
 * - In a pool: `pool`, `boosted_pool`, `sol_base_pool` (SOL is the base).
 * - `synthetic`: a buy that completed the curve and took the rest of its coins from the future pool; checked when the pool has opened.
 */
export type TradeKind = 'plain' | 'other_quote' | 'mayhem' | 'agent' | 'synthetic' | 'pool' | 'boosted_pool' | 'sol_base_pool'

const CURVE_WORDS = 'trades of this curve before this one are missing'
const POOL_WORDS = 'trades or liquidity of this pool before this event are missing'
const OPENING_WORDS = 'the pool did not open with the reserves that were left by the buy that completed the curve'
const FORMULA_WORDS = 'the amounts do not match the formula at these reserves'

/**
 * The check for Solana's tape. If the launch of a curve is not on the tape, the curve's first trade cannot be compared with the reserves
 * before it; only its formula is checked, where one applies.
 */
export class MintReserveCheck implements ReserveCheck {
  readonly counts: ReserveCounts = newCounts()
  readonly kinds = new Map<TradeKind, KindCounts>()
  readonly #curves = new CurveReserves()
  readonly #pools = new PoolReserves()

  event(event: ReserveEvent | Exclude<TapeEvent, ReserveEvent>, at: Position): readonly TapeFinding[] {
    switch (event.type) {
      case 'launch':
        this.counts.launches++
        this.#curves.launch(event)
        return []
      case 'trade':
        return this.#trade(event, at)
      case 'mayhemReserves':
        return missing(this.#curves.mayhemReserves(event), { ...headOf(at), mint: keyText(event.mint) }, CURVE_WORDS)
      case 'postCompleteBuy':
        this.#pools.beyond(event)
        return []
      case 'migrate':
        return this.#migrate(event, at)
      case 'poolCreate':
        this.#pools.open(event, at)
        return []
      case 'poolBoost':
        this.#pools.boost(event, at)
        return []
      case 'poolTrade':
        return this.#poolTrade(event, at)
      case 'poolLiquidity':
        return missing(this.#pools.liquidity(event), poolHead(event, at), POOL_WORDS)
      default:
        return []
    }
  }

  #trade(trade: TradePart, at: Position): TapeFinding[] {
    this.counts.trades++
    if (!this.#curves.has(trade.mint)) this.counts.withoutLaunch++
    const followed = this.#curves.trade(trade)
    const { isByFormula, before } = followed
    if (followed.isFollowed || isByFormula !== undefined) this.counts.checked++
    this.#count(this.#curveKind(trade), followed)
    const head = { ...headOf(at), mint: keyText(trade.mint) }
    const findings = missing(followed, head, CURVE_WORDS)
    if (isByFormula !== false) return findings
    const found = [before.quote, before.token, trade.quoteUnits, trade.tokenUnits].map(printAmount)
    return [...findings, { finding: 'formula', ...head, found, words: FORMULA_WORDS }]
  }
  #curveKind({ mint, isAgent, quoteMint }: TradePart): TradeKind {
    if (isAgent) return 'agent'
    if (this.#curves.isMayhem(mint)) return 'mayhem'
    return quoteMint === null ? 'plain' : 'other_quote'
  }
  #migrate(event: MigratePart, at: Position): TapeFinding[] {
    const followed = this.#pools.migrate(event)
    if (followed === undefined) return []
    this.#count('synthetic', followed)
    return missing(followed, poolHead(event, at), OPENING_WORDS)
  }
  #poolTrade(trade: PoolTradePart, at: Position): TapeFinding[] {
    this.counts.poolTrades++
    const followed = this.#pools.trade(trade)
    if (followed.isFollowed) this.counts.poolChecked++
    this.#count(!trade.coinIsBase ? 'sol_base_pool' : this.#pools.isBoosted(trade.pool) ? 'boosted_pool' : 'pool', followed)
    return missing(followed, poolHead(trade, at), POOL_WORDS)
  }
  #count(kind: TradeKind, { isFollowed }: Followed): void {
    const counts = this.kinds.get(kind) ?? { trades: 0, followed: 0 }
    this.kinds.set(kind, counts)
    counts.trades++
    if (isFollowed) counts.followed++
  }
}

type Head = Pick<TapeFinding, 'position' | 'mint' | 'pool'>

const headOf = (at: Position): Head => ({ position: formatPosition(at) })
const poolHead = ({ mint, pool }: PoolTradePart | PoolLiquidityPart | MigratePart, at: Position): Head => ({
  ...headOf(at),
  mint: keyText(mint),
  pool: keyText(pool),
})
const missing = ({ mismatch }: Followed, head: Head, words: string): TapeFinding[] =>
  mismatch === undefined
    ? []
    : [{ finding: 'reserves', ...head, expected: mismatch.expected.map(printAmount), found: mismatch.found.map(printAmount), words }]
