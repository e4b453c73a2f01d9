-- Which log fills the history, and what of it is still whole. A history is of one log: its id is written before its first rows, and the log
-- that began last is the one that fills.
-- Applied as well: e40b440546cf8a636e53f7ceb52697ee0f04dd3fbff81727010dbaf441b23947 (with the views, which are in views/ now).

CREATE TABLE IF NOT EXISTS mintfold.logs_log (
  log String,
  chain LowCardinality(String),
  source String,
  since DateTime64(3, 'UTC'),
  began_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(began_at)
ORDER BY log
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- Days of which the cap on disk space dropped what lies in partitions. Written before they are dropped.
CREATE TABLE IF NOT EXISTS mintfold.dropped_days_log (
  day Date,
  dropped_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(dropped_at)
ORDER BY day
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- Refreshes and coverage ask what came since, or long ago: parts of other times are passed over.
ALTER TABLE mintfold.launches_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.trades_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.pool_trades_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.migrations_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.ticks_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.outcomes_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.flags_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;
