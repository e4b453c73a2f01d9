-- What moves without an event of the launchpad: coins between owners, by balances, and SOL between wallets; and what pools keep of fees.
-- Applied as well: 816d2dc038a695ccc678f1aa0b611835147cce646185eb5d9c619fd16bf5da8a (with the views, which are in views/ now).

CREATE TABLE IF NOT EXISTS mintfold.transfers_log (
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
  owner_bytes FixedString(32) EPHEMERAL,
  owner String DEFAULT base58Encode(owner_bytes),
  units Int64,
  is_traded Bool,
  is_wallet Bool,
  is_from_wallets Bool,
  sender_bytes Nullable(FixedString(32)) EPHEMERAL,
  sender Nullable(String) DEFAULT base58Encode(sender_bytes),
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(tick_at)
ORDER BY (mint, slot, tx_index, outer_ix, inner_ix, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS mintfold.funding_log (
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
  funder_bytes FixedString(32) EPHEMERAL,
  funder String DEFAULT base58Encode(funder_bytes),
  wallet_bytes FixedString(32) EPHEMERAL,
  wallet String DEFAULT base58Encode(wallet_bytes),
  amount_lamports Int64,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(tick_at)
ORDER BY (wallet, slot, tx_index, outer_ix, inner_ix, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;

ALTER TABLE mintfold.pool_trades_log ADD COLUMN IF NOT EXISTS pool_fee_units Int64 DEFAULT 0 AFTER virtual_quote_units;
