// Tracks the reserves of pools from event to event, both sides. Reserves in trades and liquidity events are those before them.
import { type Amount, add, subtract } from '../../schemas/amount.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Position } from '../../schemas/position.ts'
import {
  compared,
  type Followed,
  type MigratePart,
  type PoolBoostPart,
  type PoolCreatePart,
  type PoolLiquidityPart,
  type PoolTradePart,
  type PostCompleteBuyPart,
  remember,
} from './reserve-events.ts'

/**
 * A pool after its newest event; reserves are null where unknown. `base` is the side without fees. `other` is the real plus the virtual
 * quote: uncollected fees are still in the real quote and are subtracted from the virtual one. Where SOL is the base, no event states which
 * fees stayed in the other side.
 */
interface Pool {
  readonly base: Amount | null
  readonly other: Amount | null
  readonly virtual: Amount | null
  readonly isBoosted: boolean
  /** The transaction that opened it. */
  readonly opened: string | null
}

const transactionOf = ({ number, tx }: Position): string => `${number}.${tx}`
const UNKNOWN: Pool = { base: null, other: null, virtual: null, isBoosted: false, opened: null }

export class PoolReserves {
  readonly #pools = new Map<Key, Pool>()
  /** Reserves with which a coin's pool must open: those after the buy that continued from the curve into the future pool. */
  readonly #beyond = new Map<Key, { readonly token: Amount; readonly quote: Amount }>()

  isBoosted(pool: Key): boolean {
    return this.#pools.get(pool)?.isBoosted === true
  }
  open({ pool, coinIsBase, tokenUnits, quoteUnits }: PoolCreatePart, at: Position): void {
    const sides = coinIsBase ? { base: tokenUnits, other: quoteUnits } : { base: quoteUnits, other: null }
    remember(this.#pools, pool, { ...sides, virtual: 0, isBoosted: false, opened: transactionOf(at) })
  }
  /** Registers a buy that completed the curve and continued into the future pool. */
  beyond({ mint, poolTokenUnitsAfter: token, poolQuoteUnitsAfter: quote }: PostCompleteBuyPart): void {
    remember(this.#beyond, mint, { token, quote })
  }
  /** Undefined if no buy continued from the curve into the pool. */
  migrate({ mint, pool }: MigratePart): Followed | undefined {
    const beyond = this.#beyond.get(mint)
    if (beyond === undefined) return undefined
    this.#beyond.delete(mint)
    const { base, other } = this.#pools.get(pool) ?? UNKNOWN
    return compared([
      [beyond.token, base],
      [beyond.quote, other],
    ])
  }
  /** The boost of the migration moves no coins; later ones buy coins and burn them, and the tape does not have the amount. */
  boost({ pool, virtualQuoteUnits: virtual, realQuoteUnitsAfter }: PoolBoostPart, at: Position): void {
    const known = this.#pools.get(pool) ?? UNKNOWN
    const base = known.opened === transactionOf(at) ? known.base : null
    remember(this.#pools, pool, { ...known, base, other: add(realQuoteUnitsAfter, virtual), virtual, isBoosted: true })
  }
  trade(trade: PoolTradePart): Followed {
    const { pool, isBuy, coinIsBase, tokenUnits, quoteUnits, poolTokenUnits, poolQuoteUnits } = trade
    const known = this.#pools.get(pool) ?? UNKNOWN
    const virtual = trade.virtualQuoteUnits ?? 0
    const base = coinIsBase ? poolTokenUnits : poolQuoteUnits
    const other = coinIsBase ? add(poolQuoteUnits, virtual) : null
    const moved = coinIsBase ? tokenUnits : quoteUnits
    const after = {
      base: isBuy === coinIsBase ? subtract(base, moved) : add(base, moved),
      other: other === null ? null : add((isBuy ? add : subtract)(other, quoteUnits), trade.poolFeeUnits),
    }
    remember(this.#pools, pool, { ...known, ...after, virtual, isBoosted: known.isBoosted || virtual !== 0 })
    return compared([
      [known.base, base],
      [known.other, other],
    ])
  }
  /** The event does not state the virtual quote: for pools that have one, only the base side is checked. */
  liquidity(event: PoolLiquidityPart): Followed {
    const { pool, isDeposit, coinIsBase, tokenUnits, quoteUnits, poolTokenUnits, poolQuoteUnits } = event
    const known = this.#pools.get(pool) ?? UNKNOWN
    const move = isDeposit ? add : subtract
    const base = coinIsBase ? poolTokenUnits : poolQuoteUnits
    const other = coinIsBase && known.virtual === 0 ? poolQuoteUnits : null
    const after = {
      base: move(base, coinIsBase ? tokenUnits : quoteUnits),
      other: other === null ? null : move(other, quoteUnits),
    }
    remember(this.#pools, pool, { ...known, ...after })
    return compared([
      [known.base, base],
      [known.other, other],
    ])
  }
}
