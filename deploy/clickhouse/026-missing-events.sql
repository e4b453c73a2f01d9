-- Calls of the launchpad that succeeded and whose event is not in the record of their transaction.
CREATE TABLE IF NOT EXISTS mintfold.missing_events_log (
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
  call LowCardinality(String),
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
