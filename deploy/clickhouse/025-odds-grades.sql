-- The odds of each hour under one root, and what they came to by day of launch.

-- The first row of an hour stands. A later one with another root says that the values of the hour give another one since.
CREATE TABLE IF NOT EXISTS mintfold.odds_roots_log (
  hour DateTime('UTC'),
  n UInt64,
  root FixedString(64),
  up_to DateTime64(3, 'UTC'),
  made_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY (hour, made_at, root)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- Leaves as they were when the root was made, written before it: a proof does not rest on rows that forks or age may take.
CREATE TABLE IF NOT EXISTS mintfold.odds_leaves_log (
  hour DateTime('UTC'),
  root FixedString(64),
  part UInt32,
  first_id String CODEC(ZSTD(1)),
  top FixedString(64) CODEC(ZSTD(1)),
  leaves Array(FixedString(64)) CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
PARTITION BY toMonday(hour)
ORDER BY (hour, root, part)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1,
  min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

-- Logged odds of launches of a day with known outcomes, by probability in thousandths. hit_ppm: the sum of ppm of those that came true. The
-- row without a head says when its day was computed; that of 1970-01-01 up to where all days are, once all are there.
CREATE TABLE IF NOT EXISTS mintfold.odds_days_log (
  day Date,
  head LowCardinality(String),
  model LowCardinality(String),
  regime LowCardinality(String),
  thousandth UInt16,
  n UInt64 CODEC(T64, ZSTD(1)),
  hits UInt64 CODEC(T64, ZSTD(1)),
  ppm UInt64 CODEC(T64, ZSTD(1)),
  ppm_squared UInt64 CODEC(T64, ZSTD(1)),
  hit_ppm UInt64 CODEC(T64, ZSTD(1)),
  as_of DateTime64(3, 'UTC') CODEC(ZSTD(1)),
  refreshed_at DateTime64(3, 'UTC') CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(refreshed_at)
ORDER BY (day, head, model, regime, thousandth)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- What the odds called of the launches of a day; lead_s: half of the hits were called at least so many seconds before.
CREATE TABLE IF NOT EXISTS mintfold.odds_calls_log (
  day Date,
  call LowCardinality(String),
  launches UInt64 CODEC(T64, ZSTD(1)),
  unresolved UInt64 CODEC(T64, ZSTD(1)),
  positives UInt64 CODEC(T64, ZSTD(1)),
  calls UInt64 CODEC(T64, ZSTD(1)),
  hits UInt64 CODEC(T64, ZSTD(1)),
  lead_s Nullable(Int64) CODEC(ZSTD(1)),
  as_of DateTime64(3, 'UTC') CODEC(ZSTD(1)),
  refreshed_at DateTime64(3, 'UTC') CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(refreshed_at)
ORDER BY (day, call)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
