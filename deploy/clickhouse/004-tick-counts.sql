-- How many transactions of the launchpad a frame had, and how many failed, is told by the tape: also of frames that were never captured raw.
ALTER TABLE mintfold.ticks_log
  ADD COLUMN IF NOT EXISTS launchpad_transactions Nullable(UInt32) AFTER is_placed,
  ADD COLUMN IF NOT EXISTS launchpad_failed Nullable(UInt32) AFTER launchpad_transactions;

CREATE OR REPLACE VIEW mintfold.frames (
  position String COMMENT 'The tick that ends the frame: solana:slot.~',
  event_id String COMMENT 'position@hash8: the tick on its branch of the chain.',
  slot UInt64 COMMENT 'Slot; the order of import where is_placed is false.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far.',
  block_at Nullable(DateTime64(3, 'UTC')) COMMENT 'Block time, UTC; null where the source did not say.',
  hash Nullable(String) COMMENT 'Block hash; null where no raw frame was captured.',
  is_hash_synthetic Nullable(Bool) COMMENT 'The hash was made from the content, because the source had none.',
  parent_slot Nullable(UInt64) COMMENT 'Slot that this one builds on; null where the source did not say.',
  parent_hash Nullable(String) COMMENT 'Its hash; null where the source did not say.',
  status LowCardinality(Nullable(String)) COMMENT 'How sure the chain was at capture: processed, confirmed or finalized; null where no raw frame was captured.',
  is_final Bool COMMENT 'Finalised at capture.',
  is_placed Bool COMMENT 'False where the slot was not known.',
  is_vouched Bool COMMENT 'The importer vouched that everything about the mints of the frame is there.',
  is_whole Nullable(Bool) COMMENT 'Made from all transactions of its block; null where no raw frame was captured.',
  launchpad_transactions Nullable(UInt32) COMMENT 'Transactions of the launchpad, failed ones too; null where the frame could not be read.',
  launchpad_failed Nullable(UInt32) COMMENT 'Those of them that failed.',
  transfers Nullable(UInt32) COMMENT 'SOL transfers of at least 0.1 SOL in other transactions.',
  failed_others Nullable(UInt32) COMMENT 'Other transactions of the block that failed.',
  transactions_total Nullable(UInt32) COMMENT 'Transactions of the block, votes included.'
) AS SELECT
  concat('solana:', toString(slot), '.~') AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tick_at,
  block_at,
  hash,
  is_hash_synthetic,
  parent_slot,
  parent_hash,
  status,
  is_final,
  is_placed,
  is_vouched,
  is_whole,
  ifNull(ticks.launchpad_transactions, raw.launchpad_transactions) AS launchpad_transactions,
  ifNull(ticks.launchpad_failed, raw.launchpad_failed) AS launchpad_failed,
  transfers,
  failed_others,
  transactions_total
FROM (
  SELECT slot, hash8, tick_at, is_final, is_placed, is_vouched, launchpad_transactions, launchpad_failed FROM mintfold.ticks_log FINAL
) AS ticks
LEFT JOIN (
  SELECT
    slot,
    hash8,
    block_at,
    toNullable(hash) AS hash,
    toNullable(is_hash_synthetic) AS is_hash_synthetic,
    parent_slot,
    parent_hash,
    toNullable(status) AS status,
    toNullable(is_whole) AS is_whole,
    toNullable(launchpad_transactions) AS launchpad_transactions,
    toNullable(launchpad_failed) AS launchpad_failed,
    toNullable(transfers) AS transfers,
    toNullable(failed_others) AS failed_others,
    toNullable(transactions_total) AS transactions_total
  FROM mintfold.raw_frames_log FINAL
) AS raw USING (slot, hash8)
COMMENT 'Slots of the chain as they were folded, with what their raw frames say where there were any.';

DROP VIEW IF EXISTS mintfold.regime_minutes_refresh;

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

CREATE OR REPLACE VIEW mintfold.regime_minutes (
  minute DateTime('UTC') COMMENT 'Start of the minute, stream time, UTC.',
  launches UInt64 COMMENT 'Launches.',
  mayhem UInt64 COMMENT 'Those of them in mayhem mode.',
  buys UInt64 COMMENT 'Buys on curves and in pools, without the mayhem agent.',
  sells UInt64 COMMENT 'Sells on curves and in pools, without the mayhem agent.',
  buy_lamports Int64 COMMENT 'SOL of these buys without fees, lamports; other quotes are left out.',
  sell_lamports Int64 COMMENT 'SOL of these sells without fees, lamports; other quotes are left out.',
  failed UInt64 COMMENT 'Transactions of the launchpad that failed.',
  total UInt64 COMMENT 'All transactions of the launchpad: the denominator of failed.',
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
