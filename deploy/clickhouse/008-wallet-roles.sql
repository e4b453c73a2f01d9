-- Who was close to a launch: its creator, the wallets of its bundle, its insiders. Said by the fold of the mint, once a wallet and role.
-- Applied as well: fb0ebd4feb8e17df5dd4a985ee8d13f0799f20bb59aaf868a64152e1ecbf206a (with the views, which are in views/ now).

CREATE TABLE IF NOT EXISTS mintfold.wallet_roles_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  at DateTime64(3, 'UTC'),
  id String CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes) CODEC(ZSTD(1)),
  wallet_bytes FixedString(32) EPHEMERAL,
  wallet String DEFAULT base58Encode(wallet_bytes) CODEC(ZSTD(1)),
  role LowCardinality(String),
  counterpart_bytes Nullable(FixedString(32)) EPHEMERAL,
  counterpart Nullable(String) DEFAULT base58Encode(counterpart_bytes),
  t0 DateTime64(3, 'UTC'),
  slot0 UInt64,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(at)
ORDER BY (wallet, mint, role, slot, tx_index, outer_ix, inner_ix, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;
