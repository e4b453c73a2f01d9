-- Where rows of the alt chain lie, as 001 and those after it have the primary chain's: of several rows of a key the one with the highest version
-- counts, and none when that one is deleted. Addresses and hashes come in as bytes and are kept as hex with 0x in small letters; amounts are
-- exact. The log that fills them is written down beside that of the primary chain: each chain has a sink of its own, which may be elsewhere.

CREATE TABLE IF NOT EXISTS mintfold.alt_launches_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  tx_index UInt32 CODEC(ZSTD(1)),
  log_index UInt32 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_hash_bytes FixedString(32) EPHEMERAL,
  tx_hash String DEFAULT concat('0x', lower(hex(tx_hash_bytes))) CODEC(ZSTD(1)),
  token_bytes FixedString(20) EPHEMERAL,
  token String DEFAULT concat('0x', lower(hex(token_bytes))) CODEC(ZSTD(1)),
  curve_bytes FixedString(20) EPHEMERAL,
  curve String DEFAULT concat('0x', lower(hex(curve_bytes))) CODEC(ZSTD(1)),
  deployer_bytes FixedString(20) EPHEMERAL,
  deployer String DEFAULT concat('0x', lower(hex(deployer_bytes))) CODEC(ZSTD(1)),
  launcher_bytes Nullable(FixedString(20)) EPHEMERAL,
  launcher Nullable(String) DEFAULT concat('0x', lower(hex(launcher_bytes))) CODEC(ZSTD(1)),
  tx_from_bytes Nullable(FixedString(20)) EPHEMERAL,
  tx_from Nullable(String) DEFAULT concat('0x', lower(hex(tx_from_bytes))) CODEC(ZSTD(1)),
  tx_to_bytes Nullable(FixedString(20)) EPHEMERAL,
  tx_to Nullable(String) DEFAULT concat('0x', lower(hex(tx_to_bytes))) CODEC(ZSTD(1)),
  route LowCardinality(String),
  pair_token_bytes Nullable(FixedString(20)) EPHEMERAL,
  pair_token LowCardinality(Nullable(String)) DEFAULT concat('0x', lower(hex(pair_token_bytes))),
  pair_decimals Nullable(UInt32) CODEC(ZSTD(1)),
  pair_decimals_reason Nullable(String) CODEC(ZSTD(1)),
  config_id UInt256 CODEC(ZSTD(1)),
  threshold_units UInt256 CODEC(ZSTD(1)),
  virtual_quote_units UInt256 CODEC(ZSTD(1)),
  supply_units Nullable(UInt256) CODEC(ZSTD(1)),
  snipe_exempt Array(String) CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1)),
  INDEX by_deployer deployer TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_curve curve TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_event (concat(concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index)), '@', hash8)) TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_block block TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toMonday(tick_at)
ORDER BY (token, block, tx_index, log_index, hash8)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_trades_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  tx_index UInt32 CODEC(ZSTD(1)),
  log_index UInt32 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_hash_bytes FixedString(32) EPHEMERAL,
  tx_hash String DEFAULT concat('0x', lower(hex(tx_hash_bytes))) CODEC(ZSTD(1)),
  token_bytes FixedString(20) EPHEMERAL,
  token String DEFAULT concat('0x', lower(hex(token_bytes))) CODEC(ZSTD(1)),
  curve_bytes FixedString(20) EPHEMERAL,
  curve String DEFAULT concat('0x', lower(hex(curve_bytes))) CODEC(ZSTD(1)),
  pair_token_bytes Nullable(FixedString(20)) EPHEMERAL,
  pair_token LowCardinality(Nullable(String)) DEFAULT concat('0x', lower(hex(pair_token_bytes))),
  is_buy Bool,
  user_bytes FixedString(20) EPHEMERAL,
  user String DEFAULT concat('0x', lower(hex(user_bytes))) CODEC(ZSTD(1)),
  recipient_bytes FixedString(20) EPHEMERAL,
  recipient String DEFAULT concat('0x', lower(hex(recipient_bytes))) CODEC(ZSTD(1)),
  wallet_bytes Nullable(FixedString(20)) EPHEMERAL,
  wallet Nullable(String) DEFAULT concat('0x', lower(hex(wallet_bytes))) CODEC(ZSTD(1)),
  wallet_by LowCardinality(Nullable(String)),
  tx_from_bytes Nullable(FixedString(20)) EPHEMERAL,
  tx_from Nullable(String) DEFAULT concat('0x', lower(hex(tx_from_bytes))) CODEC(ZSTD(1)),
  tx_to_bytes Nullable(FixedString(20)) EPHEMERAL,
  tx_to Nullable(String) DEFAULT concat('0x', lower(hex(tx_to_bytes))) CODEC(ZSTD(1)),
  route LowCardinality(String),
  token_units UInt256 CODEC(ZSTD(1)),
  quote_units UInt256 CODEC(ZSTD(1)),
  user_quote_units UInt256 CODEC(ZSTD(1)),
  fee_units UInt256 CODEC(ZSTD(1)),
  creator_fee_units UInt256 CODEC(ZSTD(1)),
  snipe_tax_units UInt256 CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1)),
  INDEX by_wallet wallet TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_curve curve TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_event (concat(concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index)), '@', hash8)) TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_block block TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(tick_at)
ORDER BY (token, block, tx_index, log_index, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_completions_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  tx_index UInt32 CODEC(ZSTD(1)),
  log_index UInt32 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_hash_bytes FixedString(32) EPHEMERAL,
  tx_hash String DEFAULT concat('0x', lower(hex(tx_hash_bytes))) CODEC(ZSTD(1)),
  token_bytes FixedString(20) EPHEMERAL,
  token String DEFAULT concat('0x', lower(hex(token_bytes))) CODEC(ZSTD(1)),
  curve_bytes FixedString(20) EPHEMERAL,
  curve String DEFAULT concat('0x', lower(hex(curve_bytes))) CODEC(ZSTD(1)),
  pair_token_bytes Nullable(FixedString(20)) EPHEMERAL,
  pair_token LowCardinality(Nullable(String)) DEFAULT concat('0x', lower(hex(pair_token_bytes))),
  recipient_bytes FixedString(20) EPHEMERAL,
  recipient String DEFAULT concat('0x', lower(hex(recipient_bytes))) CODEC(ZSTD(1)),
  token_units UInt256 CODEC(ZSTD(1)),
  quote_units UInt256 CODEC(ZSTD(1)),
  swept_token_units Nullable(UInt256) CODEC(ZSTD(1)),
  swept_quote_units Nullable(UInt256) CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (token, block, tx_index, log_index, hash8)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_migrations_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  tx_index UInt32 CODEC(ZSTD(1)),
  log_index UInt32 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_hash_bytes FixedString(32) EPHEMERAL,
  tx_hash String DEFAULT concat('0x', lower(hex(tx_hash_bytes))) CODEC(ZSTD(1)),
  token_bytes FixedString(20) EPHEMERAL,
  token String DEFAULT concat('0x', lower(hex(token_bytes))) CODEC(ZSTD(1)),
  curve_bytes Nullable(FixedString(20)) EPHEMERAL,
  curve Nullable(String) DEFAULT concat('0x', lower(hex(curve_bytes))) CODEC(ZSTD(1)),
  position_id UInt256 CODEC(ZSTD(1)),
  pool_id Nullable(String) CODEC(ZSTD(1)),
  token_units UInt256 CODEC(ZSTD(1)),
  quote_units UInt256 CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (token, block, tx_index, log_index, hash8)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_refunds_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  tx_index UInt32 CODEC(ZSTD(1)),
  log_index UInt32 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_hash_bytes FixedString(32) EPHEMERAL,
  tx_hash String DEFAULT concat('0x', lower(hex(tx_hash_bytes))) CODEC(ZSTD(1)),
  token_bytes FixedString(20) EPHEMERAL,
  token String DEFAULT concat('0x', lower(hex(token_bytes))) CODEC(ZSTD(1)),
  curve_bytes FixedString(20) EPHEMERAL,
  curve String DEFAULT concat('0x', lower(hex(curve_bytes))) CODEC(ZSTD(1)),
  pair_token_bytes Nullable(FixedString(20)) EPHEMERAL,
  pair_token LowCardinality(Nullable(String)) DEFAULT concat('0x', lower(hex(pair_token_bytes))),
  user_bytes FixedString(20) EPHEMERAL,
  user String DEFAULT concat('0x', lower(hex(user_bytes))) CODEC(ZSTD(1)),
  quote_units UInt256 CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (token, block, tx_index, log_index, hash8)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_buybacks_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  tx_index UInt32 CODEC(ZSTD(1)),
  log_index UInt32 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_hash_bytes FixedString(32) EPHEMERAL,
  tx_hash String DEFAULT concat('0x', lower(hex(tx_hash_bytes))) CODEC(ZSTD(1)),
  token_bytes FixedString(20) EPHEMERAL,
  token String DEFAULT concat('0x', lower(hex(token_bytes))) CODEC(ZSTD(1)),
  curve_bytes FixedString(20) EPHEMERAL,
  curve String DEFAULT concat('0x', lower(hex(curve_bytes))) CODEC(ZSTD(1)),
  pair_token_bytes Nullable(FixedString(20)) EPHEMERAL,
  pair_token LowCardinality(Nullable(String)) DEFAULT concat('0x', lower(hex(pair_token_bytes))),
  token_units UInt256 CODEC(ZSTD(1)),
  quote_units UInt256 CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (token, block, tx_index, log_index, hash8)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_transfers_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  tx_index UInt32 CODEC(ZSTD(1)),
  log_index UInt32 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_hash_bytes FixedString(32) EPHEMERAL,
  tx_hash String DEFAULT concat('0x', lower(hex(tx_hash_bytes))) CODEC(ZSTD(1)),
  token_bytes FixedString(20) EPHEMERAL,
  token String DEFAULT concat('0x', lower(hex(token_bytes))) CODEC(ZSTD(1)),
  sender_bytes FixedString(20) EPHEMERAL,
  sender String DEFAULT concat('0x', lower(hex(sender_bytes))) CODEC(ZSTD(1)),
  recipient_bytes FixedString(20) EPHEMERAL,
  recipient String DEFAULT concat('0x', lower(hex(recipient_bytes))) CODEC(ZSTD(1)),
  token_units UInt256 CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1)),
  INDEX by_sender sender TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_recipient recipient TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_event (concat(concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index)), '@', hash8)) TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_block block TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(tick_at)
ORDER BY (token, block, tx_index, log_index, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_curve_events_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  tx_index UInt32 CODEC(ZSTD(1)),
  log_index UInt32 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_hash_bytes FixedString(32) EPHEMERAL,
  tx_hash String DEFAULT concat('0x', lower(hex(tx_hash_bytes))) CODEC(ZSTD(1)),
  token_bytes FixedString(20) EPHEMERAL,
  token String DEFAULT concat('0x', lower(hex(token_bytes))) CODEC(ZSTD(1)),
  curve_bytes Nullable(FixedString(20)) EPHEMERAL,
  curve Nullable(String) DEFAULT concat('0x', lower(hex(curve_bytes))) CODEC(ZSTD(1)),
  kind LowCardinality(String),
  account_bytes Nullable(FixedString(20)) EPHEMERAL,
  account Nullable(String) DEFAULT concat('0x', lower(hex(account_bytes))) CODEC(ZSTD(1)),
  creator_account_bytes Nullable(FixedString(20)) EPHEMERAL,
  creator_account Nullable(String) DEFAULT concat('0x', lower(hex(creator_account_bytes))) CODEC(ZSTD(1)),
  token_units Nullable(UInt256) CODEC(ZSTD(1)),
  quote_units Nullable(UInt256) CODEC(ZSTD(1)),
  buyback_units Nullable(UInt256) CODEC(ZSTD(1)),
  creator_units Nullable(UInt256) CODEC(ZSTD(1)),
  gas_remaining Nullable(UInt256) CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(tick_at)
ORDER BY (token, block, tx_index, log_index, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_ticks_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  gap_from_block Nullable(UInt64) CODEC(ZSTD(1)),
  gap_to_block Nullable(UInt64) CODEC(ZSTD(1)),
  is_vouched Bool,
  is_final Bool,
  is_placed Bool,
  launchpad_transactions Nullable(UInt32) CODEC(ZSTD(1)),
  launchpad_failed Nullable(UInt32) CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1)),
  INDEX by_time tick_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(tick_at)
ORDER BY (block, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_raw_frames_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  block_at Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
  hash String CODEC(ZSTD(1)),
  is_hash_synthetic Bool,
  parent_block Nullable(UInt64) CODEC(ZSTD(1)),
  parent_hash Nullable(String) CODEC(ZSTD(1)),
  status LowCardinality(String),
  is_whole Bool,
  launchpad_transactions UInt32 CODEC(ZSTD(1)),
  missing_reasons Array(String) CODEC(ZSTD(1)),
  missing_transactions Array(String) CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(ifNull(block_at, toDateTime64(0, 3, 'UTC')))
ORDER BY (block, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_flags_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  tx_index UInt32 CODEC(ZSTD(1)),
  log_index UInt32 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  id String CODEC(ZSTD(1)),
  token_bytes FixedString(20) EPHEMERAL,
  token String DEFAULT concat('0x', lower(hex(token_bytes))) CODEC(ZSTD(1)),
  deployer_bytes Nullable(FixedString(20)) EPHEMERAL,
  deployer Nullable(String) DEFAULT concat('0x', lower(hex(deployer_bytes))) CODEC(ZSTD(1)),
  flag LowCardinality(String),
  detector LowCardinality(String),
  detector_version UInt32 CODEC(ZSTD(1)),
  age_s Nullable(Int64) CODEC(ZSTD(1)),
  evidence String CODEC(ZSTD(1)),
  events Array(String) CODEC(ZSTD(1)),
  retraction_id Nullable(String) CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1)),
  INDEX by_block block TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toMonday(at)
ORDER BY (token, block, tx_index, log_index, hash8, detector)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_outcomes_log (
  block UInt64 CODEC(Delta, ZSTD(1)),
  tx_index UInt32 CODEC(ZSTD(1)),
  log_index UInt32 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  id String CODEC(ZSTD(1)),
  token_bytes FixedString(20) EPHEMERAL,
  token String DEFAULT concat('0x', lower(hex(token_bytes))) CODEC(ZSTD(1)),
  deployer_bytes FixedString(20) EPHEMERAL,
  deployer String DEFAULT concat('0x', lower(hex(deployer_bytes))) CODEC(ZSTD(1)),
  t0 DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  block0 UInt64 CODEC(ZSTD(1)),
  graduated Nullable(Bool),
  rugged Nullable(Bool),
  rug_kind LowCardinality(Nullable(String)),
  rug_dt_s Nullable(Int64) CODEC(ZSTD(1)),
  peak_quote_units UInt256 CODEC(ZSTD(1)),
  terminal_quote_units UInt256 CODEC(ZSTD(1)),
  pair_token_bytes Nullable(FixedString(20)) EPHEMERAL,
  pair_token LowCardinality(Nullable(String)) DEFAULT concat('0x', lower(hex(pair_token_bytes))),
  deployer_first_sell_dt_s Nullable(Int64) CODEC(ZSTD(1)),
  deployer_buy_quote_units UInt256 CODEC(ZSTD(1)),
  n_trades UInt64 CODEC(ZSTD(1)),
  n_buyers UInt64 CODEC(ZSTD(1)),
  self_graduated Bool,
  censored LowCardinality(Nullable(String)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1)),
  INDEX by_deployer deployer TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_block block TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toMonday(at)
ORDER BY (token, block, tx_index, log_index, hash8)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_dead_letters_log (
  id String CODEC(ZSTD(1)),
  version UInt64 CODEC(Delta, ZSTD(1)),
  is_deleted UInt8,
  block Nullable(UInt64) CODEC(ZSTD(1)),
  position String CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  signature Nullable(String) CODEC(ZSTD(1)),
  processor LowCardinality(String),
  processor_version UInt32 CODEC(ZSTD(1)),
  code LowCardinality(String),
  reason String CODEC(ZSTD(1)),
  size_bytes UInt64 CODEC(ZSTD(1)),
  bytes String CODEC(ZSTD(1)),
  received_at DateTime DEFAULT now() CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY id
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_logs_log (
  log String CODEC(ZSTD(1)),
  chain LowCardinality(String),
  source String CODEC(ZSTD(1)),
  since DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  began_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(began_at)
ORDER BY log
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_progress_log (
  sink LowCardinality(String),
  version UInt64 CODEC(Delta, ZSTD(1)),
  up_to DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
ORDER BY sink
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS mintfold.alt_lost_rows_log (
  topic LowCardinality(String),
  partition UInt32 CODEC(ZSTD(1)),
  from_offset UInt64 CODEC(ZSTD(1)),
  to_offset UInt64 CODEC(ZSTD(1)),
  from_block UInt64 CODEC(ZSTD(1)),
  to_block UInt64 CODEC(ZSTD(1)),
  hash8 String CODEC(ZSTD(1)),
  tick_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  lost_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(lost_at)
ORDER BY (topic, partition, from_offset)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
