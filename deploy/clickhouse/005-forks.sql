-- What a fork took back: findings that were retracted stay findable as such, and minutes of which nothing is left are computed again.

ALTER TABLE mintfold.flags_log ADD COLUMN IF NOT EXISTS retraction_id Nullable(String) AFTER events;

CREATE VIEW IF NOT EXISTS mintfold.retracted_flags (
  finding_id String COMMENT 'position@hash8:detector:mint.',
  position String COMMENT 'Place on the branch that was given up: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  at DateTime64(3, 'UTC') COMMENT 'Block time of the causing event, UTC.',
  mint String COMMENT 'The coin, base58.',
  creator Nullable(String) COMMENT 'Creator of the launch, base58.',
  flag LowCardinality(String) COMMENT 'The mechanism.',
  detector LowCardinality(String) COMMENT 'Who found it.',
  detector_version UInt32 COMMENT 'Version of the detector.',
  mint_age_s Nullable(Int64) COMMENT 'Age of the mint then, seconds.',
  evidence String COMMENT 'JSON object; /v1/labels says what is in it.',
  events Array(String) COMMENT 'Ids of the events that proved it, the causing one last: none of them is on the chain.',
  retraction_id Nullable(String) COMMENT 'What took it back: tick@hash8:retraction:partition:sequence, with capture''s number of the fork as its sequence.'
) AS SELECT
  id AS finding_id,
  if(tx_index = 4294967295, concat('solana:', toString(slot), '.~'), concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix))) AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tx_index,
  outer_ix,
  inner_ix,
  at,
  mint,
  creator,
  flag,
  detector,
  detector_version,
  mint_age_s,
  evidence,
  events,
  retraction_id
FROM mintfold.flags_log
WHERE is_deleted = 1 AND (id, version) IN (SELECT id, max(version) FROM mintfold.flags_log GROUP BY id)
LIMIT 1 BY id
COMMENT 'Findings that a fork took back and that were not said again: they are in flags no more.';

DROP VIEW IF EXISTS mintfold.regime_minutes_refresh;

-- Computed again are the half hour before the newest whole minute, and whatever frames came for, or were taken back from, since the last time: a
-- fork undoes at most 10,000 frames, which is less than two hours. A minute that was told before is told again even if nothing of it is left.
-- The part that comes first asks no table of events: ClickHouse looks at its table before it reads up_to, and at those of the others after.
CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.regime_minutes_refresh
REFRESH EVERY 1 MINUTE APPEND TO mintfold.regime_minutes_log
AS WITH
  (SELECT max(up_to) FROM mintfold.progress_log) AS up_to,
  (SELECT max(minute) FROM mintfold.regime_minutes_log WHERE is_complete) AS complete,
  (SELECT max(refreshed_at) FROM mintfold.regime_minutes_log) AS refreshed,
  toInt64(toUnixTimestamp(complete)) AS complete_s,
  (
    SELECT minOrNull(toInt64(toUnixTimestamp(toStartOfMinute(tick_at)))) FROM mintfold.ticks_log
    WHERE received_at >= refreshed - INTERVAL 1 MINUTE AND toInt64(toUnixTimestamp(tick_at)) >= complete_s - 7200
  ) AS changed_s,
  toDateTime64(greatest(least(complete_s - 1800, ifNull(changed_s, complete_s)), 0), 3, 'UTC') AS since
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
  SELECT minute, 'told before' AS what, '' AS flag, toUInt64(0) AS n, toInt64(0) AS lamports
  FROM mintfold.regime_minutes_log WHERE up_to > toDateTime64(0, 3, 'UTC') AND minute >= since GROUP BY minute
  UNION ALL
  SELECT toStartOfMinute(tick_at) AS minute, 'launch', '', count(), 0
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
  SELECT toStartOfMinute(tick_at) AS minute, 'failed', '', sum(ifNull(launchpad_failed, 0)), 0
  FROM mintfold.ticks_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since GROUP BY minute
  UNION ALL
  SELECT toStartOfMinute(tick_at) AS minute, 'transaction', '', sum(ifNull(launchpad_transactions, 0)), 0
  FROM mintfold.ticks_log FINAL WHERE up_to > toDateTime64(0, 3, 'UTC') AND tick_at >= since GROUP BY minute
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
