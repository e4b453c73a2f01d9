-- Grades of the logged odds, their calls, and their Merkle roots. A value counts for the UTC day of its launch.

DROP VIEW IF EXISTS mintfold.odds_days_refresh;

-- stale: launch days with new odds or outcomes since the day was computed (an insert is visible at most 2 minutes after it started), and
-- days with odds never computed. due: one stale day, because one day (330,000 values) fits the memory of a query: the newest never
-- computed, else the one computed longest ago. The row of 1970-01-01 has the time up to which the days are computed; it is written while
-- no other day waits for its first computation. until + INTERVAL 1 HOUR: a value is logged at most 900 s after its launch, or some minutes
-- later if ticks are late.
-- regimes: launches by UTC hour; values of an hour without a launch in the history count as under_1000.
CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.odds_days_refresh
REFRESH EVERY 5 MINUTE APPEND TO mintfold.odds_days_log
AS WITH
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS up_to,
  toDateTime64(greatest(toDate(up_to, 'UTC'), toDate(30)) - 30, 3, 'UTC') AS first,
  (
    SELECT groupArray((day, done)) FROM (
      SELECT day, max(came) AS newest, max(computed) AS done, max(has_odds) AS is_judged FROM (
        SELECT toDate(t0, 'UTC') AS day, toDateTime64(max(received_at), 3, 'UTC') AS came, toDateTime64(0, 3, 'UTC') AS computed, 1 AS has_odds
        FROM mintfold.odds_log WHERE at >= first AND t0 >= first AND t0 <= up_to GROUP BY day
        UNION ALL
        SELECT toDate(t0, 'UTC') AS day, toDateTime64(max(received_at), 3, 'UTC') AS came, toDateTime64(0, 3, 'UTC') AS computed, 0 AS has_odds
        FROM mintfold.outcomes_log WHERE at >= first AND t0 >= first AND t0 <= up_to GROUP BY day
        UNION ALL
        SELECT day, toDateTime64(0, 3, 'UTC') AS came, max(refreshed_at) AS computed, 0 AS has_odds
        FROM mintfold.odds_days_log WHERE day >= toDate(first, 'UTC') AND head = '' GROUP BY day
      )
      GROUP BY day HAVING is_judged = 1 AND newest >= done - INTERVAL 2 MINUTE
    ) WHERE up_to > toDateTime64(0, 3, 'UTC')
  ) AS stale,
  arraySlice(arrayMap(s -> s.1, arraySort(s -> (s.2, -toInt32(s.1)), stale)), 1, 1) AS due,
  toDateTime64(arrayMin(due), 3, 'UTC') AS since,
  toDateTime64(arrayMax(due) + 1, 3, 'UTC') AS until
SELECT
  day,
  head,
  model,
  regime,
  thousandth,
  sum(values) AS n,
  sum(n_hits) AS hits,
  sum(sum_ppm) AS ppm,
  sum(sum_squared) AS ppm_squared,
  sum(sum_hit_ppm) AS hit_ppm,
  up_to AS as_of,
  now64(3, 'UTC') AS refreshed_at
FROM (
  SELECT arrayJoin(if(up_to > toDateTime64(0, 3, 'UTC') AND NOT arrayExists(s -> s.2 = toDateTime64(0, 3, 'UTC') AND NOT has(due, s.1), stale), arrayConcat(due, [toDate(0)]), due)) AS day, '' AS head, '' AS model, '' AS regime, toUInt16(0) AS thousandth, toUInt64(0) AS values, toUInt64(0) AS n_hits, toUInt64(0) AS sum_ppm, toUInt64(0) AS sum_squared, toUInt64(0) AS sum_hit_ppm
  UNION ALL
  SELECT day, head, model, regime, thousandth, 0, 0, 0, 0, 0
  FROM mintfold.odds_days_log WHERE has(due, day) AND head != '' GROUP BY day, head, model, regime, thousandth
  UNION ALL
  SELECT day, head, model, regime, thousandth, count(), countIf(is_hit), sum(ppm), sum(toUInt64(ppm) * ppm), sumIf(ppm, is_hit)
  FROM (
    SELECT
      toDate(logged.t0, 'UTC') AS day,
      logged.head AS head,
      logged.model AS model,
      multiIf(busy.launches < 1000, 'under_1000', busy.launches <= 2000, '1000_to_2000', 'over_2000') AS regime,
      toUInt16(intDiv(logged.ppm, 1000)) AS thousandth,
      toUInt64(logged.ppm) AS ppm,
      multiIf(logged.head = 'true_graduation', settled.graduated, settled.rugged IS NULL, NULL, settled.rugged AND ifNull(settled.rug_dt_s <= 300, false)) AS is_hit
    FROM (
      SELECT mint, t0, toString(head) AS head, toString(model) AS model, ppm FROM mintfold.odds_log FINAL
      WHERE at >= since AND at < until + INTERVAL 1 HOUR AND t0 >= since AND t0 < until AND has(due, toDate(t0, 'UTC')) AND NOT is_shadow
    ) AS logged
    LEFT ANY JOIN (
      SELECT mint, graduated, rugged, rug_dt_s FROM mintfold.outcomes_log FINAL
      WHERE at >= since AND t0 >= since AND t0 < until AND at <= up_to AND has(due, toDate(t0, 'UTC'))
    ) AS settled ON settled.mint = logged.mint
    LEFT ANY JOIN (
      SELECT toStartOfHour(tick_at, 'UTC') AS hour, count() AS launches FROM mintfold.launches_log FINAL
      WHERE tick_at >= since AND tick_at < until AND has(due, toDate(tick_at, 'UTC')) GROUP BY hour
    ) AS busy ON busy.hour = toStartOfHour(logged.t0, 'UTC')
    WHERE is_hit IS NOT NULL
  )
  GROUP BY day, head, model, regime, thousandth
)
GROUP BY day, head, model, regime, thousandth
SETTINGS do_not_merge_across_partitions_select_final = 1, max_threads = 1, max_block_size = 8192;

DROP VIEW IF EXISTS mintfold.odds_calls_refresh;

-- stale and due: as in odds_days_refresh, by the times at which this view computed the days. A call is made at the first value of a launch
-- at or above its limit. An event before the call is not a hit.
CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.odds_calls_refresh
REFRESH EVERY 5 MINUTE APPEND TO mintfold.odds_calls_log
AS WITH
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS up_to,
  toDateTime64(greatest(toDate(up_to, 'UTC'), toDate(30)) - 30, 3, 'UTC') AS first,
  (
    SELECT groupArray((day, done)) FROM (
      SELECT day, max(came) AS newest, max(computed) AS done, max(has_odds) AS is_judged FROM (
        SELECT toDate(t0, 'UTC') AS day, toDateTime64(max(received_at), 3, 'UTC') AS came, toDateTime64(0, 3, 'UTC') AS computed, 1 AS has_odds
        FROM mintfold.odds_log WHERE at >= first AND t0 >= first AND t0 <= up_to GROUP BY day
        UNION ALL
        SELECT toDate(t0, 'UTC') AS day, toDateTime64(max(received_at), 3, 'UTC') AS came, toDateTime64(0, 3, 'UTC') AS computed, 0 AS has_odds
        FROM mintfold.outcomes_log WHERE at >= first AND t0 >= first AND t0 <= up_to GROUP BY day
        UNION ALL
        SELECT day, toDateTime64(0, 3, 'UTC') AS came, max(refreshed_at) AS computed, 0 AS has_odds
        FROM mintfold.odds_calls_log WHERE day >= toDate(first, 'UTC') GROUP BY day
      )
      GROUP BY day HAVING is_judged = 1 AND newest >= done - INTERVAL 2 MINUTE
    ) WHERE up_to > toDateTime64(0, 3, 'UTC')
  ) AS stale,
  arraySlice(arrayMap(s -> s.1, arraySort(s -> (s.2, -toInt32(s.1)), stale)), 1, 1) AS due,
  toDateTime64(arrayMin(due), 3, 'UTC') AS since,
  toDateTime64(arrayMax(due) + 1, 3, 'UTC') AS until
SELECT
  day,
  call,
  countIf(is_judged AND came_true IS NOT NULL) AS launches,
  countIf(is_judged AND came_true IS NULL) AS unresolved,
  countIf(is_judged AND ifNull(came_true, false)) AS positives,
  countIf(is_judged AND is_called AND came_true IS NOT NULL) AS calls,
  countIf(is_called AND ifNull(came_true, false) AND lead >= 0) AS hits,
  if(hits = 0, NULL, toNullable(quantileExactHighIf(0.5)(lead, is_called AND ifNull(came_true, false) AND lead >= 0))) AS lead_s,
  up_to AS as_of,
  now64(3, 'UTC') AS refreshed_at
FROM (
  SELECT toDate(arrayJoin(due)) AS day, arrayJoin(['rug_80', 'rug_50', 'graduation_50']) AS call, false AS is_judged, false AS is_called, NULL::Nullable(Bool) AS came_true, toInt64(0) AS lead
  UNION ALL
  SELECT
    called.day AS day,
    called.call AS call,
    true AS is_judged,
    called.is_called AS is_called,
    multiIf(settled.found = 0, NULL, called.head = 'true_graduation', settled.graduated, settled.rugged IS NULL, NULL, settled.rugged AND ifNull(settled.rug_dt_s <= 300, false)) AS came_true,
    if(called.head = 'true_graduation', toInt64(settled.settled_s), toInt64(called.t0_s) + ifNull(settled.rug_dt_s, 0)) - called.called_s AS lead
  FROM (
    SELECT mint, toDate(t0_s, 'UTC') AS day, t0_s, rule.1 AS call, rule.2 AS head, rule.3 > 0 AS is_called, rule.4 AS called_s
    FROM (
      SELECT
        mint,
        toInt64(toUnixTimestamp(min(t0))) AS t0_s,
        countIf(head = 'rug_within_300s') AS n_rug,
        countIf(head = 'true_graduation') AS n_graduation,
        [
          ('rug_80', 'rug_within_300s', countIf(head = 'rug_within_300s' AND ppm >= 800000), toInt64(toUnixTimestamp(minIf(at, head = 'rug_within_300s' AND ppm >= 800000)))),
          ('rug_50', 'rug_within_300s', countIf(head = 'rug_within_300s' AND ppm >= 500000), toInt64(toUnixTimestamp(minIf(at, head = 'rug_within_300s' AND ppm >= 500000)))),
          ('graduation_50', 'true_graduation', countIf(head = 'true_graduation' AND ppm >= 500000), toInt64(toUnixTimestamp(minIf(at, head = 'true_graduation' AND ppm >= 500000))))
        ] AS rules
      FROM mintfold.odds_log FINAL
      WHERE at >= since AND at < until + INTERVAL 1 HOUR AND t0 >= since AND t0 < until AND has(due, toDate(t0, 'UTC')) AND NOT is_shadow
      GROUP BY mint
    ) AS judged
    ARRAY JOIN rules AS rule
    WHERE if(rule.2 = 'true_graduation', n_graduation, n_rug) > 0
  ) AS called
  LEFT ANY JOIN (
    SELECT mint, 1 AS found, graduated, rugged, rug_dt_s, toUnixTimestamp(at) AS settled_s FROM mintfold.outcomes_log FINAL
    WHERE at >= since AND t0 >= since AND t0 < until AND at <= up_to AND has(due, toDate(t0, 'UTC'))
  ) AS settled ON settled.mint = called.mint
)
GROUP BY day, call
SETTINGS do_not_merge_across_partitions_select_final = 1, max_threads = 1, max_block_size = 8192;

-- brier is exact: sums of millionths and of their squares are integers. pr_auc ranks by thousandths.
CREATE OR REPLACE VIEW mintfold.odds_calibration (
  head LowCardinality(String) COMMENT 'rug_within_300s or true_graduation (odds).',
  part String COMMENT 'What the values have in common: all; day: UTC day of launch; regime: launches in the UTC hour of the launch (under_1000, 1000_to_2000, over_2000); model.',
  value String COMMENT 'Which day, regime or model; empty for all.',
  n UInt64 COMMENT 'Values of models in force whose outcomes are known; a launch has one per head and age.',
  hits UInt64 COMMENT 'Values whose outcome came true.',
  mean_p Float64 COMMENT 'Mean of the logged probabilities.',
  base_rate Float64 COMMENT 'hits / n.',
  brier Float64 COMMENT 'Mean squared difference of probability and outcome: 0 is best.',
  brier_skill Nullable(Float64) COMMENT '1 - brier / Brier score of always predicting base_rate; null if all outcomes are the same.',
  ece Float64 COMMENT 'Expected calibration error over ten bins of equal width.',
  pr_auc Nullable(Float64) COMMENT 'Average precision, values ranked in thousandths; null without a hit.',
  bins Array(Tuple(tenth UInt8, n UInt64, hits UInt64, mean_p Float64, observed Float64, low Float64, high Float64)) COMMENT 'Reliability by bin: probabilities from tenth / 10 to below (tenth + 1) / 10, the last bin including 1; observed is hits / n, low and high are its 95 % interval (Wilson).',
  window_days UInt8 COMMENT 'Launches of the UTC day of as_of and of this many days before it.',
  as_of DateTime64(3, 'UTC') COMMENT 'Stream time up to which outcomes are counted, UTC.'
) AS WITH
  (SELECT argMax(as_of, refreshed_at) FROM mintfold.odds_days_log WHERE day = toDate(0)) AS up_to,
  greatest(toDate(up_to, 'UTC'), toDate(30)) AS last_day,
  3.841458820694124 AS zz
SELECT
  head,
  part,
  value,
  n,
  hits,
  sum_ppm / 1000000 / n AS mean_p,
  hits / n AS base_rate,
  toFloat64(sum_squared - 2000000 * sum_hit_ppm + 1000000000000 * toInt256(hits)) / 1000000000000 / n AS brier,
  if(hits = 0 OR hits = n, NULL, 1 - brier / (hits * (n - hits) / (toFloat64(n) * n))) AS brier_skill,
  arraySum((bin_ppm, bin_hits) -> abs(toInt64(bin_ppm) - 1000000 * toInt64(bin_hits)), tenth_ppm, tenth_hits) / 1000000 / n AS ece,
  if(hits = 0, NULL, arraySum((hits_here, hits_so_far, n_so_far) -> hits_here * hits_so_far / n_so_far, ranked_hits, arrayCumSum(ranked_hits), arrayCumSum(ranked_n)) / hits) AS pr_auc,
  arrayMap((bin_tenth, bin_n, bin_hits, bin_ppm) -> (
    bin_tenth,
    bin_n,
    bin_hits,
    bin_ppm / 1000000 / bin_n,
    bin_hits / bin_n,
    greatest(0, (2 * bin_hits + zz - sqrt(zz * (zz + 4 * bin_hits * (bin_n - bin_hits) / bin_n))) / (2 * (bin_n + zz))),
    least(1, (2 * bin_hits + zz + sqrt(zz * (zz + 4 * bin_hits * (bin_n - bin_hits) / bin_n))) / (2 * (bin_n + zz)))
  ), tenths, tenth_n, tenth_hits, tenth_ppm) AS bins,
  toUInt8(30) AS window_days,
  up_to AS as_of
FROM (
  SELECT
    head,
    cut.1 AS part,
    cut.2 AS value,
    sum(group_n) AS n,
    sum(group_hits) AS hits,
    sum(toInt256(group_ppm)) AS sum_ppm,
    sum(toInt256(group_squared)) AS sum_squared,
    sum(toInt256(group_hit_ppm)) AS sum_hit_ppm,
    arraySort(r -> -toInt32(r.1), groupArray((thousandth, group_n, group_hits))) AS ranked,
    arrayMap(r -> r.2, ranked) AS ranked_n,
    arrayMap(r -> r.3, ranked) AS ranked_hits,
    sumMap(map(toUInt8(least(9, intDiv(thousandth, 100))), group_n)) AS n_by_tenth,
    sumMap(map(toUInt8(least(9, intDiv(thousandth, 100))), group_hits)) AS hits_by_tenth,
    sumMap(map(toUInt8(least(9, intDiv(thousandth, 100))), group_ppm)) AS ppm_by_tenth,
    arraySort(mapKeys(n_by_tenth)) AS tenths,
    arrayMap(tenth -> n_by_tenth[tenth], tenths) AS tenth_n,
    arrayMap(tenth -> hits_by_tenth[tenth], tenths) AS tenth_hits,
    arrayMap(tenth -> ppm_by_tenth[tenth], tenths) AS tenth_ppm
  FROM (
    SELECT head, cut, thousandth, sum(days.n) AS group_n, sum(days.hits) AS group_hits, sum(days.ppm) AS group_ppm, sum(toInt256(days.ppm_squared)) AS group_squared, sum(days.hit_ppm) AS group_hit_ppm
    FROM mintfold.odds_days_log AS days FINAL
    ARRAY JOIN [('all', ''), ('day', toString(day)), ('regime', toString(regime)), ('model', toString(model))] AS cut
    WHERE day >= last_day - 30 AND day <= last_day AND head != ''
    GROUP BY head, cut, thousandth
    HAVING group_n > 0
  )
  GROUP BY head, cut
) AS graded
COMMENT 'Grades of the logged odds of models in force: overall, by day of launch, regime and model; days with new rows are recomputed every five minutes.';

CREATE OR REPLACE VIEW mintfold.odds_track_record (
  day Date COMMENT 'UTC day of launch.',
  call LowCardinality(String) COMMENT 'The call, made at the first value of a launch at or above the limit: rug_80 (avoid): rug_within_300s of at least 0.8; rug_50 (caution): of at least 0.5; graduation_50: true_graduation of at least 0.5.',
  launches UInt64 COMMENT 'Launches with odds of models in force whose outcomes are known.',
  unresolved UInt64 COMMENT 'Launches with odds whose outcomes are not known yet, or never will be: they are counted in no other column.',
  positives UInt64 COMMENT 'Launches for which the prediction came true, called or not.',
  base_rate Nullable(Float64) COMMENT 'positives / launches; null without launches.',
  calls UInt64 COMMENT 'Called launches.',
  hits UInt64 COMMENT 'Calls that came true after the call.',
  precision Nullable(Float64) COMMENT 'hits / calls; null without calls.',
  recall Nullable(Float64) COMMENT 'hits / positives; null without positives.',
  lead_p50_s Nullable(Int64) COMMENT 'Half of the hits were called at least this many seconds before the event; null without hits.',
  as_of DateTime64(3, 'UTC') COMMENT 'Stream time up to which outcomes are counted, UTC.'
) AS SELECT
  day,
  call,
  launches,
  unresolved,
  positives,
  if(launches = 0, NULL, positives / launches) AS base_rate,
  calls,
  hits,
  if(calls = 0, NULL, hits / calls) AS precision,
  if(positives = 0, NULL, hits / positives) AS recall,
  lead_s AS lead_p50_s,
  as_of
FROM mintfold.odds_calls_log FINAL
WHERE launches + unresolved > 0
COMMENT 'Calls of the logged odds, graded by day of launch; kept permanently.';

CREATE OR REPLACE VIEW mintfold.odds_roots (
  hour DateTime('UTC') COMMENT 'Start of the hour, stream time, UTC.',
  n UInt64 COMMENT 'Values under the root: those logged in the hour, including models on trial, that no fork had retracted when the root was made.',
  root String COMMENT 'Merkle root over the values, SHA-256 in hex: the first root made is never replaced.',
  up_to DateTime64(3, 'UTC') COMMENT 'Stream time up to which the history was complete when the root was made, UTC.',
  is_changed Bool COMMENT 'The current values of the hour give another root: some came late, or a fork retracted some.'
) AS SELECT
  hour,
  argMin(made.n, (made.made_at, made.root)) AS n,
  toString(argMin(made.root, (made.made_at, made.root))) AS root,
  argMin(made.up_to, (made.made_at, made.root)) AS up_to,
  uniqExact(made.root) > 1 AS is_changed
FROM mintfold.odds_roots_log AS made
GROUP BY hour
COMMENT 'The hourly Merkle roots over every logged probability; /v1/odds/proof returns the proof of one.';
