-- What moves without an event of the launchpad: coins between owners, told by balances, and SOL between wallets; and what pools keep of fees.

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

CREATE VIEW IF NOT EXISTS mintfold.transfers (
  position String COMMENT 'Place on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far. Windows and minutes go by it.',
  at DateTime64(3, 'UTC') COMMENT 'The event''s own clock, UTC; that of the frame where the event has none.',
  signature String COMMENT 'First signature of the transaction, base58.',
  mint String COMMENT 'The coin, base58.',
  owner String COMMENT 'Who got or gave coins, base58. The curve, pools that the transaction names and the mayhem agent are left out.',
  units Int64 COMMENT 'Base units, negative where they left.',
  is_traded Bool COMMENT 'The owner traded the coin in the same transaction.',
  is_wallet Bool COMMENT 'The owner got coins and is a wallet, no program address.',
  is_from_wallets Bool COMMENT 'The coins came from wallets alone.',
  sender Nullable(String) COMMENT 'Where they came from when it is one owner, base58.'
) AS SELECT
  concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix)) AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tx_index,
  outer_ix,
  inner_ix,
  tick_at,
  at,
  signature,
  mint,
  owner,
  units,
  is_traded,
  is_wallet,
  is_from_wallets,
  sender
FROM mintfold.transfers_log FINAL
COMMENT 'Coins that came or left without a trade: transfers, burns.';

CREATE VIEW IF NOT EXISTS mintfold.funding (
  position String COMMENT 'Place on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far. Windows and minutes go by it.',
  at DateTime64(3, 'UTC') COMMENT 'The event''s own clock, UTC; that of the frame where the event has none.',
  signature String COMMENT 'First signature of the transaction, base58.',
  funder String COMMENT 'Who paid, base58.',
  wallet String COMMENT 'Who was paid, base58: a wallet, no program address.',
  amount_lamports Int64 COMMENT 'At least 100000000: 0.1 SOL.'
) AS SELECT
  concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix)) AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tx_index,
  outer_ix,
  inner_ix,
  tick_at,
  at,
  signature,
  funder,
  wallet,
  amount_lamports
FROM mintfold.funding_log FINAL
COMMENT 'SOL paid to wallets, from 0.1 SOL.';

ALTER TABLE mintfold.pool_trades_log ADD COLUMN IF NOT EXISTS pool_fee_units Int64 DEFAULT 0 AFTER virtual_quote_units;

CREATE OR REPLACE VIEW mintfold.pool_trades (
  position String COMMENT 'Place on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far. Windows and minutes go by it.',
  at DateTime64(3, 'UTC') COMMENT 'The event''s own clock, UTC; that of the frame where the event has none.',
  signature String COMMENT 'First signature of the transaction, base58.',
  mint String COMMENT 'The coin, base58.',
  pool String COMMENT 'Pool account, base58.',
  user String COMMENT 'Wallet that acted, as the event names it.',
  is_buy Bool COMMENT 'The user bought the coin, whichever side of the pool it is.',
  is_agent Bool COMMENT 'The user is the mayhem agent.',
  is_coin_base Bool COMMENT 'False where SOL is the base of the pool.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'What the coin is traded against; null stands for SOL.',
  token_units Int64 COMMENT 'Coins, base units (6 decimals).',
  quote_units Int64 COMMENT 'Other side that hit the pool''s curve, without fees, base units.',
  user_quote_units Int64 COMMENT 'What the user paid or got of the other side, with fees.',
  pool_token_units Int64 COMMENT 'Coins in the pool, base units. Before the trade.',
  pool_quote_units Int64 COMMENT 'Other side in the pool, base units. Before the trade.',
  virtual_quote_units Nullable(Int64) COMMENT 'Virtual quote reserve of a boosted pool, may be negative; null where the layout has none.',
  pool_fee_units Int64 COMMENT 'Of the fees, what stayed in the pool, base units of the other side; 0 where the coin is the program''s quote side, and in rows from before this column.'
) AS SELECT
  concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix)) AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tx_index,
  outer_ix,
  inner_ix,
  tick_at,
  at,
  signature,
  mint,
  pool,
  user,
  is_buy,
  is_agent,
  is_coin_base,
  quote_mint,
  token_units,
  quote_units,
  user_quote_units,
  pool_token_units,
  pool_quote_units,
  virtual_quote_units,
  pool_fee_units
FROM mintfold.pool_trades_log FINAL
COMMENT 'Trades in pools, seen from the coin. Reserves are before the trade.';
