// The trades of one coin in time buckets, for charts. Uses the primary key, and reads only the requested days.
import { type Amount, add, amountOf } from '../../schemas/amount.ts'
import { HEX_KEYS, keyText } from '../../schemas/keys.ts'
import { SERIES_POINTS_MAX, type SeriesPoint, type SeriesQuery } from '../ports/history.ts'
import type { HistoryClient } from './client.ts'

type Asks = Pick<HistoryClient, 'database' | 'rows'>

/** Amounts as digits. */
interface BucketRow {
  readonly at: number
  readonly buys: number
  readonly sells: number
  readonly bought: string
  readonly sold: string
  readonly reserve: string | null
  readonly price_quote: string
  readonly price_token: string
  readonly is_in_pool: number
}

const BOUNDS = 'tick_at >= fromUnixTimestamp64Milli({from:Int64} * 1000) AND tick_at < fromUnixTimestamp64Milli(({until:Int64} + 1) * 1000)'
const BUCKET = '{from:Int64} + intDiv(toUnixTimestamp(tick_at) - {from:Int64}, {step:Int64}) * {step:Int64} AS at'
const FLOWS = `countIf(is_buy) AS buys, countIf(NOT is_buy) AS sells, toString(sumIf(quote_units, is_buy)) AS bought,
       toString(sumIf(quote_units, NOT is_buy)) AS sold`

const COIN_TRADES = (database: string): string => `
  SELECT ${BUCKET}, ${FLOWS}, argMax(toString(reserve), place) AS reserve,
    toString(argMax(price_quote, place)) AS price_quote, toString(argMax(price_token, place)) AS price_token,
    argMax(is_in_pool, place) AS is_in_pool
  FROM (
    SELECT tick_at, (slot, tx_index, outer_ix, inner_ix) AS place, is_buy, quote_units, real_quote_units AS reserve,
      virtual_quote_units AS price_quote, virtual_token_units AS price_token, toUInt8(0) AS is_in_pool
    FROM ${database}.trades WHERE mint = {mint:String} AND quote_mint IS NULL AND ${BOUNDS}
    UNION ALL
    SELECT tick_at, (slot, tx_index, outer_ix, inner_ix) AS place, is_buy, quote_units, toNullable(pool_quote_units) AS reserve,
      pool_quote_units + ifNull(virtual_quote_units, 0) AS price_quote, pool_token_units AS price_token, toUInt8(1) AS is_in_pool
    FROM ${database}.pool_trades WHERE mint = {mint:String} AND pool = {pool:String} AND quote_mint IS NULL AND ${BOUNDS}
  )
  GROUP BY at ORDER BY at LIMIT ${SERIES_POINTS_MAX}`

/** `reserve` is the change: its sum is the curve's reserve. Buybacks by the launchpad change it too, but are not trades. */
const TOKEN_TRADES = (database: string): string => `
  SELECT ${BUCKET}, countIf(is_trade AND is_buy) AS buys, countIf(is_trade AND NOT is_buy) AS sells,
    toString(sumIf(quote_units, is_trade AND is_buy)) AS bought, toString(sumIf(quote_units, is_trade AND NOT is_buy)) AS sold,
    toString(sum(if(is_buy, toInt256(quote_units), -toInt256(quote_units)))) AS reserve,
    toString(argMax(quote_units, place)) AS price_quote, toString(argMax(token_units, place)) AS price_token, toUInt8(0) AS is_in_pool
  FROM (
    SELECT tick_at, (block, tx_index, log_index) AS place, is_buy, quote_units, token_units, true AS is_trade
    FROM ${database}.alt_trades WHERE token = {mint:String} AND pair_token IS NULL AND ${BOUNDS}
    UNION ALL
    SELECT tick_at, (block, tx_index, log_index) AS place, true AS is_buy, quote_units, token_units, false AS is_trade
    FROM ${database}.alt_buybacks WHERE token = {mint:String} AND pair_token IS NULL AND ${BOUNDS}
  )
  GROUP BY at ORDER BY at LIMIT ${SERIES_POINTS_MAX}`

const amount = (digits: string): Amount => amountOf(BigInt(digits))

/** Buckets with trades, oldest first; with the reserve of a coin, or for a token the sum of its changes since `from`. @throws EngineError */
export const readSeries = async ({ database, rows }: Asks, query: SeriesQuery): Promise<readonly SeriesPoint[]> => {
  const isToken = query.mint.length === HEX_KEYS.bytes
  const step = Math.max(1, query.stepS, Math.ceil((query.until - query.from + 1) / SERIES_POINTS_MAX))
  const found = await rows<BucketRow>(isToken ? TOKEN_TRADES(database) : COIN_TRADES(database), {
    mint: isToken ? keyText(query.mint).toLowerCase() : keyText(query.mint),
    ...(isToken ? {} : { pool: query.pool === null ? '' : keyText(query.pool) }),
    ...{ from: query.from, until: query.until, step },
  })
  const points = found.map(pointOf)
  return isToken ? runningSums(points) : points
}

const pointOf = (row: BucketRow): SeriesPoint => ({
  at: row.at,
  buys: row.buys,
  sells: row.sells,
  boughtUnits: amount(row.bought),
  soldUnits: amount(row.sold),
  reserveUnits: row.reserve === null ? null : amount(row.reserve),
  price: { quoteUnits: amount(row.price_quote), tokenUnits: amount(row.price_token) },
  isInPool: row.is_in_pool === 1,
})

const runningSums = (points: readonly SeriesPoint[]): readonly SeriesPoint[] => {
  let held: Amount = 0
  return points.map((point) => {
    held = add(held, point.reserveUnits ?? 0)
    return { ...point, reserveUnits: held }
  })
}
