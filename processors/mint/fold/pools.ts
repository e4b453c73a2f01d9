// Pools of a coin: their reserves after their newest event (a boost updates only the quote side); the quote side includes its virtual part.
import { add, subtract } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { CurveRow, PoolBoost, PoolCreate, PoolLiquidity, PoolRow, PoolTrade } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import type { MintContext } from '../rows.ts'
import { POOLS_MAX } from '../thresholds.ts'

/** The pool of the migration, once both its opening and the migration were seen. */
export const migratedPool = (ctx: MintContext, curve: Readonly<CurveRow>): Readonly<PoolRow> | undefined =>
  curve.pool === null ? undefined : ctx.read('pools', curve.pool)

/** Anybody may open pools of a coin: the oldest are dropped first, never the migration's nor `newest`, which may turn out to be it. */
const dropOldest = (ctx: MintContext, curve: Readonly<CurveRow>, newest: Key): void => {
  if (ctx.count('pools') <= POOLS_MAX) return
  let oldest: Readonly<PoolRow> | undefined
  for (const row of ctx.rows('pools')) {
    if (row.pool === curve.pool || row.pool === newest) continue
    if (oldest === undefined || row.openedAt < oldest.openedAt || (row.openedAt === oldest.openedAt && row.pool < oldest.pool)) oldest = row
  }
  if (oldest !== undefined) ctx.remove('pools', oldest.pool)
}

/**
 * Adds a pool, no matter who opened it. It cannot be told yet whether it is the pool of the migration: in one transaction, the launchpad
 * opens that pool first and then emits the migration.
 */
export const openPool = (ctx: MintContext, curve: Readonly<CurveRow>, event: PoolCreate, at: TapeAt): void => {
  if (ctx.read('pools', event.pool) !== undefined) return
  const { number, tx, outer, inner } = at.position
  ctx.edit('pools', event.pool, () => ({
    pool: event.pool,
    quoteMint: event.quoteMint,
    coinIsBase: event.coinIsBase,
    openingQuoteUnits: event.quoteUnits,
    quoteUnits: event.quoteUnits,
    virtualQuoteUnits: 0,
    tokenUnits: event.tokenUnits,
    trades: 0,
    boosts: 0,
    boostQuoteUnits: 0,
    boostTokenUnits: 0,
    openedAt: event.timestamp,
    lastAt: event.timestamp,
    number,
    tx,
    outer,
    inner,
    hash8: at.header.hash8,
  }))
  dropOldest(ctx, curve, event.pool)
}

const edit = (ctx: MintContext, { pool, timestamp }: PoolTrade | PoolLiquidity | PoolBoost): PoolRow | undefined => {
  if (ctx.read('pools', pool) === undefined) return undefined
  const row = ctx.edit('pools', pool)
  row.lastAt = timestamp
  return row
}

/**
 * The event states the reserves before the trade. The pool keeps its part of the fees: of a BuyEvent it receives
 * quote_amount_in_with_lp_fee. A purchase by the launchpad itself that is not the agent's is a boost: its coins are burnt.
 */
export const tradePool = (ctx: MintContext, trade: PoolTrade, agent: Key | null): void => {
  const row = edit(ctx, trade)
  if (row === undefined) return
  if (trade.virtualQuoteUnits !== null) row.virtualQuoteUnits = trade.virtualQuoteUnits
  const quoteUnits = add(add(trade.poolQuoteUnits, row.virtualQuoteUnits), trade.poolFeeUnits)
  row.quoteUnits = trade.isBuy ? add(quoteUnits, trade.quoteUnits) : subtract(quoteUnits, trade.quoteUnits)
  row.tokenUnits = trade.isBuy ? subtract(trade.poolTokenUnits, trade.tokenUnits) : add(trade.poolTokenUnits, trade.tokenUnits)
  if (!trade.isAgent) row.trades += 1
  else if (trade.isBuy && trade.user !== agent) {
    row.boosts += 1
    row.boostQuoteUnits = add(row.boostQuoteUnits, trade.userQuoteUnits)
    row.boostTokenUnits = add(row.boostTokenUnits, trade.tokenUnits)
  }
}

/** The event states the reserves before the move. */
export const movePool = (ctx: MintContext, event: PoolLiquidity): void => {
  const row = edit(ctx, event)
  if (row === undefined) return
  const move = event.isDeposit ? add : subtract
  row.quoteUnits = move(add(event.poolQuoteUnits, row.virtualQuoteUnits), event.quoteUnits)
  row.tokenUnits = move(event.poolTokenUnits, event.tokenUnits)
}

/** The event states the virtual part of the quote side, and the real part as it is after the event. */
export const boostPool = (ctx: MintContext, event: PoolBoost): void => {
  const row = edit(ctx, event)
  if (row === undefined) return
  row.virtualQuoteUnits = event.virtualQuoteUnits
  row.quoteUnits = add(event.realQuoteUnitsAfter, event.virtualQuoteUnits)
}
