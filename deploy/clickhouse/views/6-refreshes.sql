-- Aggregates that ClickHouse refreshes. New rows about a minute (regime_minutes) or a day (detector_days) cause its recomputation, however
-- old it is. Exception: a minute is not recomputed once some of its rows have expired. base_rates is computed as a whole each minute.

DROP VIEW IF EXISTS mintfold.regime_minutes_refresh;

-- regime_known_refresh, regime_due_refresh and regime_minutes_refresh are one computation: each reads the view before it as a scalar. Written
-- as WITH clauses of one query, they took twice as long to analyse at every refresh, even at one without new rows, because ClickHouse
-- analyses a clause again at each reference.
CREATE OR REPLACE VIEW mintfold.regime_known_refresh AS SELECT
  ifNull((SELECT max(up_to) FROM mintfold.progress WHERE is_filling), toDateTime64(0, 3, 'UTC')) AS up_to,
  (SELECT max(refreshed_at) - INTERVAL 2 MINUTE FROM mintfold.regime_minutes_log) AS received_from,
  minIf(`from`, table = 'launches') AS launches_from,
  minIf(`from`, table = 'trades') AS trades_from
FROM mintfold.coverage;

-- due: minutes with new rows since the last refresh (an insert is visible at most 2 minutes after it started), minutes that were not
-- complete, and the newest 720 of those whose column `rule` is below 1: an older version of this query computed them and missed late
-- corrections. A minute with expired rows is never due: its stored result is kept.
CREATE OR REPLACE VIEW mintfold.regime_due_refresh AS WITH
  (SELECT (up_to, received_from, launches_from, trades_from) FROM mintfold.regime_known_refresh) AS known,
  known.2 AS received_from,
  known.3 AS launches_from,
  known.4 AS trades_from
SELECT
  assumeNotNull(known.1) AS up_to,
  groupUniqArray(minute) AS due,
  toDateTime64(arrayMin(due), 3, 'UTC') AS since,
  toDateTime64(arrayMax(due) + INTERVAL 1 MINUTE, 3, 'UTC') AS until
FROM (
  SELECT DISTINCT toStartOfMinute(tick_at, 'UTC') AS minute FROM mintfold.launches_log WHERE received_at >= received_from
  UNION ALL
  SELECT DISTINCT toStartOfMinute(tick_at, 'UTC') AS minute FROM mintfold.trades_log WHERE received_at >= received_from
  UNION ALL
  SELECT DISTINCT toStartOfMinute(tick_at, 'UTC') AS minute FROM mintfold.pool_trades_log WHERE received_at >= received_from
  UNION ALL
  SELECT DISTINCT toStartOfMinute(tick_at, 'UTC') AS minute FROM mintfold.migrations_log WHERE received_at >= received_from
  UNION ALL
  SELECT DISTINCT toStartOfMinute(tick_at, 'UTC') AS minute FROM mintfold.ticks_log WHERE received_at >= received_from
  UNION ALL
  SELECT DISTINCT toStartOfMinute(at, 'UTC') AS minute FROM mintfold.outcomes_log WHERE received_at >= received_from
  UNION ALL
  SELECT DISTINCT toStartOfMinute(at, 'UTC') AS minute FROM mintfold.flags_log WHERE received_at >= received_from
  UNION ALL
  SELECT minute FROM mintfold.regime_minutes_log FINAL WHERE NOT is_complete
  UNION ALL
  SELECT minute FROM mintfold.regime_minutes_log FINAL WHERE rule < 1 ORDER BY minute DESC LIMIT 720
) WHERE minute >= if(trades_from > launches_from, trades_from, toDateTime64(toStartOfMinute(launches_from, 'UTC'), 3, 'UTC'));

-- ClickHouse opens the table in the first part of the union before it evaluates up_to, and the tables in the other parts afterwards. If the
-- first part read an event table, rows that arrive between these two moments would be missing from it, although up_to covers them. So it
-- reads the stored minutes, which are also needed: a minute whose rows were all retracted is written again with zeros.
CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.regime_minutes_refresh
REFRESH EVERY 1 MINUTE APPEND TO mintfold.regime_minutes_log
AS WITH
  (SELECT (up_to, due, since, until) FROM mintfold.regime_due_refresh) AS plan,
  assumeNotNull(plan.1) AS up_to,
  plan.2 AS due,
  assumeNotNull(plan.3) AS since,
  assumeNotNull(plan.4) AS until
SELECT
  minute,
  sumIf(n, what = 'launch') AS launches,
  sumIf(n, what = 'mayhem') AS mayhem,
  sumIf(n, what = 'buy') AS buys,
  sumIf(n, what = 'sell') AS sells,
  sumIf(lamports, what = 'buy') AS buy_lamports,
  sumIf(lamports, what = 'sell') AS sell_lamports,
  sumIf(n, what = 'failed') AS failed,
  sumIf(n, what = 'transaction') AS total,
  sumIf(n, what = 'migration') AS migrations,
  sumIf(n, what = 'graduation') AS true_graduations,
  sumMapIf(map(flag, n), what = 'flag') AS rug_flags,
  sumIf(n, what = 'frame') AS frames,
  toDateTime64(minute + INTERVAL 1 MINUTE, 3, 'UTC') <= up_to AS is_complete,
  1 AS rule,
  now64(3, 'UTC') AS refreshed_at
FROM (
  SELECT minute, 'stored' AS what, '' AS flag, toUInt64(0) AS n, toInt256(0) AS lamports
  FROM mintfold.regime_minutes_log WHERE up_to > toDateTime64(0, 3, 'UTC') AND minute >= since AND minute < until GROUP BY minute
  UNION ALL
  SELECT minute, counted.1 AS what, '', counted.2, 0 FROM (
    SELECT toStartOfMinute(tick_at, 'UTC') AS minute, arrayJoin([('launch', count()), ('mayhem', countIf(is_mayhem))]) AS counted
    FROM mintfold.launches_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since AND tick_at < until AND toMonday(tick_at) IN (SELECT toMonday(arrayJoin(due))) GROUP BY minute
  )
  UNION ALL
  SELECT toStartOfMinute(tick_at, 'UTC') AS minute, if(is_buy, 'buy', 'sell') AS what, '', count(), sumIf(if(mapContains(stored.exact_units, 'quote_units'), stored.exact_units['quote_units'], toInt256(stored.quote_units)), quote_mint IS NULL)
  FROM mintfold.trades_log AS stored FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since AND tick_at < until AND toYYYYMMDD(tick_at) IN (SELECT toYYYYMMDD(arrayJoin(due))) AND NOT is_agent GROUP BY minute, what
  UNION ALL
  SELECT toStartOfMinute(tick_at, 'UTC') AS minute, if(is_buy, 'buy', 'sell') AS what, '', count(), sumIf(if(mapContains(stored.exact_units, 'quote_units'), stored.exact_units['quote_units'], toInt256(stored.quote_units)), quote_mint IS NULL)
  FROM mintfold.pool_trades_log AS stored FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since AND tick_at < until AND toYYYYMMDD(tick_at) IN (SELECT toYYYYMMDD(arrayJoin(due))) AND NOT is_agent GROUP BY minute, what
  UNION ALL
  SELECT minute, counted.1 AS what, '', counted.2, 0 FROM (
    SELECT
      toStartOfMinute(tick_at, 'UTC') AS minute,
      arrayJoin([('frame', count()), ('failed', sum(ifNull(launchpad_failed, 0))), ('transaction', sum(ifNull(launchpad_transactions, 0)))]) AS counted
    FROM mintfold.ticks_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since AND tick_at < until AND toYYYYMMDD(tick_at) IN (SELECT toYYYYMMDD(arrayJoin(due))) GROUP BY minute
  )
  UNION ALL
  SELECT toStartOfMinute(tick_at, 'UTC') AS minute, 'migration', '', count(), 0
  FROM mintfold.migrations_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since AND tick_at < until GROUP BY minute
  UNION ALL
  SELECT toStartOfMinute(at, 'UTC') AS minute, 'graduation', '', count(), 0
  FROM mintfold.outcomes_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND at >= since AND at < until AND toMonday(at) IN (SELECT toMonday(arrayJoin(due))) AND graduated GROUP BY minute
  UNION ALL
  SELECT toStartOfMinute(at, 'UTC') AS minute, 'flag', flag, count(), 0
  FROM mintfold.flags_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND at >= since AND at < until AND toMonday(at) IN (SELECT toMonday(arrayJoin(due))) GROUP BY minute, flag
)
WHERE minute IN (SELECT arrayJoin(due))
GROUP BY minute
SETTINGS do_not_merge_across_partitions_select_final = 1;

DROP VIEW IF EXISTS mintfold.base_rates;

-- A launch settles after it launched, so `at > subtractDays(up_to, 7)` excludes no outcome of a launch of the last 7 days. With this
-- condition ClickHouse reads only the weekly partitions of these days.
CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.base_rates
REFRESH EVERY 1 MINUTE (
  window_days UInt8 COMMENT 'Launches of this many days before as_of, by launch time.',
  launches UInt64 COMMENT 'Launches resolved with both labels (graduated, rugged) known: the denominator of the rates.',
  grad_rate Nullable(Float64) COMMENT 'Share that graduated; null without launches, as the other rates.',
  rug_rate Nullable(Float64) COMMENT 'Share that rugged: drained, or dumped by the dev set.',
  dev_sold_rate Nullable(Float64) COMMENT 'Share whose dev set sold before the launch was resolved.',
  reached_5_sol_rate Nullable(Float64) COMMENT 'Share whose curve held 5 SOL or more at some time.',
  as_of DateTime64(3, 'UTC') COMMENT 'Stream time up to which the history is complete, UTC.',
  unresolved UInt64 COMMENT 'Launches of the window that are not resolved, or of which a label is unknown: they count in no rate. Graduates resolve at once, others after an hour without a trade, so the rates of a history younger than an hour describe graduates only.'
)
ENGINE = MergeTree ORDER BY window_days
AS WITH
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS up_to,
  (
    SELECT count() FROM mintfold.launches_log FINAL
    WHERE tick_at > subtractDays(up_to, 7) AND tick_at <= up_to
  ) AS launched
SELECT
  toUInt8(7) AS window_days,
  count() AS launches,
  if(count() = 0, NULL, countIf(graduated) / count()) AS grad_rate,
  if(count() = 0, NULL, countIf(rugged) / count()) AS rug_rate,
  if(count() = 0, NULL, countIf(dev_first_sell_dt_s IS NOT NULL) / count()) AS dev_sold_rate,
  if(count() = 0, NULL, countIf(peak_quote_units >= 5000000000) / count()) AS reached_5_sol_rate,
  up_to AS as_of,
  toUInt64(greatest(toInt64(launched) - toInt64(count()), 0)) AS unresolved
FROM mintfold.outcomes_log FINAL
WHERE graduated IS NOT NULL AND rugged IS NOT NULL AND at <= up_to AND t0 > subtractDays(up_to, 7) AND at > subtractDays(up_to, 7)
HAVING as_of > toDateTime64(0, 3, 'UTC')
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Outcomes of the launches of the last days; computed every minute; no row until progress.up_to is known.';

DROP VIEW IF EXISTS mintfold.detector_days_refresh;

CREATE OR REPLACE VIEW mintfold.detector_known_refresh AS SELECT
  ifNull((SELECT max(up_to) FROM mintfold.progress WHERE is_filling), toDateTime64(0, 3, 'UTC')) AS up_to,
  (SELECT if(count() = 0, now64(3, 'UTC'), max(refreshed_at)) - INTERVAL 2 MINUTE FROM mintfold.detector_days_log) AS received_from,
  (SELECT minIf(`from`, table = 'outcomes') FROM mintfold.coverage) AS known_from;

-- changed: days with new flags or outcomes since the last refresh. waiting: days never computed, or postponed. At most eight days are
-- computed per refresh: the newest four changed days, then the newest waiting days. A month at once would exceed the memory of a query.
-- A changed day beyond these is postponed: detector_days_log gets a row of that day with the flag 'due'. A flag counts on its own day;
-- whether it was right counts on the day of the outcome, and only if the outcome is not earlier than the flag.
CREATE OR REPLACE VIEW mintfold.detector_changed_refresh AS WITH
  (SELECT (up_to, received_from, known_from) FROM mintfold.detector_known_refresh) AS known,
  known.1 AS up_to,
  known.2 AS received_from,
  toDate(ifNull(known.3, known.1), 'UTC') AS first_day,
  toUInt64(greatest(toInt64(toDate(ifNull(known.1, known.3), 'UTC')) - toInt64(first_day) + 1, 0)) AS days_known
SELECT
  (
    SELECT groupUniqArray(day) FROM (
      SELECT DISTINCT toDate(at, 'UTC') AS day FROM mintfold.outcomes_log WHERE received_at >= received_from
      UNION ALL
      SELECT DISTINCT toDate(at, 'UTC') AS day FROM mintfold.flags_log WHERE received_at >= received_from
      UNION ALL
      SELECT DISTINCT toDate(at, 'UTC') AS day FROM mintfold.shadow_flags_log WHERE received_at >= received_from
    ) WHERE up_to > toDateTime64(0, 3, 'UTC')
  ) AS changed,
  (
    SELECT groupUniqArray(day) FROM (
      SELECT day FROM mintfold.detector_days_log FINAL WHERE flag = 'due' AND flagged > 0
      UNION ALL
      SELECT arrayJoin(arrayMap(n -> first_day + n, range(days_known))) AS day
    ) WHERE up_to > toDateTime64(0, 3, 'UTC') AND day NOT IN (
      SELECT day FROM mintfold.detector_days_log FINAL GROUP BY day HAVING countIf(flag = '') > 0 AND sumIf(flagged, flag = 'due') = 0
    )
  ) AS waiting;

CREATE OR REPLACE VIEW mintfold.detector_due_refresh AS WITH
  (SELECT (changed, waiting) FROM mintfold.detector_changed_refresh) AS days,
  arraySlice(arrayReverseSort(days.1), 1, 4) AS newest
SELECT
  days.1 AS changed,
  arrayConcat(newest, arraySlice(arrayReverseSort(arrayFilter(d -> NOT has(newest, d), days.2)), 1, 8 - length(newest))) AS due,
  toDateTime64(arrayMin(due), 3, 'UTC') AS since,
  toDateTime64(arrayMax(due) + 1, 3, 'UTC') AS until;

CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.detector_days_refresh
REFRESH EVERY 5 MINUTE APPEND TO mintfold.detector_days_log
AS WITH
  (SELECT (changed, due, since, until) FROM mintfold.detector_due_refresh) AS plan,
  plan.1 AS changed,
  plan.2 AS due,
  assumeNotNull(plan.3) AS since,
  assumeNotNull(plan.4) AS until,
  (
    SELECT min(t0) FROM mintfold.outcomes_log
    WHERE at >= since AND at < until AND toMonday(at) IN (SELECT toMonday(arrayJoin(due))) AND has(due, toDate(at, 'UTC'))
  ) AS flagged_from
SELECT
  day,
  flag,
  detector,
  detector_version,
  max(in_tier) AS tier,
  sum(n_flagged) AS flagged,
  sum(n_resolved) AS resolved,
  sum(n_rugged) AS rugged,
  groupArrayArray(lead_list) AS leads_s,
  now64(3, 'UTC') AS refreshed_at
FROM (
  SELECT arrayJoin(due) AS day, '' AS flag, '' AS detector, toUInt32(0) AS detector_version, '' AS in_tier, toUInt64(0) AS n_flagged, toUInt64(0) AS n_resolved, toUInt64(0) AS n_rugged, CAST([], 'Array(Int64)') AS lead_list
  UNION ALL
  SELECT arrayJoin(arrayFilter(d -> NOT has(due, d), changed)) AS day, 'due', '', 0, '', 1, 0, 0, []
  UNION ALL
  SELECT day, flag, detector, detector_version, max(tier), 0, 0, 0, [] FROM mintfold.detector_days_log WHERE has(due, day) GROUP BY day, flag, detector, detector_version
  UNION ALL
  SELECT toDate(at, 'UTC') AS day, flag, detector, detector_version, 'active', uniqExact(mint), 0, 0, []
  FROM mintfold.flags_log FINAL
  WHERE at >= since AND at < until AND toMonday(at) IN (SELECT toMonday(arrayJoin(due))) AND has(due, toDate(at, 'UTC'))
  GROUP BY day, flag, detector, detector_version
  UNION ALL
  SELECT toDate(at, 'UTC') AS day, flag, detector, detector_version, 'shadow', uniqExact(mint), 0, 0, []
  FROM mintfold.shadow_flags_log FINAL
  WHERE at >= since AND at < until AND toMonday(at) IN (SELECT toMonday(arrayJoin(due))) AND has(due, toDate(at, 'UTC'))
  GROUP BY day, flag, detector, detector_version
  UNION ALL
  SELECT toDate(at, 'UTC') AS day, '', '', 0, '', 0, 0, countIf(rugged), []
  FROM mintfold.outcomes_log FINAL
  WHERE at >= since AND at < until AND toMonday(at) IN (SELECT toMonday(arrayJoin(due))) AND has(due, toDate(at, 'UTC'))
  GROUP BY day
  UNION ALL
  SELECT toDate(settled.settled_at, 'UTC') AS day, flag, detector, detector_version, '', 0, countIf(settled.is_rugged IS NOT NULL), countIf(settled.is_rugged),
    groupArrayIf(settled.rug_s - toInt64(toUnixTimestamp(flagged_at)), ifNull(settled.is_rugged, false))
  FROM (
    SELECT mint, flag, detector, detector_version, min(at) AS flagged_at
    FROM (
      SELECT mint, flag, detector, detector_version, at FROM mintfold.flags_log FINAL
      UNION ALL
      SELECT mint, flag, detector, detector_version, at FROM mintfold.shadow_flags_log FINAL
    )
    WHERE at >= flagged_from AND at < until AND mint IN (
      SELECT mint FROM mintfold.outcomes_log
      WHERE at >= since AND at < until AND toMonday(at) IN (SELECT toMonday(arrayJoin(due))) AND has(due, toDate(at, 'UTC'))
    )
    GROUP BY mint, flag, detector, detector_version
  ) AS flags
  JOIN (
    SELECT mint, at AS settled_at, rugged AS is_rugged, toInt64(toUnixTimestamp(t0)) + ifNull(rug_dt_s, 0) AS rug_s
    FROM mintfold.outcomes_log FINAL
    WHERE at >= since AND at < until AND toMonday(at) IN (SELECT toMonday(arrayJoin(due))) AND has(due, toDate(at, 'UTC'))
  ) AS settled ON settled.mint = flags.mint
  WHERE flagged_at <= settled.settled_at
  GROUP BY day, flag, detector, detector_version
)
GROUP BY day, flag, detector, detector_version
SETTINGS do_not_merge_across_partitions_select_final = 1;

-- In older versions this was a materialized view, which CREATE VIEW does not replace.
DROP VIEW IF EXISTS mintfold.detector_scorecard;

CREATE VIEW IF NOT EXISTS mintfold.detector_scorecard (
  flag LowCardinality(String) COMMENT 'Name of the flag (the mechanism), as in /v1/labels.',
  detector LowCardinality(String) COMMENT 'Id of the detector.',
  detector_version UInt32 COMMENT 'Version of the detector.',
  tier LowCardinality(String) COMMENT 'active, or shadow: found and graded, but not shown on cards.',
  flagged UInt64 COMMENT 'Mints flagged.',
  resolved UInt64 COMMENT 'Flagged launches whose outcome is not earlier than the flag and states whether they rugged; an earlier outcome does not judge the flag.',
  rugged UInt64 COMMENT 'Resolved launches that rugged.',
  precision Nullable(Float64) COMMENT 'rugged / resolved; null if resolved is 0, with the reason. A flag reports a mechanism and does not claim that the launch rugs.',
  rugged_total UInt64 COMMENT 'All mints whose outcome is rugged, flagged or not.',
  recall Nullable(Float64) COMMENT 'rugged / rugged_total; null if rugged_total or resolved is 0.',
  median_lead_s Nullable(Float64) COMMENT 'Half of the flagged rugs were flagged at least this many seconds before the rug; negative: after it; null if rugged is 0.',
  as_of DateTime64(3, 'UTC') COMMENT 'Stream time up to which the history is complete, UTC.',
  reason Nullable(String) COMMENT 'Why precision, recall or the lead is null; null if none of them is.'
) AS WITH
  (SELECT sumIf(rugged, detector = '') FROM mintfold.detector_days_log FINAL) AS all_rugged,
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS up_to
SELECT
  flag,
  detector,
  detector_version,
  max(days.tier) AS tier,
  sum(days.flagged) AS flagged,
  sum(days.resolved) AS resolved,
  sum(days.rugged) AS rugged,
  if(resolved = 0, NULL, rugged / resolved) AS precision,
  all_rugged AS rugged_total,
  if(resolved = 0 OR rugged_total = 0, NULL, rugged / rugged_total) AS recall,
  if(rugged = 0, NULL, arrayReduce('quantileExact(0.5)', groupArrayArray(days.leads_s))) AS median_lead_s,
  up_to AS as_of,
  multiIf(
    resolved = 0, 'no flagged launch has an outcome that is not earlier than its flag and states whether it rugged: an earlier outcome does not judge a flag',
    rugged_total = 0, 'no launch has rugged: there is neither recall nor a lead',
    rugged = 0, 'no flagged launch rugged: there is no lead',
    NULL) AS reason
FROM mintfold.detector_days_log AS days FINAL
WHERE detector != ''
GROUP BY flag, detector, detector_version
HAVING flagged > 0 OR resolved > 0
COMMENT 'Flags against the outcomes that are not earlier than them, by detector; days with new rows are recomputed every five minutes.';
