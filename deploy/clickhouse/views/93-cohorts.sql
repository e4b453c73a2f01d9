-- Launches of the same shape. The bands are those of processors/mint/cohort/bands.ts; a test compares both.

CREATE OR REPLACE VIEW mintfold.launch_shapes (
  shape_id String COMMENT 'position@hash8:processor:mint:3; the 3 stands for a shape.',
  position String COMMENT 'Position on the chain at which it was recorded, some slots after the launch: solana:slot.~, the tick that ends a slot.',
  event_id String COMMENT 'position@hash8: the tick on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT '4294967295: the tick that ends the slot.',
  outer_ix UInt32 COMMENT '4294967295: the tick that ends the slot.',
  inner_ix UInt32 COMMENT '4294967295: the tick that ends the slot.',
  at DateTime64(3, 'UTC') COMMENT 'Time of that tick, UTC.',
  mint String COMMENT 'The coin, base58; its launch was observed.',
  t0 DateTime64(3, 'UTC') COMMENT 'Launch, UTC.',
  slot0 UInt64 COMMENT 'Slot of the launch.',
  is_mayhem Bool COMMENT 'Mayhem mode.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'The quote token of the coin; null for SOL.',
  dev_buy_quote_units Int256 COMMENT 'Quote that the dev set spent in the create slot, base units.',
  n_bundle_wallets UInt64 COMMENT 'Wallets outside the dev set that bought in the create slot.',
  prior_of String COMMENT 'The member of the dev set with the most launches before this one, base58; the next four columns are its record.',
  prior_n_launches UInt64 COMMENT 'Its launches in the 90 days before this launch.',
  prior_n_resolved UInt64 COMMENT 'Of these, launches that had settled with both labels (graduated, rugged) known before this launch.',
  prior_n_graduated UInt64 COMMENT 'Of the resolved launches.',
  prior_n_rugged UInt64 COMMENT 'Of the resolved launches.',
  prior_observed_since DateTime64(3, 'UTC') COMMENT 'Nothing earlier is known of that member, UTC.',
  dev_buy LowCardinality(Nullable(String)) COMMENT 'Band of dev_buy_quote_units: none, under_1_sol, 1_to_5_sol or over_5_sol; null where the quote is not SOL.',
  bundle LowCardinality(String) COMMENT 'Band of n_bundle_wallets: none, 1_to_4 or 5_or_more.',
  creator_kind LowCardinality(String) COMMENT 'first_time: no earlier launch; has_graduated: a resolved one graduated; serial_rugger: at least three resolved, none graduated, at least half of them rugged; mixed: any other creator.'
) AS SELECT
  id AS shape_id,
  if(tx_index = 4294967295, concat('solana:', toString(slot), '.~'), concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix))) AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tx_index,
  outer_ix,
  inner_ix,
  at,
  mint,
  t0,
  slot0,
  is_mayhem,
  quote_mint,
  if(mapContains(stored.exact_units, 'dev_buy_quote_units'), stored.exact_units['dev_buy_quote_units'], toInt256(stored.dev_buy_quote_units)) AS dev_buy_quote_units,
  n_bundle_wallets,
  prior_of,
  prior_n_launches,
  prior_n_resolved,
  prior_n_graduated,
  prior_n_rugged,
  prior_observed_since,
  toLowCardinality(multiIf(
    quote_mint IS NOT NULL, NULL,
    stored.dev_buy_quote_units <= 0, toNullable('none'),
    stored.dev_buy_quote_units < 1000000000, 'under_1_sol',
    stored.dev_buy_quote_units <= 5000000000, '1_to_5_sol',
    'over_5_sol'
  )) AS dev_buy,
  toLowCardinality(multiIf(n_bundle_wallets = 0, 'none', n_bundle_wallets < 5, '1_to_4', '5_or_more')) AS bundle,
  toLowCardinality(multiIf(
    prior_n_launches = 0, 'first_time',
    prior_n_graduated > 0, 'has_graduated',
    prior_n_resolved >= 3 AND prior_n_rugged * 2 >= prior_n_resolved, 'serial_rugger',
    'mixed'
  )) AS creator_kind
FROM mintfold.launch_shapes_log AS stored FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'The state of each launch at the end of its create slot, and the bands that make launches comparable.';

DROP VIEW IF EXISTS mintfold.cohort_days_refresh;

-- stale: launch days that were never computed, or that got an outcome or shape since they were computed (an insert is visible at most 2
-- minutes after it started). due: the newest stale day, and up to seven more: first days that were never computed, then those computed
-- longest ago. Other stale days wait for a later refresh: a month at once would exceed the memory of a query. The row of 1970-01-01 has
-- the time up to which launches are counted; a refresh writes it only if every stale day has then been computed at least once. If a launch settles days
-- later, its day is recomputed some minutes afterwards. A shape is written within seconds of its launch, so the query reads shapes from
-- one day before to one day after the due days; an outcome may come at any later time.
CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.cohort_days_refresh
REFRESH EVERY 5 MINUTE APPEND TO mintfold.cohort_days_log
AS WITH
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS up_to,
  toDateTime64(greatest(toDate(up_to, 'UTC'), toDate(30)) - 30, 3, 'UTC') AS first,
  (
    SELECT groupArray((day, done)) FROM (
      SELECT day, max(came) AS newest, max(computed) AS done FROM (
        SELECT toDate(t0, 'UTC') AS day, toDateTime64(max(received_at), 3, 'UTC') AS came, toDateTime64(0, 3, 'UTC') AS computed
        FROM mintfold.outcomes_log WHERE at >= first AND t0 >= first AND t0 <= up_to GROUP BY day
        UNION ALL
        SELECT toDate(t0, 'UTC') AS day, toDateTime64(max(received_at), 3, 'UTC') AS came, toDateTime64(0, 3, 'UTC') AS computed
        FROM mintfold.launch_shapes_log WHERE at >= first AND t0 >= first AND t0 <= up_to GROUP BY day
        UNION ALL
        SELECT day, toDateTime64(0, 3, 'UTC') AS came, max(refreshed_at) AS computed
        FROM mintfold.cohort_days_log WHERE day >= toDate(first, 'UTC') AND creator_kind = '' GROUP BY day
      )
      GROUP BY day HAVING newest > toDateTime64(0, 3, 'UTC') AND newest >= done - INTERVAL 2 MINUTE
    ) WHERE up_to > toDateTime64(0, 3, 'UTC')
  ) AS stale,
  arrayMap(s -> s.1, arraySort(s -> -toInt32(s.1), stale)) AS by_age,
  arrayMap(s -> s.1, arraySort(s -> (s.2, -toInt32(s.1)), stale)) AS by_turn,
  arrayDistinct(arrayConcat(arraySlice(by_age, 1, 1), arraySlice(by_turn, 1, 7))) AS due,
  toDateTime64(arrayMin(due), 3, 'UTC') AS since,
  toDateTime64(arrayMax(due) + 1, 3, 'UTC') AS until
SELECT
  day,
  is_mayhem,
  dev_buy,
  bundle,
  creator_kind,
  sum(launches) AS n,
  sum(n_rugged) AS rugged,
  sum(n_graduated) AS graduated,
  sumMap(rug_times) AS collapses,
  up_to AS as_of,
  now64(3, 'UTC') AS refreshed_at
FROM (
  SELECT arrayJoin(if(up_to > toDateTime64(0, 3, 'UTC') AND NOT arrayExists(s -> s.2 = toDateTime64(0, 3, 'UTC') AND NOT has(due, s.1), stale), arrayConcat(due, [toDate(0)]), due)) AS day, false AS is_mayhem, '' AS dev_buy, '' AS bundle, '' AS creator_kind, toUInt64(0) AS launches, toUInt64(0) AS n_rugged, toUInt64(0) AS n_graduated, CAST(map(), 'Map(Int64, UInt64)') AS rug_times
  UNION ALL
  SELECT day, is_mayhem, dev_buy, bundle, creator_kind, 0, 0, 0, CAST(map(), 'Map(Int64, UInt64)')
  FROM mintfold.cohort_days_log WHERE has(due, day) GROUP BY day, is_mayhem, dev_buy, bundle, creator_kind
  UNION ALL
  SELECT toDate(settled.t0, 'UTC') AS day, shapes.is_mayhem, shapes.dev_buy, shapes.bundle, shapes.creator_kind, count(), countIf(settled.rugged), countIf(settled.graduated),
    sumMapIf(map(ifNull(settled.rug_dt_s, 0), toUInt64(1)), ifNull(settled.rugged, false))
  FROM (
    SELECT mint, t0, graduated, rugged, rug_dt_s FROM mintfold.outcomes_log FINAL
    WHERE at >= since AND t0 >= since AND t0 < until AND t0 <= up_to AND has(due, toDate(t0, 'UTC')) AND graduated IS NOT NULL AND rugged IS NOT NULL
  ) AS settled
  ANY JOIN (
    SELECT mint, is_mayhem, toString(assumeNotNull(dev_buy)) AS dev_buy, toString(bundle) AS bundle, toString(creator_kind) AS creator_kind
    FROM mintfold.launch_shapes
    WHERE at >= since - INTERVAL 1 DAY AND at < until + INTERVAL 1 DAY AND toMonday(at) IN (SELECT toMonday(arrayJoin(due) + arrayJoin([-1, 0, 1]))) AND has(due, toDate(t0, 'UTC')) AND quote_mint IS NULL
  ) AS shapes ON shapes.mint = settled.mint
  GROUP BY day, shapes.is_mayhem, shapes.dev_buy, shapes.bundle, shapes.creator_kind
)
GROUP BY day, is_mayhem, dev_buy, bundle, creator_kind
SETTINGS do_not_merge_across_partitions_select_final = 1;

-- The 95 % interval of a share k of n: (2k + zz -+ z sqrt(zz + 4k(n - k) / n)) / 2(n + zz), with z the normal quantile of 97.5 %
-- (processors/grading/wilson.ts).
CREATE OR REPLACE VIEW mintfold.cohorts (
  parts UInt8 COMMENT 'By how many of the next four columns, counted from is_mayhem, the launches of this row are grouped: 1 to 4. The other ones of the four are null.',
  is_mayhem Bool COMMENT 'Mayhem mode.',
  dev_buy LowCardinality(Nullable(String)) COMMENT 'Band of what the dev set spent in the create slot (launch_shapes); null: any.',
  bundle LowCardinality(Nullable(String)) COMMENT 'Band of the number of wallets outside the dev set that bought in the create slot (launch_shapes); null: any.',
  creator_kind LowCardinality(Nullable(String)) COMMENT 'Kind of creator by its record as of the launch (launch_shapes); null: any.',
  n UInt64 COMMENT 'Resolved launches of the window on SOL curves, with both labels (graduated, rugged) and the shape known: the denominator of both rates.',
  rugged UInt64 COMMENT 'Of these, launches that were drained, or dumped by their dev set.',
  rug_rate Float64 COMMENT 'rugged / n.',
  rug_low Float64 COMMENT 'Lower end of its 95 % interval (Wilson).',
  rug_high Float64 COMMENT 'Upper end of its 95 % interval (Wilson).',
  graduated UInt64 COMMENT 'Of the n launches, those whose curve was observed at 84 SOL or above; they can be rugged as well.',
  grad_rate Float64 COMMENT 'graduated / n.',
  grad_low Float64 COMMENT 'Lower end of its 95 % interval (Wilson).',
  grad_high Float64 COMMENT 'Upper end of its 95 % interval (Wilson).',
  collapse_p50_s Nullable(Int64) COMMENT 'Half of the rugged launches had collapsed by this many seconds after their launch; null without any.',
  collapse_p90_s Nullable(Int64) COMMENT 'Nine in ten of the rugged launches had collapsed by this many seconds after their launch; null without any.',
  window_days UInt8 COMMENT 'Launches of the UTC day of as_of and of this many days before it, by launch time.',
  `from` DateTime64(3, 'UTC') COMMENT 'Start of the window, UTC; if launch_shapes begins later, its beginning.',
  as_of DateTime64(3, 'UTC') COMMENT 'Stream time up to which launches are counted, UTC: the end of the window.'
) AS WITH
  (SELECT argMax(as_of, refreshed_at) FROM mintfold.cohort_days_log WHERE day = toDate(0)) AS up_to,
  greatest(toDate(up_to, 'UTC'), toDate(30)) AS last_day,
  (SELECT minOrNull(`from`) FROM mintfold.coverage WHERE table = 'launch_shapes') AS known_from,
  3.841458820694124 AS zz
SELECT
  parts,
  is_mayhem,
  if(parts < 2, NULL, toNullable(shaped_buy)) AS dev_buy,
  if(parts < 3, NULL, toNullable(shaped_bundle)) AS bundle,
  if(parts < 4, NULL, toNullable(shaped_creator)) AS creator_kind,
  n,
  rugged,
  rugged / n AS rug_rate,
  greatest(0, (2 * rugged + zz - sqrt(zz * (zz + 4 * rugged * (n - rugged) / n))) / (2 * (n + zz))) AS rug_low,
  least(1, (2 * rugged + zz + sqrt(zz * (zz + 4 * rugged * (n - rugged) / n))) / (2 * (n + zz))) AS rug_high,
  graduated,
  graduated / n AS grad_rate,
  greatest(0, (2 * graduated + zz - sqrt(zz * (zz + 4 * graduated * (n - graduated) / n))) / (2 * (n + zz))) AS grad_low,
  least(1, (2 * graduated + zz + sqrt(zz * (zz + 4 * graduated * (n - graduated) / n))) / (2 * (n + zz))) AS grad_high,
  if(rugged = 0, NULL, toNullable(arrayFirst((second, until) -> until * 2 >= rugged, seconds, arrayCumSum(counts)))) AS collapse_p50_s,
  if(rugged = 0, NULL, toNullable(arrayFirst((second, until) -> until * 10 >= rugged * 9, seconds, arrayCumSum(counts)))) AS collapse_p90_s,
  toUInt8(30) AS window_days,
  greatest(toDateTime64(last_day - 30, 3, 'UTC'), ifNull(known_from, up_to)) AS `from`,
  up_to AS as_of
FROM (
  SELECT
    parts,
    is_mayhem,
    if(parts < 2, '', toString(dev_buy)) AS shaped_buy,
    if(parts < 3, '', toString(bundle)) AS shaped_bundle,
    if(parts < 4, '', toString(creator_kind)) AS shaped_creator,
    sum(days.n) AS n,
    sum(days.rugged) AS rugged,
    sum(days.graduated) AS graduated,
    sumMap(days.collapses) AS collapses,
    arraySort(mapKeys(collapses)) AS seconds,
    arraySort((count, second) -> second, mapValues(collapses), mapKeys(collapses)) AS counts
  FROM mintfold.cohort_days_log AS days FINAL
  ARRAY JOIN [1, 2, 3, 4] AS parts
  WHERE day >= last_day - 30 AND day <= last_day AND creator_kind != ''
  GROUP BY parts, is_mayhem, shaped_buy, shaped_bundle, shaped_creator
  HAVING n > 0
) AS counted
COMMENT 'Outcomes of launches with the same shape at the end of their create slot; days with new rows are recomputed every five minutes.';

CREATE OR REPLACE VIEW mintfold.launch_cohort (
  mint String COMMENT 'The requested coin, base58.',
  is_mayhem Nullable(Bool) COMMENT 'Its own shape, as in launch_shapes: mayhem mode.',
  dev_buy Nullable(String) COMMENT 'Its own shape: band of what the dev set spent in the create slot.',
  bundle Nullable(String) COMMENT 'Its own shape: band of the number of wallets outside the dev set that bought in the create slot.',
  creator_kind Nullable(String) COMMENT 'Its own shape: kind of creator.',
  shape_reason Nullable(String) COMMENT 'Why some of these four columns are null.',
  n_same_shape Nullable(UInt64) COMMENT 'Resolved launches of the window with the same four bands.',
  parts Nullable(UInt8) COMMENT 'How many of the four bands, from the first one on, the compared launches share with this coin: as many as leave at least 20 launches.',
  n Nullable(UInt64) COMMENT 'Number of compared launches; this column and the ones after it, up to as_of, are those of cohorts.',
  rugged Nullable(UInt64) COMMENT 'Of these, launches that were drained, or dumped by their dev set.',
  rug_rate Nullable(Float64) COMMENT 'rugged / n.',
  rug_low Nullable(Float64) COMMENT 'Lower end of its 95 % interval (Wilson).',
  rug_high Nullable(Float64) COMMENT 'Upper end of its 95 % interval (Wilson).',
  graduated Nullable(UInt64) COMMENT 'Of the n launches, those whose curve was observed at 84 SOL or above.',
  grad_rate Nullable(Float64) COMMENT 'graduated / n.',
  grad_low Nullable(Float64) COMMENT 'Lower end of its 95 % interval (Wilson).',
  grad_high Nullable(Float64) COMMENT 'Upper end of its 95 % interval (Wilson).',
  collapse_p50_s Nullable(Int64) COMMENT 'Half of the rugged launches had collapsed by this many seconds after their launch; null without any.',
  collapse_p90_s Nullable(Int64) COMMENT 'Nine in ten of the rugged launches had collapsed by this many seconds after their launch; null without any.',
  window_days Nullable(UInt8) COMMENT 'Launches of the UTC day of as_of and of this many days before it.',
  `from` Nullable(DateTime64(3, 'UTC')) COMMENT 'Start of the window, UTC.',
  as_of Nullable(DateTime64(3, 'UTC')) COMMENT 'End of the window, UTC.',
  cohort_reason Nullable(String) COMMENT 'Why parts, n and the columns after n are null.'
) AS WITH
  (SELECT (count(), any(is_mayhem), any(dev_buy), any(bundle), any(creator_kind)) FROM mintfold.launch_shapes WHERE mint = {mint:String}) AS shape,
  (
    SELECT (
      countIf(n >= 20),
      sumIf(n, parts = 4),
      argMaxIf((parts, n, rugged, rug_rate, rug_low, rug_high, graduated, grad_rate, grad_low, grad_high, tuple(collapse_p50_s), tuple(collapse_p90_s), window_days, `from`, as_of), parts, n >= 20)
    )
    FROM mintfold.cohorts
    WHERE shape.1 > 0 AND is_mayhem = shape.2 AND ifNull(dev_buy = shape.3, parts < 2) AND ifNull(bundle = shape.4, parts < 3) AND ifNull(creator_kind = shape.5, parts < 4)
  ) AS chosen,
  chosen.3 AS found,
  multiIf(shape.1 = 0, 'its launch was not observed, or the record of its dev set before the launch is not known yet', shape.3 IS NULL, 'its curve is not paired with SOL', NULL) AS shape_words,
  ifNull(shape_words, if(chosen.1 = 0, 'fewer than 20 resolved launches of the window have the same is_mayhem', NULL)) AS cohort_words
SELECT
  {mint:String} AS mint,
  if(shape.1 = 0, NULL, toNullable(shape.2)) AS is_mayhem,
  if(shape.1 = 0, NULL, shape.3) AS dev_buy,
  if(shape.1 = 0, NULL, toNullable(shape.4)) AS bundle,
  if(shape.1 = 0, NULL, toNullable(shape.5)) AS creator_kind,
  shape_words AS shape_reason,
  if(shape_words IS NULL, toNullable(chosen.2), NULL) AS n_same_shape,
  if(cohort_words IS NULL, toNullable(found.1), NULL) AS parts,
  if(cohort_words IS NULL, toNullable(found.2), NULL) AS n,
  if(cohort_words IS NULL, toNullable(found.3), NULL) AS rugged,
  if(cohort_words IS NULL, toNullable(found.4), NULL) AS rug_rate,
  if(cohort_words IS NULL, toNullable(found.5), NULL) AS rug_low,
  if(cohort_words IS NULL, toNullable(found.6), NULL) AS rug_high,
  if(cohort_words IS NULL, toNullable(found.7), NULL) AS graduated,
  if(cohort_words IS NULL, toNullable(found.8), NULL) AS grad_rate,
  if(cohort_words IS NULL, toNullable(found.9), NULL) AS grad_low,
  if(cohort_words IS NULL, toNullable(found.10), NULL) AS grad_high,
  if(cohort_words IS NULL, found.11.1, NULL) AS collapse_p50_s,
  if(cohort_words IS NULL, found.12.1, NULL) AS collapse_p90_s,
  if(cohort_words IS NULL, toNullable(found.13), NULL) AS window_days,
  if(cohort_words IS NULL, toNullable(found.14), NULL) AS `from`,
  if(cohort_words IS NULL, toNullable(found.15), NULL) AS as_of,
  cohort_words AS cohort_reason
COMMENT 'One coin compared with launches of the same shape at the end of the create slot: launch_cohort(mint = ''...'').';
