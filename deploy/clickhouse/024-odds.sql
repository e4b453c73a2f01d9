-- The inputs of the odds models, launch by launch and age by age, and the probabilities that were logged before their outcomes were known.
-- Judgements go with their age, as the large tables do; odds stay, as outcomes do.

CREATE TABLE IF NOT EXISTS mintfold.judgements_log (
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
  age_s Int64 CODEC(T64, ZSTD(1)),
  real_quote_units Int64 CODEC(T64, ZSTD(1)),
  peak_quote_units Int64 CODEC(T64, ZSTD(1)),
  n_buys UInt64 CODEC(T64, ZSTD(1)),
  n_sells UInt64 CODEC(T64, ZSTD(1)),
  n_buyers UInt64 CODEC(T64, ZSTD(1)),
  buys_60s UInt64 CODEC(T64, ZSTD(1)),
  sells_60s UInt64 CODEC(T64, ZSTD(1)),
  net_60s_quote_units Int64 CODEC(T64, ZSTD(1)),
  buyers_60s UInt64 CODEC(T64, ZSTD(1)),
  last_buy_age_s Nullable(Int64) CODEC(ZSTD(1)),
  last_new_buyer_age_s Nullable(Int64) CODEC(ZSTD(1)),
  n_holders UInt64 CODEC(T64, ZSTD(1)),
  top1_units Int64 CODEC(T64, ZSTD(1)),
  top5_units Int64 CODEC(T64, ZSTD(1)),
  hhi_ppm UInt64 CODEC(T64, ZSTD(1)),
  dev_units Int64 CODEC(T64, ZSTD(1)),
  bundle_units Int64 CODEC(T64, ZSTD(1)),
  insider_units Int64 CODEC(T64, ZSTD(1)),
  circulating_units Int64 CODEC(T64, ZSTD(1)),
  supply_units Int64 CODEC(T64, ZSTD(1)),
  dev_buy_quote_units Int64 CODEC(T64, ZSTD(1)),
  dev_bought_units Int64 CODEC(T64, ZSTD(1)),
  dev_sold_units Int64 CODEC(T64, ZSTD(1)),
  n_bundle_wallets UInt64 CODEC(T64, ZSTD(1)),
  bundle_bought_units Int64 CODEC(T64, ZSTD(1)),
  bundle_sold_units Int64 CODEC(T64, ZSTD(1)),
  flag_bits UInt64 CODEC(T64, ZSTD(1)),
  is_mayhem Bool,
  prior_n_launches Nullable(UInt64) CODEC(ZSTD(1)),
  prior_n_resolved Nullable(UInt64) CODEC(ZSTD(1)),
  prior_n_graduated Nullable(UInt64) CODEC(ZSTD(1)),
  prior_n_rugged Nullable(UInt64) CODEC(ZSTD(1)),
  warm_quote_units Nullable(Int64) CODEC(ZSTD(1)),
  warm_before_s Nullable(Int64) CODEC(ZSTD(1)),
  funder_n_launches Nullable(UInt64) CODEC(ZSTD(1)),
  funder_n_resolved Nullable(UInt64) CODEC(ZSTD(1)),
  funder_n_rugged Nullable(UInt64) CODEC(ZSTD(1)),
  exact_units Map(String, Int256) CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1)),
  INDEX by_slot slot TYPE minmax GRANULARITY 1,
  INDEX received received_at TYPE minmax GRANULARITY 64
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

-- In the order of an hour's Merkle tree. hour: stream time of the judgement.
CREATE TABLE IF NOT EXISTS mintfold.odds_log (
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
  age_s Int64 CODEC(T64, ZSTD(1)),
  head LowCardinality(String),
  ppm UInt32 CODEC(T64, ZSTD(1)),
  model LowCardinality(String),
  judgement String CODEC(ZSTD(1)),
  inputs_hash String CODEC(ZSTD(1)),
  is_shadow Bool,
  hour DateTime('UTC') DEFAULT toStartOfHour(at, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1)),
  INDEX by_slot slot TYPE minmax GRANULARITY 1,
  INDEX by_mint mint TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX received received_at TYPE minmax GRANULARITY 64
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toMonday(at)
ORDER BY (at, id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;
