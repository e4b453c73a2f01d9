// Queries of a curve's status, reserves, trades, tax and lifecycle.
import { NULLS, PLACE, withCurveParts } from './parts.ts'

/** Folds keep flows by block: trades this many blocks or more behind the newest trade are in no window, whatever their seconds are. */
const FLOW_BLOCKS = 70
const OUT_OF_WINDOWS = 1_000
const ZERO = `0x${'0'.repeat(40)}`
const eth = (units: string): string => `if(is_native, toFloat64(${units}) / 1e18, NULL)`
const orZero = (units: string): string => `ifNull(${units}, toInt256(0))`
const count = (n: string): string => `toInt64(ifNull(${n}, 0))`
/** Tenths of a second from a block to the moment: from block numbers, limited to the range that the whole seconds allow. */
const tenthsSince = (block: string, at: string): string =>
  `greatest(0, least(greatest({tip:Int64} - toInt64(${block}), ({asOf:Int64} - ${at}) * 10 - 9), ({asOf:Int64} - ${at}) * 10 + 9))`
const tenthsBetween = (block: string, at: string): string =>
  `greatest(0, least(greatest(toInt64(${block}) - toInt64(block0), (${at} - t0) * 10 - 9), (${at} - t0) * 10 + 9))`

export const launchSql = (db: string): string => `${withCurveParts(db)}
  SELECT mint, mint AS token, curve, deployer, ifNull(pair_token, '${ZERO}') AS pair_token, if(is_native, 'eth', 'erc20') AS pair_kind,
    toInt64(block0) AS launch_block, t0 AS launched_at, route AS launch_route, ${tenthsSince('block0', 't0')} / 10 AS age_s,
    multiIf(is_graduated, 'graduated', completed_block IS NOT NULL, 'curve_complete', 'live_curve') AS status
  FROM curves ${NULLS}`

export const raisedSql = (db: string): string => `${withCurveParts(db)},
  last AS (SELECT mint, argMax(real, place) AS real, argMax(tokens, place) AS tokens, max(peak) AS peak FROM reserves GROUP BY mint),
  totals AS (
    SELECT mint, is_native, threshold, virtual, supply, pair_decimals,
      coalesce(completed_quote, last.real, toInt256(0)) AS real, coalesce(completed_tokens, last.tokens, supply) AS tokens,
      greatest(${orZero('last.peak')}, ${orZero('completed_quote')}) AS peak FROM curves LEFT JOIN last USING mint
  )
  SELECT mint, toString(real) AS \`raised.quote_units\`, ${eth('real')} AS \`raised.eth\`,
    least(1., greatest(0., toFloat64(real) / toFloat64(threshold))) AS \`raised.progress\`,
    if(is_native AND tokens != 0 AND virtual != 0,
      toFloat64(virtual + real) / toFloat64(tokens) * (toFloat64(supply) / toFloat64(virtual)), NULL) AS \`raised.price_multiple_vs_launch\`,
    toString(threshold) AS \`raised.threshold_units\`, toString(peak) AS \`raised.peak_quote_units\`,
    if(is_native, 18, toInt64(pair_decimals)) AS \`raised.quote_decimals\`
  FROM totals ${NULLS}`

export const flowSql = (db: string): string => `${withCurveParts(db)},
  aged AS (
    SELECT *, if(max(block) OVER (PARTITION BY mint) - block < ${FLOW_BLOCKS}, ${tenthsSince('block', 'at')}, ${OUT_OF_WINDOWS}) AS tenths
    FROM deals
  ),
  sums AS (
    SELECT mint, countIf(is_buy) AS buys, countIf(NOT is_buy) AS sells, uniqExactIf(wallet, is_buy AND wallet IS NOT NULL) AS buyers,
      uniqExactIf(wallet, NOT is_buy AND wallet IS NOT NULL) AS sellers, countIf(is_buy AND tenths < 60) AS buys_6,
      countIf(NOT is_buy AND tenths < 60) AS sells_6,
      argMinIf(block, place, is_buy) AS first_block, argMinIf(at, place, is_buy) AS first_at,
      argMax(tenths, place) AS newest, sumIf(paid, is_buy) AS bought, sumIf(paid, NOT is_buy) AS sold,
      countIf(is_buy AND tax > 0) AS taxed, sumIf(tax, is_buy) AS tax
    FROM aged GROUP BY mint
  ),
  joined AS (
    SELECT mint, countIf(tenths < 20) AS in_2, countIf(tenths < 60) AS in_6 FROM (
      SELECT mint, wallet, argMin(tenths, place) AS tenths FROM aged WHERE is_buy AND wallet IS NOT NULL GROUP BY mint, wallet
    ) GROUP BY mint
  ),
  freed AS (SELECT mint, count() AS n FROM rare WHERE kind = 'SnipeTaxExempted' GROUP BY mint)
  SELECT l.mint AS mint, ${count('buys')} AS \`flow.n_buys\`, ${count('sells')} AS \`flow.n_sells\`, ${count('buyers')} AS \`flow.unique_buyers\`,
    ${count('sellers')} AS \`flow.unique_sellers\`, ${count('buys_6')} AS \`flow.buys_last_6s\`, ${count('sells_6')} AS \`flow.sells_last_6s\`,
    ${count('in_2')} AS \`flow.new_buyers_last_2s\`, ${count('in_6')} AS \`flow.new_buyers_last_6s\`,
    if(ifNull(buys, 0) = 0, NULL, ${tenthsBetween('first_block', 'first_at')} / 10) AS \`flow.first_buy_after_s\`,
    newest / 10 AS \`flow.last_trade_age_s\`, ${eth(orZero('bought'))} AS \`flow.buy_volume_eth\`, ${eth(orZero('sold'))} AS \`flow.sell_volume_eth\`,
    toString(${orZero('bought')}) AS \`flow.buy_volume_units\`, toString(${orZero('sold')}) AS \`flow.sell_volume_units\`,
    {asOf:Int64} - t0 < 3 AS \`snipe_tax.in_tax_window\`, ${count('taxed')} AS \`snipe_tax.n_taxed_buys\`,
    ${eth(orZero('tax'))} AS \`snipe_tax.tax_total_eth\`, toString(${orZero('tax')}) AS \`snipe_tax.tax_total_units\`,
    exempt + ${count('freed.n')} AS \`snipe_tax.n_exempt_accounts\`
  FROM launched AS l LEFT JOIN sums USING mint LEFT JOIN joined USING mint LEFT JOIN freed USING mint ${NULLS}`

const RESCUES = "kind NOT IN ('LaunchSwept', 'LaunchForceSwept', 'FeesSwept', 'SnipeTaxExempted', 'AutoGraduationFailed')"

export const lifecycleSql = (db: string): string => `${withCurveParts(db)},
  odd AS (
    SELECT mint, countIf(kind = 'AutoGraduationFailed') AS failed, argMaxIf(toNullable(block), place, kind IN ('LaunchSwept',
      'LaunchForceSwept')) AS swept, countIf(kind = 'LaunchForceSwept') AS forced, countIf(${RESCUES}) AS rescues FROM rare GROUP BY mint
  ),
  back AS (SELECT mint, count() AS n FROM refunds GROUP BY mint),
  locked AS (SELECT mint, count() AS n, sum(tokens) AS units FROM buybacks GROUP BY mint),
  own AS (
    SELECT mint, place, position, at FROM deals UNION ALL SELECT mint, place, position, at FROM buybacks
    UNION ALL SELECT mint, place, position, at FROM refunds
    UNION ALL SELECT mint, place, position, at FROM rare WHERE kind != 'SnipeTaxExempted'
    UNION ALL SELECT token, ${PLACE}, position,
      toInt64(toUnixTimestamp(tick_at)) FROM (SELECT * FROM ${db}.alt_completions)
    UNION ALL SELECT token, ${PLACE}, position,
      toInt64(toUnixTimestamp(tick_at)) FROM (SELECT * FROM ${db}.alt_migrations)
  ),
  newest AS (SELECT mint, argMax(position, place) AS position, argMax(at, place) AS at FROM own GROUP BY mint)
  SELECT c.mint AS mint, multiIf(is_graduated, 'graduated', completed_block IS NOT NULL, 'complete', 'live') AS \`lifecycle.state\`,
    toInt64(completed_block) AS \`lifecycle.completed_block\`, toInt64(graduated_block) AS \`lifecycle.graduated_block\`,
    if(is_graduated, greatest(0, graduated_at - t0), NULL) AS \`lifecycle.graduated_after_s\`, ${count('back.n')} AS \`lifecycle.n_refunds\`,
    ${count('failed')} AS \`lifecycle.n_failed_graduations\`, toInt64(swept) AS \`lifecycle.swept_block\`,
    ifNull(forced, 0) > 0 AS \`lifecycle.is_force_swept\`, ${count('locked.n')} AS \`lifecycle.n_buybacks\`,
    toFloat64(${orZero('locked.units')}) / 1e18 AS \`lifecycle.locked_tokens\`, ${count('rescues')} AS \`lifecycle.n_rescues\`,
    ifNull(newest.position, position0) AS \`as_of.position\`, ifNull(newest.at, t0) AS \`as_of.at\`
  FROM curves AS c LEFT JOIN odd USING mint LEFT JOIN back USING mint LEFT JOIN locked USING mint LEFT JOIN newest USING mint ${NULLS}`
