-- Figures over many rows. They are computed anew from the rows, never summed up as rows come in, so that rows that are written again or taken
-- back change nothing. Windows end at progress.up_to: stream time, at which everything before is there.

-- Only minutes that were not complete are computed again, with those of the half hour before, which a fork may still have changed.
CREATE TABLE IF NOT EXISTS mintfold.regime_minutes_log (
  minute DateTime('UTC'),
  launches UInt64,
  mayhem UInt64,
  buys UInt64,
  sells UInt64,
  buy_lamports Int64,
  sell_lamports Int64,
  failed UInt64,
  total UInt64,
  migrations UInt64,
  true_graduations UInt64,
  rug_flags Map(String, UInt64),
  frames UInt64,
  is_complete Bool,
  refreshed_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(refreshed_at)
ORDER BY minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.regime_minutes_refresh
REFRESH EVERY 1 MINUTE APPEND TO mintfold.regime_minutes_log
AS WITH
  (SELECT max(up_to) FROM mintfold.progress_log) AS up_to,
  (SELECT max(minute) FROM mintfold.regime_minutes_log WHERE is_complete) AS complete,
  toDateTime64(greatest(toInt64(toUnixTimestamp(complete)) - 1800, 0), 3, 'UTC') AS since
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
  now64(3, 'UTC') AS refreshed_at
FROM (
  SELECT toStartOfMinute(tick_at) AS minute, 'launch' AS what, '' AS flag, count() AS n, toInt64(0) AS lamports
  FROM mintfold.launches_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since GROUP BY minute
  UNION ALL
  SELECT toStartOfMinute(tick_at) AS minute, 'mayhem', '', count(), 0
  FROM mintfold.launches_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since AND is_mayhem GROUP BY minute
  UNION ALL
  SELECT toStartOfMinute(tick_at) AS minute, if(is_buy, 'buy', 'sell') AS what, '', count(), sumIf(quote_units, quote_mint IS NULL)
  FROM mintfold.trades_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since AND NOT is_agent GROUP BY minute, what
  UNION ALL
  SELECT toStartOfMinute(tick_at) AS minute, if(is_buy, 'buy', 'sell') AS what, '', count(), sumIf(quote_units, quote_mint IS NULL)
  FROM mintfold.pool_trades_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since AND NOT is_agent GROUP BY minute, what
  UNION ALL
  SELECT toStartOfMinute(block_at) AS minute, 'failed', '', sum(launchpad_failed), 0
  FROM mintfold.raw_frames_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND block_at >= since GROUP BY minute
  UNION ALL
  SELECT toStartOfMinute(block_at) AS minute, 'transaction', '', sum(launchpad_transactions), 0
  FROM mintfold.raw_frames_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND block_at >= since GROUP BY minute
  UNION ALL
  SELECT toStartOfMinute(tick_at) AS minute, 'migration', '', count(), 0
  FROM mintfold.migrations_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since GROUP BY minute
  UNION ALL
  SELECT toStartOfMinute(at) AS minute, 'graduation', '', count(), 0
  FROM mintfold.outcomes_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND at >= since AND graduated GROUP BY minute
  UNION ALL
  SELECT toStartOfMinute(at) AS minute, 'flag', flag, count(), 0
  FROM mintfold.flags_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND at >= since GROUP BY minute, flag
  UNION ALL
  SELECT toStartOfMinute(tick_at) AS minute, 'frame', '', count(), 0
  FROM mintfold.ticks_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since GROUP BY minute
)
GROUP BY minute;

CREATE VIEW IF NOT EXISTS mintfold.regime_minutes (
  minute DateTime('UTC') COMMENT 'Start of the minute, stream time, UTC.',
  launches UInt64 COMMENT 'Launches.',
  mayhem UInt64 COMMENT 'Those of them in mayhem mode.',
  buys UInt64 COMMENT 'Buys on curves and in pools, without the mayhem agent.',
  sells UInt64 COMMENT 'Sells on curves and in pools, without the mayhem agent.',
  buy_lamports Int64 COMMENT 'SOL of these buys without fees, lamports; other quotes are left out.',
  sell_lamports Int64 COMMENT 'SOL of these sells without fees, lamports; other quotes are left out.',
  failed UInt64 COMMENT 'Transactions of the launchpad that failed, where raw frames were captured.',
  total UInt64 COMMENT 'All transactions of the launchpad, where raw frames were captured: the denominator of failed.',
  migrations UInt64 COMMENT 'Curves that moved to a pool.',
  true_graduations UInt64 COMMENT 'Outcomes of this minute whose curve was witnessed at 84 SOL or above.',
  rug_flags Map(String, UInt64) COMMENT 'Flags by mechanism.',
  frames UInt64 COMMENT 'Frames folded.',
  is_complete Bool COMMENT 'The history has everything of this minute.'
) AS SELECT
  minute,
  launches,
  mayhem,
  buys,
  sells,
  buy_lamports,
  sell_lamports,
  failed,
  total,
  migrations,
  true_graduations,
  rug_flags,
  frames,
  is_complete
FROM mintfold.regime_minutes_log FINAL
COMMENT 'The market by minute; computed every minute.';

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
  (SELECT max(up_to) FROM mintfold.progress_log) AS as_of
FROM mintfold.outcomes_log FINAL
WHERE graduated IS NOT NULL AND rugged IS NOT NULL
  AND at <= (SELECT max(up_to) FROM mintfold.progress_log)
  AND t0 > (SELECT subtractDays(max(up_to), 7) FROM mintfold.progress_log)
HAVING as_of > toDateTime64(0, 3, 'UTC')
COMMENT 'What became of the launches of the last days; computed every minute, without a row before the history is complete up to some moment.';

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
  (SELECT max(up_to) FROM mintfold.progress_log) AS as_of
FROM (
  SELECT flag, detector, detector_version, mint, toUnixTimestamp(min(at)) AS flagged_s
  FROM mintfold.flags_log FINAL GROUP BY flag, detector, detector_version, mint
) AS flags
LEFT JOIN (
  SELECT mint, rugged, toUnixTimestamp(t0) + ifNull(rug_dt_s, 0) AS rug_s FROM mintfold.outcomes_log FINAL
) AS outcomes USING (mint)
GROUP BY flag, detector, detector_version
COMMENT 'Flags against outcomes, by detector; computed every minute.';

-- Not refreshed but computed as it is asked, because nobody asks without a mint or a time.
CREATE VIEW IF NOT EXISTS mintfold.launch_minutes (
  mint String COMMENT 'The coin, base58.',
  minute DateTime('UTC') COMMENT 'Start of the minute, stream time, UTC.',
  buys UInt64 COMMENT 'Buys on the curve, without the mayhem agent.',
  sells UInt64 COMMENT 'Sells on the curve, without the mayhem agent.',
  buyers UInt64 COMMENT 'Wallets that bought.',
  sellers UInt64 COMMENT 'Wallets that sold.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'What the coin is traded against; null stands for SOL.',
  buy_quote_units Int64 COMMENT 'Quote of the buys without fees, base units: lamports where quote_mint is null.',
  sell_quote_units Int64 COMMENT 'Quote of the sells without fees, base units.',
  real_quote_units_high Nullable(Int64) COMMENT 'Highest real quote reserve after a trade of this minute; null in the oldest layout.',
  real_quote_units_close Nullable(Int64) COMMENT 'Real quote reserve after the last trade of this minute; null in the oldest layout.',
  virtual_quote_units_close Int64 COMMENT 'Virtual quote reserve after the last trade; over virtual_token_units_close it is the price.',
  virtual_token_units_close Int64 COMMENT 'Virtual coin reserve after the last trade.'
) AS SELECT
  mint,
  toStartOfMinute(tick_at) AS minute,
  countIf(is_buy AND NOT is_agent) AS buys,
  countIf(NOT is_buy AND NOT is_agent) AS sells,
  uniqExactIf(user, is_buy AND NOT is_agent) AS buyers,
  uniqExactIf(user, NOT is_buy AND NOT is_agent) AS sellers,
  any(trades.quote_mint) AS quote_mint,
  sumIf(quote_units, is_buy AND NOT is_agent) AS buy_quote_units,
  sumIf(quote_units, NOT is_buy AND NOT is_agent) AS sell_quote_units,
  max(real_quote_units) AS real_quote_units_high,
  argMax(tuple(real_quote_units), (slot, tx_index, outer_ix, inner_ix)).1 AS real_quote_units_close,
  argMax(virtual_quote_units, (slot, tx_index, outer_ix, inner_ix)) AS virtual_quote_units_close,
  argMax(virtual_token_units, (slot, tx_index, outer_ix, inner_ix)) AS virtual_token_units_close
FROM mintfold.trades_log AS trades FINAL
GROUP BY mint, minute
COMMENT 'The curve of each mint by minute.';
