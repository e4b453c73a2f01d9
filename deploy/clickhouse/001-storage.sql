-- Where rows lie. Each table is keyed by what an event id says; of several rows of a key the one with the highest version counts, and none when
-- that one is deleted: inserting twice changes nothing, and a fork takes rows back by inserting them again with is_deleted = 1.
-- Keys and signatures come in as bytes (the EPHEMERAL columns) and are kept as base58. Read the views of 002-views.sql, which say FINAL.
-- Where there is a partition, it is a day of stream time, so that old days can be dropped whole. received_at is the wall clock: rows of the
-- large tables go 90 days after they came, also those of a recording of long ago.
-- Applied as well: 955e9bea50c43c4a62535a7e37a706b1e3a6d810a0f4deed96f5611fafa47624 (launches, outcomes and flags without weeks, which 016 gives them).

CREATE TABLE IF NOT EXISTS mintfold.launches_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  signature_bytes FixedString(64) EPHEMERAL,
  signature String DEFAULT base58Encode(signature_bytes) CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  user_bytes FixedString(32) EPHEMERAL,
  user String DEFAULT base58Encode(user_bytes),
  creator_bytes FixedString(32) EPHEMERAL,
  creator String DEFAULT base58Encode(creator_bytes),
  is_creator_wallet Bool,
  bonding_curve_bytes FixedString(32) EPHEMERAL,
  bonding_curve String DEFAULT base58Encode(bonding_curve_bytes),
  name String,
  symbol String,
  uri String,
  token_program_bytes Nullable(FixedString(32)) EPHEMERAL,
  token_program LowCardinality(Nullable(String)) DEFAULT base58Encode(token_program_bytes),
  is_mayhem Bool,
  is_cashback Bool,
  quote_mint_bytes Nullable(FixedString(32)) EPHEMERAL,
  quote_mint LowCardinality(Nullable(String)) DEFAULT base58Encode(quote_mint_bytes),
  virtual_token_units Nullable(Int64),
  virtual_quote_units Nullable(Int64),
  real_token_units Nullable(Int64),
  supply_units Nullable(Int64),
  layout LowCardinality(String),
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toMonday(tick_at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8);

CREATE TABLE IF NOT EXISTS mintfold.trades_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  signature_bytes FixedString(64) EPHEMERAL,
  signature String DEFAULT base58Encode(signature_bytes) CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  user_bytes FixedString(32) EPHEMERAL,
  user String DEFAULT base58Encode(user_bytes),
  is_buy Bool,
  is_agent Bool,
  is_mayhem Bool,
  quote_mint_bytes Nullable(FixedString(32)) EPHEMERAL,
  quote_mint LowCardinality(Nullable(String)) DEFAULT base58Encode(quote_mint_bytes),
  token_units Int64,
  quote_units Int64,
  fee_units Nullable(Int64),
  creator_fee_units Nullable(Int64),
  virtual_quote_units Int64,
  virtual_token_units Int64,
  real_quote_units Nullable(Int64),
  real_token_units Nullable(Int64),
  creator_bytes Nullable(FixedString(32)) EPHEMERAL,
  creator Nullable(String) DEFAULT base58Encode(creator_bytes),
  layout LowCardinality(String),
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(tick_at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS mintfold.completions_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  signature_bytes FixedString(64) EPHEMERAL,
  signature String DEFAULT base58Encode(signature_bytes) CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  user_bytes FixedString(32) EPHEMERAL,
  user String DEFAULT base58Encode(user_bytes),
  bonding_curve_bytes FixedString(32) EPHEMERAL,
  bonding_curve String DEFAULT base58Encode(bonding_curve_bytes),
  quote_mint_bytes Nullable(FixedString(32)) EPHEMERAL,
  quote_mint LowCardinality(Nullable(String)) DEFAULT base58Encode(quote_mint_bytes),
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8);

CREATE TABLE IF NOT EXISTS mintfold.post_complete_buys_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  signature_bytes FixedString(64) EPHEMERAL,
  signature String DEFAULT base58Encode(signature_bytes) CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  user_bytes FixedString(32) EPHEMERAL,
  user String DEFAULT base58Encode(user_bytes),
  quote_mint_bytes Nullable(FixedString(32)) EPHEMERAL,
  quote_mint LowCardinality(Nullable(String)) DEFAULT base58Encode(quote_mint_bytes),
  token_units Int64,
  quote_units Int64,
  pool_token_units_after Int64,
  pool_quote_units_after Int64,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8);

CREATE TABLE IF NOT EXISTS mintfold.migrations_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  signature_bytes FixedString(64) EPHEMERAL,
  signature String DEFAULT base58Encode(signature_bytes) CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  user_bytes FixedString(32) EPHEMERAL,
  user String DEFAULT base58Encode(user_bytes),
  bonding_curve_bytes FixedString(32) EPHEMERAL,
  bonding_curve String DEFAULT base58Encode(bonding_curve_bytes),
  pool_bytes FixedString(32) EPHEMERAL,
  pool String DEFAULT base58Encode(pool_bytes),
  quote_mint_bytes Nullable(FixedString(32)) EPHEMERAL,
  quote_mint LowCardinality(Nullable(String)) DEFAULT base58Encode(quote_mint_bytes),
  token_units Int64,
  quote_units Int64,
  fee_units Int64,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8);

CREATE TABLE IF NOT EXISTS mintfold.pools_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  signature_bytes FixedString(64) EPHEMERAL,
  signature String DEFAULT base58Encode(signature_bytes) CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  pool_bytes FixedString(32) EPHEMERAL,
  pool String DEFAULT base58Encode(pool_bytes),
  creator_bytes FixedString(32) EPHEMERAL,
  creator String DEFAULT base58Encode(creator_bytes),
  pool_index Int64,
  is_coin_base Bool,
  quote_mint_bytes Nullable(FixedString(32)) EPHEMERAL,
  quote_mint LowCardinality(Nullable(String)) DEFAULT base58Encode(quote_mint_bytes),
  token_units Int64,
  quote_units Int64,
  is_mayhem Bool,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8);

CREATE TABLE IF NOT EXISTS mintfold.pool_trades_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  signature_bytes FixedString(64) EPHEMERAL,
  signature String DEFAULT base58Encode(signature_bytes) CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  pool_bytes FixedString(32) EPHEMERAL,
  pool String DEFAULT base58Encode(pool_bytes),
  user_bytes FixedString(32) EPHEMERAL,
  user String DEFAULT base58Encode(user_bytes),
  is_buy Bool,
  is_agent Bool,
  is_coin_base Bool,
  quote_mint_bytes Nullable(FixedString(32)) EPHEMERAL,
  quote_mint LowCardinality(Nullable(String)) DEFAULT base58Encode(quote_mint_bytes),
  token_units Int64,
  quote_units Int64,
  user_quote_units Int64,
  pool_token_units Int64,
  pool_quote_units Int64,
  virtual_quote_units Nullable(Int64),
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(tick_at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS mintfold.pool_liquidity_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  signature_bytes FixedString(64) EPHEMERAL,
  signature String DEFAULT base58Encode(signature_bytes) CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  pool_bytes FixedString(32) EPHEMERAL,
  pool String DEFAULT base58Encode(pool_bytes),
  user_bytes FixedString(32) EPHEMERAL,
  user String DEFAULT base58Encode(user_bytes),
  is_deposit Bool,
  is_coin_base Bool,
  quote_mint_bytes Nullable(FixedString(32)) EPHEMERAL,
  quote_mint LowCardinality(Nullable(String)) DEFAULT base58Encode(quote_mint_bytes),
  token_units Int64,
  quote_units Int64,
  pool_token_units Int64,
  pool_quote_units Int64,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(tick_at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS mintfold.pool_boosts_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  signature_bytes FixedString(64) EPHEMERAL,
  signature String DEFAULT base58Encode(signature_bytes) CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  pool_bytes FixedString(32) EPHEMERAL,
  pool String DEFAULT base58Encode(pool_bytes),
  virtual_quote_units Int64,
  real_quote_units_after Int64,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8);

CREATE TABLE IF NOT EXISTS mintfold.creator_changes_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  signature_bytes FixedString(64) EPHEMERAL,
  signature String DEFAULT base58Encode(signature_bytes) CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  creator_bytes FixedString(32) EPHEMERAL,
  creator String DEFAULT base58Encode(creator_bytes),
  kind LowCardinality(String),
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8);

CREATE TABLE IF NOT EXISTS mintfold.mayhem_reserves_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  at DateTime64(3, 'UTC'),
  signature_bytes FixedString(64) EPHEMERAL,
  signature String DEFAULT base58Encode(signature_bytes) CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  virtual_token_units Int64,
  virtual_quote_units Int64,
  real_token_units Int64,
  real_quote_units Int64,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(tick_at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS mintfold.ticks_log (
  slot UInt64,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  tick_at DateTime64(3, 'UTC'),
  gap_from_slot Nullable(UInt64),
  gap_to_slot Nullable(UInt64),
  is_vouched Bool,
  is_final Bool,
  is_placed Bool,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(tick_at)
ORDER BY (slot, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS mintfold.raw_frames_log (
  slot UInt64,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  block_at Nullable(DateTime64(3, 'UTC')),
  hash String,
  is_hash_synthetic Bool,
  parent_slot Nullable(UInt64),
  parent_hash Nullable(String),
  status LowCardinality(String),
  is_whole Bool,
  launchpad_transactions UInt32,
  launchpad_failed UInt32,
  transfers UInt32,
  failed_others UInt32,
  transactions_total UInt32,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(ifNull(block_at, toDateTime64(0, 3, 'UTC')))
ORDER BY (slot, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS mintfold.flags_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  at DateTime64(3, 'UTC'),
  id String,
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  creator_bytes Nullable(FixedString(32)) EPHEMERAL,
  creator Nullable(String) DEFAULT base58Encode(creator_bytes),
  flag LowCardinality(String),
  detector LowCardinality(String),
  detector_version UInt32,
  mint_age_s Nullable(Int64),
  evidence String,
  events Array(String),
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toMonday(at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8, detector);

CREATE TABLE IF NOT EXISTS mintfold.outcomes_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  at DateTime64(3, 'UTC'),
  id String,
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes),
  creator_bytes FixedString(32) EPHEMERAL,
  creator String DEFAULT base58Encode(creator_bytes),
  t0 DateTime64(3, 'UTC'),
  slot0 UInt64,
  graduated Nullable(Bool),
  rugged Nullable(Bool),
  rug_kind LowCardinality(Nullable(String)),
  rug_dt_s Nullable(Int64),
  peak_quote_units Int64,
  terminal_quote_units Int64,
  quote_mint_bytes Nullable(FixedString(32)) EPHEMERAL,
  quote_mint LowCardinality(Nullable(String)) DEFAULT base58Encode(quote_mint_bytes),
  dev_first_sell_dt_s Nullable(Int64),
  dev_buy_quote_units Int64,
  n_trades UInt64,
  n_buyers UInt64,
  is_mayhem Bool,
  self_graduated Bool,
  censored LowCardinality(Nullable(String)),
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toMonday(at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8);

CREATE TABLE IF NOT EXISTS mintfold.dead_letters_log (
  id String,
  version UInt64,
  is_deleted UInt8,
  slot Nullable(UInt64),
  position String,
  hash8 String,
  signature Nullable(String),
  processor LowCardinality(String),
  processor_version UInt32,
  code LowCardinality(String),
  reason String,
  size_bytes UInt64,
  bytes String,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (id)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;

-- How far the sink is: every row of ticks up to up_to is in the tables. One row a sink.
CREATE TABLE IF NOT EXISTS mintfold.progress_log (
  sink LowCardinality(String),
  version UInt64,
  up_to DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(version)
ORDER BY sink;
