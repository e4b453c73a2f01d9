-- What was known of a launch when its create slot was over, and what became of launches of one shape, by day of launch.

CREATE TABLE IF NOT EXISTS mintfold.launch_shapes_log (
  slot UInt64 CODEC(Delta, ZSTD(1)),
  tx_index UInt32 CODEC(ZSTD(1)),
  outer_ix UInt32 CODEC(ZSTD(1)),
  inner_ix UInt32 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  id String CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes) CODEC(ZSTD(1)),
  t0 DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  slot0 UInt64 CODEC(Delta, ZSTD(1)),
  is_mayhem Bool,
  quote_mint_bytes Nullable(FixedString(32)) EPHEMERAL,
  quote_mint LowCardinality(Nullable(String)) DEFAULT base58Encode(quote_mint_bytes),
  dev_buy_quote_units Int64 CODEC(T64, ZSTD(1)),
  n_bundle_wallets UInt64 CODEC(T64, ZSTD(1)),
  prior_of_bytes FixedString(32) EPHEMERAL,
  prior_of String DEFAULT base58Encode(prior_of_bytes) CODEC(ZSTD(1)),
  prior_n_launches UInt64 CODEC(T64, ZSTD(1)),
  prior_n_resolved UInt64 CODEC(T64, ZSTD(1)),
  prior_n_graduated UInt64 CODEC(T64, ZSTD(1)),
  prior_n_rugged UInt64 CODEC(T64, ZSTD(1)),
  prior_observed_since DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  exact_units Map(String, Int256) CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1)),
  INDEX by_slot slot TYPE minmax GRANULARITY 1,
  INDEX received received_at TYPE minmax GRANULARITY 64
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toMonday(at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

-- Launches of a day by shape. collapses: how many of the rugged were at so many seconds. The row without a kind says when its day was
-- computed; that of 1970-01-01 up to where all days are, once all are there.
CREATE TABLE IF NOT EXISTS mintfold.cohort_days_log (
  day Date,
  is_mayhem Bool,
  dev_buy LowCardinality(String),
  bundle LowCardinality(String),
  creator_kind LowCardinality(String),
  n UInt64 CODEC(T64, ZSTD(1)),
  rugged UInt64 CODEC(T64, ZSTD(1)),
  graduated UInt64 CODEC(T64, ZSTD(1)),
  collapses Map(Int64, UInt64) CODEC(ZSTD(1)),
  as_of DateTime64(3, 'UTC') CODEC(ZSTD(1)),
  refreshed_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(refreshed_at)
ORDER BY (day, is_mayhem, dev_buy, bundle, creator_kind)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
