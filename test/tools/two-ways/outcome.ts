// Queries of a launch's outcome, from its events: settled by migration, or by the first tick after an hour without a trade.
import { MINT_COLUMNS, NEVER, NULLS, PLACE, tickOf, withParts } from './parts.ts'

/** When and how each mint settled: at its migration or at the first tick when its last trade was an hour old, whichever came first. */
const settling = (db: string): string => `
  ticks AS (SELECT 1 AS one, toInt64(toUnixTimestamp(tick_at)) AS tick_s, min(slot) AS slot FROM ${db}.frames GROUP BY tick_s),
  rests AS (
    SELECT 1 AS one, mint, leadInFrame(slot, 1, toUInt64(-1)) OVER all_of_it AS next_slot, max(at) OVER so_far + 3600 AS quiet_s
    FROM (SELECT mint, place, slot0 AS slot, t0 AS at FROM launched UNION ALL SELECT mint, place, slot, at FROM deals)
    WINDOW so_far AS (PARTITION BY mint ORDER BY place),
      all_of_it AS (PARTITION BY mint ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  ),
  quiet AS (
    SELECT r.mint AS mint, min(t.slot) AS quiet_slot, argMin(t.tick_s, t.slot) AS quiet_at
    FROM rests AS r ASOF JOIN ticks AS t ON r.one = t.one AND t.tick_s >= r.quiet_s
    WHERE t.slot < r.next_slot GROUP BY mint
  ),
  moved AS (SELECT mint, argMin(toInt64(toUnixTimestamp(at)), ${PLACE}) AS at FROM ${db}.migrations GROUP BY mint),
  settled AS (
    SELECT ${MINT_COLUMNS.map((name) => `mints.${name} AS ${name}`).join(', ')}, ifNull(${tickOf('quiet_slot')}, ${NEVER}) AS quiet_place,
      if(migrated_place < quiet_place, 'migrated', 'quiet') AS cause, least(migrated_place, quiet_place) AS settled_place,
      if(cause = 'migrated', moved.at, quiet_at) AS settled_at
    FROM mints LEFT JOIN quiet USING mint LEFT JOIN moved USING mint WHERE quiet_slot IS NOT NULL OR migrated_pool IS NOT NULL
  )`

export const outcomeSql = (db: string): string => `${withParts(db)},${settling(db)},
  drains AS (
    SELECT r.mint AS mint, argMin(r.at, r.place) AS at FROM reserves AS r JOIN settled ON r.mint = settled.mint
    WHERE quote_mint IS NULL AND real >= 0 AND peak >= 5000000000 AND real * 100 <= peak * 25 AND r.place <= settled_place GROUP BY mint
  ),
  dev AS (
    SELECT mint, place, at, is_sale, sum(got) OVER w AS got, sum(sold) OVER w AS sold FROM (
      SELECT mint, place, at, NOT is_buy AS is_sale, if(is_buy, tokens, 0) AS got, if(is_buy, 0, tokens) AS sold FROM deals WHERE is_dev
      UNION ALL
      SELECT t.mint, ${PLACE}, toInt64(toUnixTimestamp(t.at)), false, t.units, 0 FROM ${db}.transfers AS t
        JOIN launched ON t.mint = launched.mint
      WHERE t.units >= 0 AND has(devs, t.owner)
    ) WINDOW w AS (PARTITION BY mint ORDER BY place)
  ),
  dumps AS (
    SELECT dev.mint AS mint, argMin(dev.at, dev.place) AS at FROM dev JOIN settled ON dev.mint = settled.mint
    WHERE is_sale AND sold * 2 >= got AND dev.place <= settled_place GROUP BY mint
  ),
  first_sale AS (
    SELECT d.mint AS mint, argMin(d.at, d.place) AS at FROM deals AS d JOIN settled ON d.mint = settled.mint
    WHERE is_dev AND NOT is_buy AND d.place <= settled_place GROUP BY mint
  ),
  sums AS (
    SELECT d.mint AS mint, sumIf(n_trades, d.place <= settled_place) AS trades,
      uniqExactIf(user, is_buy AND d.place <= settled_place) AS buyers,
      argMinIf(d.at, d.place, d.place > settled_place) AS woke_at, countIf(d.place > settled_place) AS woke
    FROM deals AS d JOIN settled ON d.mint = settled.mint GROUP BY mint
  ),
  curve AS (
    SELECT r.mint AS mint, argMaxIf(real, r.place, r.place <= settled_place) AS terminal,
      countIf(r.place <= settled_place) AS known_reserves
    FROM reserves AS r JOIN settled ON r.mint = settled.mint GROUP BY mint
  ),
  peaks AS (
    SELECT r.mint AS mint, max(real) AS peak FROM reserves AS r JOIN settled ON r.mint = settled.mint
      WHERE r.place <= settled_place GROUP BY mint
  ),
  labels AS (
    SELECT s.mint AS mint, s.creator AS creator, s.t0 AS t0, slot0, settled_at, cause, s.quote_mint IS NULL AS is_sol,
      drains.at IS NOT NULL OR dumps.at IS NOT NULL AS is_rug, drains.at IS NOT NULL
        AND (dumps.at IS NULL OR drains.at <= dumps.at) AS is_drain,
      if(is_drain, drains.at, dumps.at) AS rug_at, ifNull(peaks.peak, 0) AS peak,
      if(ifNull(curve.known_reserves, 0) = 0, 0, curve.terminal) AS terminal, first_sale.at AS sale_at, ifNull(trades, 0) AS trades,
        ifNull(buyers, 0) AS buyers,
      if(cause = 'quiet' AND woke > 0, woke_at, NULL) AS reopened_at,
      completed_by IS NOT NULL AND has(devs, completed_by) AND bitShiftRight(completed_place, 96) = slot0 AS self_graduated
    FROM settled AS s LEFT JOIN drains USING mint LEFT JOIN dumps USING mint LEFT JOIN first_sale USING mint LEFT JOIN sums USING mint
    LEFT JOIN curve USING mint LEFT JOIN peaks USING mint
  )
  SELECT mint, mint AS \`outcome.mint\`, creator AS \`outcome.creator\`, t0 AS \`outcome.t0\`, slot0 AS \`outcome.slot0\`, settled_at AS \`outcome.settled_at\`,
    cause AS \`outcome.settled_by\`, if(is_sol, peak >= 84000000000, NULL) AS \`outcome.graduated\`,
    if(is_sol OR is_rug, is_rug, NULL) AS \`outcome.rugged\`, if(is_rug, if(is_drain, 'drain', 'dev_dump'), NULL) AS \`outcome.rug_kind\`,
    if(is_rug, greatest(rug_at - t0, 0), NULL) AS \`outcome.rug_dt_s\`, if(is_sol, peak / 1000000000, NULL) AS \`outcome.peak_rs\`,
    if(is_sol AND terminal >= 0, terminal / 1000000000, NULL) AS \`outcome.terminal_rs\`,
    if(sale_at IS NULL, NULL, greatest(sale_at - t0, 0)) AS \`outcome.dev_first_sell_dt_s\`,
    if(is_sol, peak >= 5000000000, NULL) AS \`outcome.reached_5_sol\`, trades AS \`outcome.n_trades\`, buyers AS \`outcome.n_buyers\`,
    self_graduated AS \`outcome.self_graduated\`, if(is_sol, NULL, 'quote_not_sol') AS \`outcome.censored\`, reopened_at AS \`outcome.reopened_at\`
  FROM labels ${NULLS}`

/** The outcome stored in the history, as of the settlement. */
export const settledSql = (db: string): string => `
  SELECT mint, any(graduated) AS \`outcome.graduated\`, any(rugged) AS \`outcome.rugged\`, any(toNullable(toString(rug_kind))) AS \`outcome.rug_kind\`,
    any(toInt64(rug_dt_s)) AS \`outcome.rug_dt_s\`, any(toInt64(toUnixTimestamp(at))) AS \`outcome.settled_at\`,
    any(if(tx_index = 4294967295, 'quiet', 'migrated')) AS \`outcome.settled_by\`,
    any(if(quote_mint IS NULL AND terminal_quote_units >= 0, terminal_quote_units / 1000000000, NULL)) AS \`outcome.terminal_rs\`,
    any(if(quote_mint IS NULL, dev_buy_quote_units / 1000000000, NULL)) AS \`outcome.dev_buy_sol\`,
    any(n_trades) AS \`outcome.n_trades\`, any(n_buyers) AS \`outcome.n_buyers\`,
    any(toInt64(dev_first_sell_dt_s)) AS \`outcome.dev_first_sell_dt_s\`,
    any(if(quote_mint IS NULL, peak_quote_units / 1000000000, NULL)) AS \`outcome.peak_rs\`,
    any(self_graduated) AS \`outcome.self_graduated\`,
    any(toNullable(toString(censored))) AS \`outcome.censored\`, any(is_mayhem) AS \`outcome.is_mayhem\`
  FROM ${db}.outcomes GROUP BY mint ${NULLS}`
