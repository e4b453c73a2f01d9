// Queries for the card fields of demand, recent sellers and the newest event of each mint.
import { NULLS, PLACE, withParts } from './parts.ts'

export const demandSql = (db: string): string => `${withParts(db)},
  sums AS (
    SELECT mint, uniqExactIf(user, is_buy) AS buyers, sumIf(n_trades, is_buy) AS buys, sumIf(n_trades, NOT is_buy) AS sells,
      sumIf(n_trades, is_buy AND at > {asOf:Int64} - 60) AS buys60, sumIf(n_trades, NOT is_buy AND at > {asOf:Int64} - 60) AS sells60,
      sumIf(if(is_buy, quote, -quote), is_own_quote AND at > {asOf:Int64} - 60) AS net60, argMax(at, place) AS last_at,
        max(if(is_buy, at, 0)) AS last_buy_at,
      max(NOT is_buy AND is_dev) AS dev_sold
    FROM deals GROUP BY mint
  ),
  newest AS (SELECT mint, argMax(at, place) AS at FROM first_buys GROUP BY mint)
  SELECT mint, ifNull(buyers, 0) AS \`demand.unique_buyers\`, ifNull(buys60, 0) AS \`demand.buys_60s\`, ifNull(sells60, 0) AS \`demand.sells_60s\`,
    if(quote_mint IS NULL, ifNull(net60, 0) / 1000000000, NULL) AS \`demand.net_sol_60s\`,
    toInt64({asOf:Int64}) - t0 > 120 AND (newest.at IS NULL OR toInt64({asOf:Int64}) - newest.at >= 30) AS \`demand.inflow_stalled\`,
    \`demand.inflow_stalled\` AS \`exit_signals.inflow_stalled\`,
    ifNull(buys, 0) AS \`demand.n_buys\`, ifNull(sells, 0) AS \`demand.n_sells\`, last_at AS \`demand.last_trade_at\`,
    ifNull(dev_sold, 0) = 1 AS \`exit_signals.creator_sold\`,
    toInt64({asOf:Int64}) - t0 > 120 AND toInt64({asOf:Int64}) - ifNull(last_buy_at, 0) >= 60 AS is_without_buys
  FROM mints LEFT JOIN sums USING mint LEFT JOIN newest USING mint ${NULLS}`

/** Tables with the events of a mint: its launch, and everything that shows that it is active. */
export const EVENTS: readonly string[] = [
  'launches',
  'trades',
  'completions',
  'migrations',
  'post_complete_buys',
  'pools',
  'pool_trades',
  'pool_liquidity',
  'pool_boosts',
  'creator_changes',
  'mayhem_reserves',
]

export const newestSql = (db: string): string => `${withParts(db)},
  changes AS (
    SELECT mint, groupArray(change) AS changes FROM (
      SELECT mint, (creator, toString(kind), toInt64(toUnixTimestamp(at)), position) AS change
        FROM ${db}.creator_changes ORDER BY ${PLACE}
    ) GROUP BY mint
  ),
  newest AS (
    SELECT mint, argMax(position, place) AS position, argMax(at, place) AS at
    FROM (${EVENTS.map((table) => `SELECT mint, ${PLACE} AS place, position, toInt64(toUnixTimestamp(at)) AS at FROM ${db}.${table}`).join(' UNION ALL ')})
    GROUP BY mint
  )
  SELECT mint, newest.position AS \`as_of.position\`, newest.at AS \`as_of.at\`, changes AS creator_changes
  FROM launched JOIN newest USING mint LEFT JOIN changes USING mint ${NULLS}`

/** Whether a wallet of the top 5 sold in the last minute: ranks the balances of all wallets before each sale. */
export const topSellersSql = (db: string): string => `${withParts(db)},
  sales AS (SELECT mint, place, user FROM deals WHERE NOT is_buy AND at > {asOf:Int64} - 60 AND at != 0),
  before AS (
    SELECT s.mint AS mint, s.place AS place, s.user AS seller, m.wallet AS wallet, sum(m.units) AS units
    FROM sales AS s JOIN moves AS m ON s.mint = m.mint WHERE m.place < s.place GROUP BY mint, place, seller, wallet
  ),
  ranked AS (
    SELECT b.mint AS mint, b.place AS place, any(own.units) AS own_units,
      countIf(b.units > own.units OR (b.units = own.units AND base58Decode(b.wallet) < base58Decode(own.wallet))) AS above
    FROM before AS b JOIN (SELECT * FROM before WHERE wallet = seller) AS own ON b.mint = own.mint AND b.place = own.place
    GROUP BY mint, place
  )
  SELECT mint, mint IN (SELECT mint FROM ranked WHERE own_units > 0 AND above < 5) AS \`exit_signals.top5_holder_sold_recent\` FROM mints ${NULLS}`
