-- Figures that equal their tables whatever came late: a minute is computed again when rows of any of its tables came since, however old it is.

-- 0: computed by a rule that missed late corrections; those minutes are computed once more, the newest first.
ALTER TABLE mintfold.regime_minutes_log ADD COLUMN IF NOT EXISTS rule UInt8 DEFAULT 0 AFTER is_complete;

DROP VIEW IF EXISTS mintfold.regime_minutes_refresh;

-- due: minutes of which something came since the last time (an insert is there at most 2 minutes after it began), and those that were not
-- complete. Never a minute of which rows are gone with their age: what was computed of it stands.
-- The part that comes first asks no table of events: ClickHouse looks at its table before it reads up_to, and at those of the others after.
CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.regime_minutes_refresh
REFRESH EVERY 1 MINUTE APPEND TO mintfold.regime_minutes_log
AS WITH
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS up_to,
  (SELECT max(refreshed_at) - INTERVAL 2 MINUTE FROM mintfold.regime_minutes_log) AS received_from,
  (SELECT (minIf(`from`, table = 'launches'), minIf(`from`, table = 'trades')) FROM mintfold.coverage) AS edges,
  if(edges.2 > edges.1, edges.2, toDateTime64(toStartOfMinute(edges.1, 'UTC'), 3, 'UTC')) AS known_from,
  (
    SELECT groupUniqArray(minute) FROM (
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
    ) WHERE minute >= known_from
  ) AS due,
  toDateTime64(arrayMin(due), 3, 'UTC') AS since,
  toDateTime64(arrayMax(due) + INTERVAL 1 MINUTE, 3, 'UTC') AS until
SELECT
  minute,
  sumIf(n, what = 'launch') AS launches,
  sumIf(n, what = 'mayhem') AS mayhem,
  sumIf(n, what = 'buy') AS buys,
  sumIf(n, what = 'sell') AS sells,
  toInt64(sumIf(lamports, what = 'buy')) AS buy_lamports,
  toInt64(sumIf(lamports, what = 'sell')) AS sell_lamports,
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
  SELECT minute, 'told before' AS what, '' AS flag, toUInt64(0) AS n, toInt64(0) AS lamports
  FROM mintfold.regime_minutes_log WHERE up_to > toDateTime64(0, 3, 'UTC') AND minute >= since AND minute < until GROUP BY minute
  UNION ALL
  SELECT minute, counted.1 AS what, '', counted.2, 0 FROM (
    SELECT toStartOfMinute(tick_at, 'UTC') AS minute, arrayJoin([('launch', count()), ('mayhem', countIf(is_mayhem))]) AS counted
    FROM mintfold.launches_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since AND tick_at < until GROUP BY minute
  )
  UNION ALL
  SELECT toStartOfMinute(tick_at, 'UTC') AS minute, if(is_buy, 'buy', 'sell') AS what, '', count(), sumIf(quote_units, quote_mint IS NULL)
  FROM mintfold.trades_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since AND tick_at < until AND toYYYYMMDD(tick_at) IN (SELECT toYYYYMMDD(arrayJoin(due))) AND NOT is_agent GROUP BY minute, what
  UNION ALL
  SELECT toStartOfMinute(tick_at, 'UTC') AS minute, if(is_buy, 'buy', 'sell') AS what, '', count(), sumIf(quote_units, quote_mint IS NULL)
  FROM mintfold.pool_trades_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since AND tick_at < until AND toYYYYMMDD(tick_at) IN (SELECT toYYYYMMDD(arrayJoin(due))) AND NOT is_agent GROUP BY minute, what
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
  FROM mintfold.outcomes_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND at >= since AND at < until AND graduated GROUP BY minute
  UNION ALL
  SELECT toStartOfMinute(at, 'UTC') AS minute, 'flag', flag, count(), 0
  FROM mintfold.flags_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND at >= since AND at < until GROUP BY minute, flag
)
WHERE minute IN (SELECT arrayJoin(due))
GROUP BY minute
SETTINGS do_not_merge_across_partitions_select_final = 1;

DROP VIEW IF EXISTS mintfold.base_rates;

CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.base_rates
REFRESH EVERY 1 MINUTE (
  window_days UInt8 COMMENT 'Launches of so many days before as_of, by launch time.',
  launches UInt64 COMMENT 'Those of them that are resolved with both labels known: the denominator of the rates.',
  grad_rate Nullable(Float64) COMMENT 'Share that graduated; null without launches, as the other rates.',
  rug_rate Nullable(Float64) COMMENT 'Share that was drained or dumped by its creator.',
  dev_sold_rate Nullable(Float64) COMMENT 'Share whose creator sold before the launch was resolved.',
  reached_5_sol_rate Nullable(Float64) COMMENT 'Share whose curve held 5 SOL or more at some moment.',
  as_of DateTime64(3, 'UTC') COMMENT 'Stream time up to which the history is complete, UTC.'
)
ENGINE = MergeTree ORDER BY window_days
AS SELECT
  toUInt8(7) AS window_days,
  count() AS launches,
  if(count() = 0, NULL, countIf(graduated) / count()) AS grad_rate,
  if(count() = 0, NULL, countIf(rugged) / count()) AS rug_rate,
  if(count() = 0, NULL, countIf(dev_first_sell_dt_s IS NOT NULL) / count()) AS dev_sold_rate,
  if(count() = 0, NULL, countIf(peak_quote_units >= 5000000000) / count()) AS reached_5_sol_rate,
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS as_of
FROM mintfold.outcomes_log FINAL
WHERE graduated IS NOT NULL AND rugged IS NOT NULL
  AND at <= (SELECT max(up_to) FROM mintfold.progress WHERE is_filling)
  AND t0 > (SELECT subtractDays(max(up_to), 7) FROM mintfold.progress WHERE is_filling)
HAVING as_of > toDateTime64(0, 3, 'UTC')
COMMENT 'What became of the launches of the last days; computed every minute, without a row before the history is complete up to some moment.';

DROP VIEW IF EXISTS mintfold.detector_scorecard;

CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.detector_scorecard
REFRESH EVERY 1 MINUTE (
  flag LowCardinality(String) COMMENT 'The mechanism.',
  detector LowCardinality(String) COMMENT 'Who found it.',
  detector_version UInt32 COMMENT 'Version of the detector.',
  flagged UInt64 COMMENT 'Mints flagged.',
  resolved UInt64 COMMENT 'Those of them whose outcome says whether they were rugged.',
  rugged UInt64 COMMENT 'Those of the resolved that were rugged.',
  precision Nullable(Float64) COMMENT 'rugged / resolved; null without resolved. A flag and a rug are not the same measurement.',
  rugged_total UInt64 COMMENT 'All mints whose outcome is rugged, flagged or not.',
  recall Nullable(Float64) COMMENT 'rugged / rugged_total; null without any.',
  median_lead_s Nullable(Float64) COMMENT 'Half of the flagged rugs were flagged at least so many seconds before the rug; negative: after it.',
  as_of DateTime64(3, 'UTC') COMMENT 'Stream time up to which the history is complete, UTC.'
)
ENGINE = MergeTree ORDER BY (flag, detector, detector_version)
AS SELECT
  flag,
  detector,
  detector_version,
  count() AS flagged,
  countIf(outcomes.rugged IS NOT NULL) AS resolved,
  countIf(outcomes.rugged) AS rugged,
  if(resolved = 0, NULL, rugged / resolved) AS precision,
  (SELECT count() FROM mintfold.outcomes_log FINAL WHERE rugged) AS rugged_total,
  if(rugged_total = 0, NULL, rugged / rugged_total) AS recall,
  if(rugged = 0, NULL, quantileExactIf(0.5)(rug_s - flagged_s, ifNull(outcomes.rugged, false))) AS median_lead_s,
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS as_of
FROM (
  SELECT flag, detector, detector_version, mint, toUnixTimestamp(min(at)) AS flagged_s
  FROM mintfold.flags_log FINAL GROUP BY flag, detector, detector_version, mint
) AS flags
LEFT JOIN (
  SELECT mint, rugged, toUnixTimestamp(t0) + ifNull(rug_dt_s, 0) AS rug_s FROM mintfold.outcomes_log FINAL
) AS outcomes USING (mint)
GROUP BY flag, detector, detector_version
COMMENT 'Flags against outcomes, by detector; computed every minute.';

-- due: of the window, the oldest spans of which something is missing (it came after they were summed up, or they were not whole then), then those
-- of which something came just before that, which may not have been there yet. as_of: every trade at or before it is summed up after this; a
-- span left for the next time begins a millisecond later. A launch counts for its span and for the next: buys within 2 slots of it may lie there.
DROP VIEW IF EXISTS mintfold.wallet_spans_refresh;

CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.wallet_spans_refresh
REFRESH EVERY 1 MINUTE APPEND TO mintfold.wallet_spans_log
AS WITH
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS up_to,
  (SELECT max(refreshed_at) FROM mintfold.wallet_spans_log) AS refreshed,
  (
    SELECT (groupArrayIf(span, before < 50000), minIf(span, before >= 50000 AND is_missing), countIf(before >= 50000 AND is_missing))
    FROM (
      SELECT span, is_missing, sum(n) OVER (ORDER BY is_missing DESC, span) - n AS before
      FROM (
        SELECT
          came.span AS span,
          came.n AS n,
          toDateTime64(came.received, 3, 'UTC') > told.refreshed
            OR told.told < least(up_to, toDateTime64(came.span + INTERVAL 10 MINUTE, 3, 'UTC') - INTERVAL 1 MILLISECOND) AS is_missing,
          came.received >= told.refreshed - INTERVAL 1 MINUTE AS is_fresh
        FROM (
          SELECT span, sum(n) AS n, max(received) AS received
          FROM (
            SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n, max(received_at) AS received
            FROM mintfold.trades_log WHERE tick_at > up_to - INTERVAL 3 DAY AND tick_at <= up_to GROUP BY span
            UNION ALL
            SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n, max(received_at) AS received
            FROM mintfold.pool_trades_log WHERE tick_at > up_to - INTERVAL 3 DAY AND tick_at <= up_to GROUP BY span
            UNION ALL
            SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n, max(received_at) AS received
            FROM mintfold.post_complete_buys_log WHERE tick_at > up_to - INTERVAL 3 DAY AND tick_at <= up_to GROUP BY span
            UNION ALL
            SELECT toStartOfInterval(at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n, max(received_at) AS received
            FROM mintfold.wallet_roles_log WHERE at > up_to - INTERVAL 3 DAY AND at <= up_to GROUP BY span
            UNION ALL
            SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n, max(received_at) AS received
            FROM mintfold.launches_log WHERE tick_at > up_to - INTERVAL 3 DAY AND tick_at <= up_to GROUP BY span
            UNION ALL
            SELECT toStartOfInterval(tick_at + INTERVAL 1 MINUTE, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n, max(received_at) AS received
            FROM mintfold.launches_log WHERE tick_at > up_to - INTERVAL 3 DAY AND tick_at <= up_to - INTERVAL 1 MINUTE GROUP BY span
          )
          GROUP BY span
        ) AS came
        LEFT JOIN (SELECT span, max(refreshed_at) AS refreshed, max(as_of) AS told FROM mintfold.wallet_spans_log GROUP BY span) AS told ON told.span = came.span
      )
      WHERE is_missing OR is_fresh
    )
  ) AS plan,
  plan.1 AS due,
  toDateTime64(arrayMin(due), 3, 'UTC') AS since,
  toDateTime64(arrayMax(due) + INTERVAL 10 MINUTE, 3, 'UTC') AS until
SELECT
  wallet,
  sums.mint AS mint,
  span,
  trades,
  bought_units,
  sold_units,
  paid_lamports,
  got_lamports,
  launch_slot > 0 AND bought_units > 0 AND first_buy_slot <= launch_slot + 2 AS is_sniped,
  has_role,
  first_place,
  last_place,
  if(plan.3 > 0, least(up_to, toDateTime64(plan.2, 3, 'UTC') - INTERVAL 1 MILLISECOND), up_to) AS as_of,
  greatest(now64(3, 'UTC'), refreshed + INTERVAL 1 MILLISECOND) AS refreshed_at,
  trades = 0 AND bought_units = 0 AND NOT has_role AS is_deleted
FROM (
  SELECT
    wallet,
    mint,
    span,
    countIf(kind = 'trade') AS trades,
    sumIf(toInt128(units), is_buy) AS bought_units,
    sumIf(toInt128(units), kind = 'trade' AND NOT is_buy) AS sold_units,
    sumIf(lamports, is_buy) AS paid_lamports,
    sumIf(lamports, kind = 'trade' AND NOT is_buy) AS got_lamports,
    minIf(place.1, is_buy) AS first_buy_slot,
    max(kind = 'role') AS has_role,
    minIf(place, kind IN ('trade', 'more')) AS first_place,
    maxIf(place, kind IN ('trade', 'more')) AS last_place
  FROM (
    SELECT user AS wallet, mint, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, 'trade' AS kind, is_buy AS is_buy, token_units AS units, quote_units + if(is_buy, 1, -1) * (ifNull(fee_units, 0) + ifNull(creator_fee_units, 0)) AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(tick_at, 'UTC'), hash8) AS place
    FROM mintfold.trades_log FINAL
    WHERE tick_at >= since AND tick_at < until AND tick_at <= up_to AND has(due, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC')) AND quote_mint IS NULL AND NOT is_agent
    UNION ALL
    SELECT user AS wallet, mint, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, 'trade' AS kind, is_buy AS is_buy, token_units AS units, user_quote_units AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(tick_at, 'UTC'), hash8) AS place
    FROM mintfold.pool_trades_log FINAL
    WHERE tick_at >= since AND tick_at < until AND tick_at <= up_to AND has(due, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC')) AND quote_mint IS NULL AND NOT is_agent
    UNION ALL
    SELECT user AS wallet, mint, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, 'more' AS kind, true AS is_buy, token_units AS units, quote_units AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(tick_at, 'UTC'), hash8) AS place
    FROM mintfold.post_complete_buys_log FINAL
    WHERE tick_at >= since AND tick_at < until AND tick_at <= up_to AND has(due, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC')) AND quote_mint IS NULL
    UNION ALL
    SELECT wallet, mint, toStartOfInterval(at, INTERVAL 10 MINUTE, 'UTC') AS span, 'role' AS kind, false AS is_buy, 0 AS units, 0 AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(at, 'UTC'), hash8) AS place
    FROM mintfold.wallet_roles_log FINAL
    WHERE at >= since AND at < until AND at <= up_to AND has(due, toStartOfInterval(at, INTERVAL 10 MINUTE, 'UTC'))
    UNION ALL
    SELECT wallet, mint, span, 'told before' AS kind, false AS is_buy, 0 AS units, 0 AS lamports, first_place AS place
    FROM mintfold.wallet_spans_log
    WHERE span >= since AND span < until AND has(due, span) AND is_deleted = 0
  )
  GROUP BY wallet, mint, span
) AS sums
LEFT JOIN (
  SELECT mint, min(slot) AS launch_slot FROM mintfold.launches_log FINAL
  WHERE tick_at >= since - INTERVAL 10 MINUTE AND tick_at < until GROUP BY mint
) AS launches ON launches.mint = sums.mint
SETTINGS max_threads = 1, max_block_size = 8192, max_read_buffer_size = 65536, do_not_merge_across_partitions_select_final = 1;
