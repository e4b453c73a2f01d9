-- A layout for years: what analysts ask by is indexed, columns are packed as what they are, and launches, flags and outcomes are stored in
-- weeks. Codecs and indexes are of parts written from now on; the history rewrites the others one by one (topology/history/rewrite.ts).
-- An index on a wallet, a signature or an event id is a bloom filter a granule: one in a hundred granules is read in vain.

ALTER TABLE mintfold.trades_log
  MODIFY COLUMN slot CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN tx_index CODEC(ZSTD(1)),
  MODIFY COLUMN outer_ix CODEC(ZSTD(1)),
  MODIFY COLUMN inner_ix CODEC(ZSTD(1)),
  MODIFY COLUMN hash8 CODEC(ZSTD(1)),
  MODIFY COLUMN version CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN tick_at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN received_at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN mint CODEC(ZSTD(1)),
  MODIFY COLUMN user CODEC(ZSTD(1)),
  MODIFY COLUMN is_buy CODEC(ZSTD(1)),
  MODIFY COLUMN token_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN quote_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN fee_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN creator_fee_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN virtual_quote_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN virtual_token_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN real_quote_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN real_token_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN creator CODEC(ZSTD(1)),
  ADD INDEX IF NOT EXISTS by_user user TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_signature signature TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_event (concat(concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix)), '@', hash8)) TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_slot slot TYPE minmax GRANULARITY 1;

ALTER TABLE mintfold.pool_trades_log
  MODIFY COLUMN slot CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN tx_index CODEC(ZSTD(1)),
  MODIFY COLUMN outer_ix CODEC(ZSTD(1)),
  MODIFY COLUMN inner_ix CODEC(ZSTD(1)),
  MODIFY COLUMN hash8 CODEC(ZSTD(1)),
  MODIFY COLUMN version CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN tick_at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN received_at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN mint CODEC(ZSTD(1)),
  MODIFY COLUMN pool CODEC(ZSTD(1)),
  MODIFY COLUMN user CODEC(ZSTD(1)),
  MODIFY COLUMN is_buy CODEC(ZSTD(1)),
  MODIFY COLUMN token_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN quote_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN user_quote_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN pool_token_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN pool_quote_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN virtual_quote_units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN pool_fee_units CODEC(T64, ZSTD(1)),
  ADD INDEX IF NOT EXISTS by_user user TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_signature signature TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_event (concat(concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix)), '@', hash8)) TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_slot slot TYPE minmax GRANULARITY 1;

ALTER TABLE mintfold.transfers_log
  MODIFY COLUMN slot CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN tx_index CODEC(ZSTD(1)),
  MODIFY COLUMN outer_ix CODEC(ZSTD(1)),
  MODIFY COLUMN inner_ix CODEC(ZSTD(1)),
  MODIFY COLUMN hash8 CODEC(ZSTD(1)),
  MODIFY COLUMN version CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN tick_at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN received_at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN mint CODEC(ZSTD(1)),
  MODIFY COLUMN owner CODEC(ZSTD(1)),
  MODIFY COLUMN units CODEC(T64, ZSTD(1)),
  MODIFY COLUMN sender CODEC(ZSTD(1)),
  ADD INDEX IF NOT EXISTS by_owner owner TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_signature signature TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_event (concat(concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix)), '@', hash8)) TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_slot slot TYPE minmax GRANULARITY 1;

ALTER TABLE mintfold.funding_log
  MODIFY COLUMN slot CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN tx_index CODEC(ZSTD(1)),
  MODIFY COLUMN outer_ix CODEC(ZSTD(1)),
  MODIFY COLUMN inner_ix CODEC(ZSTD(1)),
  MODIFY COLUMN hash8 CODEC(ZSTD(1)),
  MODIFY COLUMN version CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN tick_at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN received_at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN funder CODEC(ZSTD(1)),
  MODIFY COLUMN wallet CODEC(ZSTD(1)),
  MODIFY COLUMN amount_lamports CODEC(T64, ZSTD(1)),
  ADD INDEX IF NOT EXISTS by_funder funder TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_signature signature TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_event (concat(concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix)), '@', hash8)) TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_slot slot TYPE minmax GRANULARITY 1;

ALTER TABLE mintfold.ticks_log
  MODIFY COLUMN slot CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN hash8 CODEC(ZSTD(1)),
  MODIFY COLUMN version CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN tick_at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN received_at CODEC(Delta, ZSTD(1)),
  ADD INDEX IF NOT EXISTS by_time tick_at TYPE minmax GRANULARITY 1;

ALTER TABLE mintfold.raw_frames_log
  MODIFY COLUMN slot CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN hash8 CODEC(ZSTD(1)),
  MODIFY COLUMN version CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN block_at CODEC(ZSTD(1)),
  MODIFY COLUMN hash CODEC(ZSTD(1)),
  MODIFY COLUMN parent_slot CODEC(T64, ZSTD(1)),
  MODIFY COLUMN parent_hash CODEC(ZSTD(1)),
  MODIFY COLUMN received_at CODEC(Delta, ZSTD(1)),
  ADD INDEX IF NOT EXISTS by_slot slot TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.wallet_roles_log
  MODIFY COLUMN hash8 CODEC(ZSTD(1)),
  MODIFY COLUMN slot CODEC(ZSTD(1)),
  MODIFY COLUMN version CODEC(ZSTD(1)),
  MODIFY COLUMN at CODEC(ZSTD(1)),
  MODIFY COLUMN t0 CODEC(ZSTD(1)),
  MODIFY COLUMN slot0 CODEC(ZSTD(1)),
  ADD INDEX IF NOT EXISTS by_mint mint TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_slot slot TYPE minmax GRANULARITY 1,
  ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.post_complete_buys_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.launches_log
  ADD INDEX IF NOT EXISTS by_user user TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_creator creator TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_signature signature TYPE bloom_filter(0.01) GRANULARITY 1,
  ADD INDEX IF NOT EXISTS by_slot slot TYPE minmax GRANULARITY 1;

ALTER TABLE mintfold.outcomes_log ADD INDEX IF NOT EXISTS by_creator creator TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE mintfold.flags_log ADD INDEX IF NOT EXISTS by_slot slot TYPE minmax GRANULARITY 1;

-- Days would be too many for a lookup by mint, which reads a granule of each partition; a year has 52 weeks. Rows are copied, the tables change
-- names at one moment, and what was inserted in between is copied after it: rows that are there twice are one. An insert that was under way
-- then may still end in the old table, which is copied once more and dropped some minutes later (topology/history/rewrite.ts).
-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'launches_log' AND partition_key = ''
CREATE TABLE IF NOT EXISTS mintfold.launches_weeks AS mintfold.launches_log
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toMonday(tick_at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'launches_log' AND partition_key = ''
INSERT INTO mintfold.launches_weeks SELECT * FROM mintfold.launches_log SETTINGS max_threads = 1, max_insert_threads = 1, max_block_size = 65536, min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 33554432, max_partitions_per_insert_block = 2000;

-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'launches_log' AND partition_key = ''
EXCHANGE TABLES mintfold.launches_weeks AND mintfold.launches_log;

-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'launches_weeks'
INSERT INTO mintfold.launches_log SELECT * FROM mintfold.launches_weeks SETTINGS max_threads = 1, max_insert_threads = 1, max_block_size = 65536, min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 33554432, max_partitions_per_insert_block = 2000;

-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'outcomes_log' AND partition_key = ''
CREATE TABLE IF NOT EXISTS mintfold.outcomes_weeks AS mintfold.outcomes_log
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toMonday(at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'outcomes_log' AND partition_key = ''
INSERT INTO mintfold.outcomes_weeks SELECT * FROM mintfold.outcomes_log SETTINGS max_threads = 1, max_insert_threads = 1, max_block_size = 65536, min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 33554432, max_partitions_per_insert_block = 2000;

-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'outcomes_log' AND partition_key = ''
EXCHANGE TABLES mintfold.outcomes_weeks AND mintfold.outcomes_log;

-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'outcomes_weeks'
INSERT INTO mintfold.outcomes_log SELECT * FROM mintfold.outcomes_weeks SETTINGS max_threads = 1, max_insert_threads = 1, max_block_size = 65536, min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 33554432, max_partitions_per_insert_block = 2000;

-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'flags_log' AND partition_key = ''
CREATE TABLE IF NOT EXISTS mintfold.flags_weeks AS mintfold.flags_log
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toMonday(at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8, detector)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'flags_log' AND partition_key = ''
INSERT INTO mintfold.flags_weeks SELECT * FROM mintfold.flags_log SETTINGS max_threads = 1, max_insert_threads = 1, max_block_size = 65536, min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 33554432, max_partitions_per_insert_block = 2000;

-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'flags_log' AND partition_key = ''
EXCHANGE TABLES mintfold.flags_weeks AND mintfold.flags_log;

-- while: SELECT count() AS n FROM system.tables WHERE database = 'mintfold' AND name = 'flags_weeks'
INSERT INTO mintfold.flags_log SELECT * FROM mintfold.flags_weeks SETTINGS max_threads = 1, max_insert_threads = 1, max_block_size = 65536, min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 33554432, max_partitions_per_insert_block = 2000;

-- told_to: up to where every span was summed up at least once; covered_at: every row that came before it is summed up.
ALTER TABLE mintfold.wallet_spans_log
  ADD COLUMN IF NOT EXISTS told_to DateTime64(3, 'UTC') DEFAULT as_of CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS covered_at DateTime('UTC') DEFAULT toDateTime(refreshed_at) - INTERVAL 10 MINUTE CODEC(ZSTD(1)),
  ADD INDEX IF NOT EXISTS by_refresh refreshed_at TYPE minmax GRANULARITY 64;

-- Results of wallets, in 16 buckets so that the first computation, of all, fits the memory of a query. spans_at: the newest refresh of the
-- spans that is in it. The row without a wallet says how far its bucket is.
CREATE TABLE IF NOT EXISTS mintfold.wallet_results_log (
  bucket UInt8,
  wallet String CODEC(ZSTD(1)),
  class LowCardinality(String),
  realized_lamports Int64 CODEC(ZSTD(1)),
  n_positions UInt64 CODEC(T64, ZSTD(1)),
  n_closed UInt64 CODEC(T64, ZSTD(1)),
  n_won UInt64 CODEC(T64, ZSTD(1)),
  n_sniped UInt64 CODEC(T64, ZSTD(1)),
  n_with_role UInt64 CODEC(T64, ZSTD(1)),
  trades UInt64 CODEC(T64, ZSTD(1)),
  as_of DateTime64(3, 'UTC') CODEC(ZSTD(1)),
  spans_at DateTime64(3, 'UTC') CODEC(ZSTD(1)),
  refreshed_at DateTime64(3, 'UTC') CODEC(ZSTD(1)),
  is_deleted UInt8
)
ENGINE = ReplacingMergeTree(refreshed_at, is_deleted)
ORDER BY (bucket, wallet)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- Flags by day, and the outcomes that judge them by the day on which they were settled. The row without a detector has all rugged launches.
CREATE TABLE IF NOT EXISTS mintfold.detector_days_log (
  day Date,
  flag LowCardinality(String),
  detector LowCardinality(String),
  detector_version UInt32,
  flagged UInt64,
  resolved UInt64,
  rugged UInt64,
  leads_s Array(Int64),
  refreshed_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(refreshed_at)
ORDER BY (day, flag, detector, detector_version)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- What the log no longer held when the sink came to read it.
CREATE TABLE IF NOT EXISTS mintfold.lost_rows_log (
  topic LowCardinality(String),
  partition UInt32,
  from_offset UInt64,
  to_offset UInt64,
  from_slot UInt64,
  to_slot UInt64,
  hash8 String,
  tick_at DateTime64(3, 'UTC'),
  lost_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(lost_at)
ORDER BY (topic, partition, from_offset)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- For how many days after they came rows of the large tables are kept: MINTFOLD_HISTORY_DAYS.
CREATE TABLE IF NOT EXISTS mintfold.kept_days_log (
  days UInt32,
  set_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY set_at
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
