// Queries of the curve, the pool and the status of a mint, from the reserves in events.
import { AGENT, MINT_COLUMNS, NULLS, PLACE, withParts } from './parts.ts'

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112'

export const curveSql = (db: string): string => `${withParts(db)},
  newest AS (
    SELECT mint, argMax(real, place) AS real_now, argMax(real_tokens, place) AS tokens_now, max(real) AS peak
    FROM reserves GROUP BY mint
  ),
  own AS (SELECT mint, sum(quote) AS dev_buy FROM deals JOIN launched USING mint WHERE is_buy AND is_dev AND slot = slot0
    AND is_own_quote GROUP BY mint),
  mayhem AS (SELECT DISTINCT mint FROM ${db}.trades WHERE is_mayhem UNION DISTINCT SELECT DISTINCT mint FROM ${db}.mayhem_reserves),
  sums AS (
    SELECT ${MINT_COLUMNS.map((name) => `mints.${name} AS ${name}`).join(', ')}, ifNull(real_now, 0) AS real, ifNull(tokens_now,
      real0) AS real_tokens, greatest(ifNull(peak, 0), 0) AS peak_units,
      is_mayhem OR mint IN (SELECT mint FROM mayhem) AS mayhem, migrated_pool IS NOT NULL AS has_migrated,
        completed_by IS NOT NULL AS has_completed,
      quote_mint IS NULL AS is_sol, ifNull(dev_buy, 0) AS dev_buy_units
    FROM mints LEFT JOIN newest USING mint LEFT JOIN own USING mint
  )
  SELECT mint, creator, is_creator_wallet AS creator_is_wallet, devs AS dev_wallets, t0 AS created_at, toInt64({asOf:Int64}) - t0 AS age_s,
    multiIf(NOT is_sol, NULL, has_migrated, 0, real >= 0, real / 1000000000, NULL) AS \`curve.rs_sol\`,
    if(is_sol AND has_migrated AND real >= 0, real / 1000000000, NULL) AS \`curve.rs_at_migration_sol\`,
    if(is_sol, peak_units / 1000000000, NULL) AS \`curve.peak_rs_sol\`,
    multiIf(is_sol AND NOT mayhem, if(real < 0, NULL, least(1., real / 85000000000)), real_tokens < 0, NULL,
      least(1., greatest(0., (real0 - real_tokens) / real0))) AS \`curve.progress\`,
    multiIf(real < 0, NULL, peak_units = 0, 0., greatest(0, peak_units - real) / peak_units) AS \`curve.drawdown_from_peak\`,
    has_completed OR has_migrated AS \`curve.complete\`,
    has_migrated AS \`curve.migrated\`,
    multiIf(NOT is_sol, NULL, peak_units >= 84000000000, true, has_completed OR has_migrated, false, NULL) AS \`curve.graduated\`,
    mayhem AS \`curve.is_mayhem\`,
    if(is_sol, dev_buy_units / 1000000000, NULL) AS \`curve.dev_buy_sol\`,
    ifNull(quote_mint, '${WRAPPED_SOL}') AS \`curve.quote_mint\`,
    migrated_pool AS \`curve.pool\`,
    multiIf(NOT has_migrated, if(has_completed, 'curve_complete', 'live_curve'), is_sol AND peak_units >= 84000000000, 'migrated_graduated',
      'migrated_below_grad') AS status,
    if(has_completed OR has_migrated OR real < 0, false, real * 100 < peak_units * 75) AS \`exit_signals.progress_reversed\`
  FROM sums ${NULLS}`

/** Events of the pool to which the curve migrated; virtual reserves are carried forward to the next event that has them. */
export const poolEvents = (db: string): string => `
  opened AS (
    SELECT p.mint AS mint, p.pool AS pool, ${PLACE} AS place, toInt64(toUnixTimestamp(p.at)) AS opened_at, p.quote_units AS opening,
      p.quote_mint IS NULL AS is_sol_pool, p.token_units AS opening_tokens
    FROM ${db}.pools AS p JOIN migrated ON p.mint = migrated.mint AND p.pool = migrated.to ORDER BY place LIMIT 1 BY mint
  ),
  pool_events AS (
    SELECT mint, place, position, at, n_trades, tokens,
      real + ifNull(last_value(virtual) OVER (PARTITION BY mint ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
        0) AS quote
    FROM (
      SELECT e.mint AS mint, e.place AS place, position, at, n_trades, tokens, real, virtual FROM (
        SELECT mint, pool, ${PLACE} AS place, position, toInt64(toUnixTimestamp(at)) AS at, toUInt8(NOT is_agent) AS n_trades,
          pool_token_units + if(is_buy, -token_units, token_units) AS tokens,
          pool_quote_units + if(is_buy, quote_units, -quote_units) + pool_fee_units AS real, virtual_quote_units AS virtual
        FROM ${db}.pool_trades
        UNION ALL
        SELECT mint, pool, ${PLACE}, position, toInt64(toUnixTimestamp(at)), 0, pool_token_units + if(is_deposit, token_units,
          -token_units),
          pool_quote_units + if(is_deposit, quote_units, -quote_units), NULL
        FROM ${db}.pool_liquidity
        UNION ALL
        SELECT mint, pool, ${PLACE}, position, toInt64(toUnixTimestamp(at)), 0, NULL, real_quote_units_after, virtual_quote_units
        FROM ${db}.pool_boosts
      ) AS e JOIN opened ON e.mint = opened.mint AND e.pool = opened.pool WHERE e.place > opened.place
    )
  )`

export const poolSql = (db: string): string => `${withParts(db)},${poolEvents(db)},
  last AS (
    SELECT mint, argMax(quote, place) AS quote, argMaxIf(tokens, place, tokens IS NOT NULL) AS tokens, sum(n_trades) AS n_trades,
      argMax(at, place) AS at
    FROM pool_events GROUP BY mint
  ),
  boosted AS (
    SELECT t.mint AS mint, count() AS n, sum(t.user_quote_units) AS spent, sum(t.token_units) AS burnt
    FROM ${db}.pool_trades AS t JOIN opened ON t.mint = opened.mint AND t.pool = opened.pool
    WHERE t.is_agent AND t.is_buy AND t.user != '${AGENT}' GROUP BY t.mint
  )
  SELECT mint, pool AS \`pool.address\`, opened_at AS \`pool.opened_at\`, if(is_sol_pool, opening / 1000000000, NULL) AS \`pool.opening_quote_sol\`,
    if(is_sol_pool, ifNull(quote, opening) / 1000000000, NULL) AS \`pool.quote_sol\`,
    if(opening = 0, 0., ifNull(quote, opening) / opening) AS \`pool.quote_share\`,
    ifNull(tokens, opening_tokens) / 1000000 AS \`pool.tokens\`, ifNull(n_trades, 0) AS \`pool.n_trades\`, ifNull(at, opened_at) AS \`pool.last_event_at\`,
    ifNull(n, 0) AS \`pool.boosts.n\`, if(is_sol_pool, ifNull(spent, 0) / 1000000000, NULL) AS \`pool.boosts.spent_sol\`,
    ifNull(burnt, 0) / 1000000 AS \`pool.boosts.burnt_tokens\`
  FROM opened LEFT JOIN last USING mint LEFT JOIN boosted USING mint ${NULLS}`
