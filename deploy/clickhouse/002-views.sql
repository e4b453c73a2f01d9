-- What analysts read: one row an event, once, without what a fork took back. A column keeps its meaning once published.
-- Amounts are integers in base units, keys are base58, times are UTC.
-- Applied as well: 26aaef47b185e92b834d4788c639edcfe40617b12bd5c3cc45e28041686764b3 (the same tables in words that ClickHouse 25.8 cannot read).

CREATE VIEW IF NOT EXISTS mintfold.launches (
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
  user String COMMENT 'Wallet that called create.',
  creator String COMMENT 'Creator named by the launch; user in the oldest layout.',
  is_creator_wallet Bool COMMENT 'False where the creator is a program address.',
  bonding_curve String COMMENT 'Curve account, base58.',
  name String COMMENT 'Text of the creator, untrusted.',
  symbol String COMMENT 'Text of the creator, untrusted.',
  uri String COMMENT 'Text of the creator, untrusted.',
  token_program LowCardinality(Nullable(String)) COMMENT 'Token program; null in old layouts.',
  is_mayhem Bool COMMENT 'Mayhem mode.',
  is_cashback Bool COMMENT 'Cashback coin.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'What the coin is traded against; null stands for SOL.',
  virtual_token_units Nullable(Int64) COMMENT 'Virtual coins of the curve at the start, base units; null in the oldest layout.',
  virtual_quote_units Nullable(Int64) COMMENT 'Virtual quote of the curve at the start, base units.',
  real_token_units Nullable(Int64) COMMENT 'Coins that the curve has to sell, base units.',
  supply_units Nullable(Int64) COMMENT 'Total supply of the event, base units.',
  layout LowCardinality(String) COMMENT 'Generation of the event on the chain.'
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
  user,
  creator,
  is_creator_wallet,
  bonding_curve,
  name,
  symbol,
  uri,
  token_program,
  is_mayhem,
  is_cashback,
  quote_mint,
  virtual_token_units,
  virtual_quote_units,
  real_token_units,
  supply_units,
  layout
FROM mintfold.launches_log FINAL
COMMENT 'Tokens launched on the curve.';

CREATE VIEW IF NOT EXISTS mintfold.trades (
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
  user String COMMENT 'Wallet that acted, as the event names it.',
  is_buy Bool COMMENT 'The user bought the coin.',
  is_agent Bool COMMENT 'The user is the mayhem agent: not counted in volume, buyers and holders.',
  is_mayhem Bool COMMENT 'Mayhem mode.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'What the coin is traded against; null stands for SOL.',
  token_units Int64 COMMENT 'Coins, base units (6 decimals).',
  quote_units Int64 COMMENT 'Quote without fees, base units: lamports where quote_mint is null.',
  fee_units Nullable(Int64) COMMENT 'Protocol fee, quote base units; null in old layouts.',
  creator_fee_units Nullable(Int64) COMMENT 'Creator or cashback fee, quote base units; null in old layouts.',
  virtual_quote_units Int64 COMMENT 'Virtual quote reserve after the trade.',
  virtual_token_units Int64 COMMENT 'Virtual coin reserve after the trade.',
  real_quote_units Nullable(Int64) COMMENT 'Real quote reserve after the trade; null in the oldest layout.',
  real_token_units Nullable(Int64) COMMENT 'Real coin reserve after the trade; null in the oldest layout.',
  creator Nullable(String) COMMENT 'Creator the fee went to; null in old layouts.',
  layout LowCardinality(String) COMMENT 'Generation of the event on the chain.'
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
  user,
  is_buy,
  is_agent,
  is_mayhem,
  quote_mint,
  token_units,
  quote_units,
  fee_units,
  creator_fee_units,
  virtual_quote_units,
  virtual_token_units,
  real_quote_units,
  real_token_units,
  creator,
  layout
FROM mintfold.trades_log FINAL
COMMENT 'Trades on the curve. Reserves are after the trade.';

CREATE VIEW IF NOT EXISTS mintfold.completions (
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
  user String COMMENT 'Wallet that bought the rest.',
  bonding_curve String COMMENT 'Curve account, base58.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'What the coin is traded against; null stands for SOL.'
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
  user,
  bonding_curve,
  quote_mint
FROM mintfold.completions_log FINAL
COMMENT 'Curves that sold all their coins.';

CREATE VIEW IF NOT EXISTS mintfold.post_complete_buys (
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
  user String COMMENT 'Wallet that acted, as the event names it.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'What the coin is traded against; null stands for SOL.',
  token_units Int64 COMMENT 'Coins that the buyer got beyond the curve, base units.',
  quote_units Int64 COMMENT 'Quote paid for them, base units.',
  pool_token_units_after Int64 COMMENT 'Coins with which the pool will open, base units.',
  pool_quote_units_after Int64 COMMENT 'Quote with which the pool will open, base units.'
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
  user,
  quote_mint,
  token_units,
  quote_units,
  pool_token_units_after,
  pool_quote_units_after
FROM mintfold.post_complete_buys_log FINAL
COMMENT 'Parts of a synthetic migration''s buy that fell to the future pool.';

CREATE VIEW IF NOT EXISTS mintfold.migrations (
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
  user String COMMENT 'Wallet that called the migration.',
  bonding_curve String COMMENT 'Curve account, base58.',
  pool String COMMENT 'Pool account, base58.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'What the coin is traded against; null stands for SOL.',
  token_units Int64 COMMENT 'Coins moved to the pool, base units.',
  quote_units Int64 COMMENT 'Quote moved to the pool, base units.',
  fee_units Int64 COMMENT 'Migration fee, quote base units.'
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
  user,
  bonding_curve,
  pool,
  quote_mint,
  token_units,
  quote_units,
  fee_units
FROM mintfold.migrations_log FINAL
COMMENT 'Curves that moved to a pool.';

CREATE VIEW IF NOT EXISTS mintfold.pools (
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
  creator String COMMENT 'Who created the pool.',
  pool_index Int64 COMMENT 'Index of the pool; 0 with the launchpad as creator is the canonical one.',
  is_coin_base Bool COMMENT 'False where SOL is the base of the pool.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'The other side; null stands for SOL.',
  token_units Int64 COMMENT 'Coins in the pool after opening, base units.',
  quote_units Int64 COMMENT 'Other side in the pool after opening, base units.',
  is_mayhem Bool COMMENT 'Mayhem mode.'
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
  creator,
  pool_index,
  is_coin_base,
  quote_mint,
  token_units,
  quote_units,
  is_mayhem
FROM mintfold.pools_log FINAL
COMMENT 'Pools that were created for a coin.';

CREATE VIEW IF NOT EXISTS mintfold.pool_trades (
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
  virtual_quote_units Nullable(Int64) COMMENT 'Virtual quote reserve of a boosted pool, may be negative; null where the layout has none.'
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
  virtual_quote_units
FROM mintfold.pool_trades_log FINAL
COMMENT 'Trades in pools, seen from the coin. Reserves are before the trade.';

CREATE VIEW IF NOT EXISTS mintfold.pool_liquidity (
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
  is_deposit Bool COMMENT 'True for a deposit, false for a withdrawal.',
  is_coin_base Bool COMMENT 'False where SOL is the base of the pool.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'What the coin is traded against; null stands for SOL.',
  token_units Int64 COMMENT 'Coins moved, base units.',
  quote_units Int64 COMMENT 'Other side moved, base units.',
  pool_token_units Int64 COMMENT 'Coins in the pool before.',
  pool_quote_units Int64 COMMENT 'Other side in the pool before.'
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
  is_deposit,
  is_coin_base,
  quote_mint,
  token_units,
  quote_units,
  pool_token_units,
  pool_quote_units
FROM mintfold.pool_liquidity_log FINAL
COMMENT 'Liquidity added to or taken from pools.';

CREATE VIEW IF NOT EXISTS mintfold.pool_boosts (
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
  virtual_quote_units Int64 COMMENT 'The virtual reserve, base units.',
  real_quote_units_after Int64 COMMENT 'Real quote reserve after it, base units.'
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
  virtual_quote_units,
  real_quote_units_after
FROM mintfold.pool_boosts_log FINAL
COMMENT 'Pools that got a virtual quote reserve.';

CREATE VIEW IF NOT EXISTS mintfold.creator_changes (
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
  creator String COMMENT 'The new creator, base58.',
  kind LowCardinality(String) COMMENT 'Name of the event that said so.'
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
  creator,
  kind
FROM mintfold.creator_changes_log FINAL
COMMENT 'Changes of the creator of a coin. The dev set of cards does not move with them.';

CREATE VIEW IF NOT EXISTS mintfold.mayhem_reserves (
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
  virtual_token_units Int64 COMMENT 'Virtual coins now, base units.',
  virtual_quote_units Int64 COMMENT 'Virtual quote now, base units.',
  real_token_units Int64 COMMENT 'Real coins now, base units.',
  real_quote_units Int64 COMMENT 'Real quote now, base units.'
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
  virtual_token_units,
  virtual_quote_units,
  real_token_units,
  real_quote_units
FROM mintfold.mayhem_reserves_log FINAL
COMMENT 'Virtual reserves of a mayhem curve that were set without a trade.';

CREATE VIEW IF NOT EXISTS mintfold.flags (
  finding_id String COMMENT 'position@hash8:detector:mint.',
  position String COMMENT 'Place on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  at DateTime64(3, 'UTC') COMMENT 'Block time of the causing event, UTC.',
  mint String COMMENT 'The coin, base58.',
  creator Nullable(String) COMMENT 'Creator of the launch, base58.',
  flag LowCardinality(String) COMMENT 'The mechanism.',
  detector LowCardinality(String) COMMENT 'Who found it.',
  detector_version UInt32 COMMENT 'Version of the detector.',
  mint_age_s Nullable(Int64) COMMENT 'Age of the mint then, seconds.',
  evidence String COMMENT 'JSON object; /v1/labels says what is in it.',
  events Array(String) COMMENT 'Ids of the events that prove it, the causing one last.'
) AS SELECT
  id AS finding_id,
  if(tx_index = 4294967295, concat('solana:', toString(slot), '.~'), concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix))) AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tx_index,
  outer_ix,
  inner_ix,
  at,
  mint,
  creator,
  flag,
  detector,
  detector_version,
  mint_age_s,
  evidence,
  events
FROM mintfold.flags_log FINAL
COMMENT 'What detectors found, once a mint and mechanism.';

CREATE VIEW IF NOT EXISTS mintfold.outcomes (
  outcome_id String COMMENT 'position@hash8:processor:mint:n.',
  position String COMMENT 'Place on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  at DateTime64(3, 'UTC') COMMENT 'When it was settled, UTC: block time of the migration, or of the tick.',
  mint String COMMENT 'The coin, base58.',
  creator String COMMENT 'Creator of the launch, base58.',
  t0 DateTime64(3, 'UTC') COMMENT 'Launch, UTC.',
  slot0 UInt64 COMMENT 'Slot of the launch.',
  graduated Nullable(Bool) COMMENT 'At least 84 SOL were witnessed in the curve; null where it cannot be known.',
  rugged Nullable(Bool) COMMENT 'Drained or dumped by its creator; null where it cannot be known.',
  rug_kind LowCardinality(Nullable(String)) COMMENT 'drain or dev_dump; null without a rug.',
  rug_dt_s Nullable(Int64) COMMENT 'Launch to rug, seconds.',
  peak_quote_units Int64 COMMENT 'Peak of the real quote reserve, base units.',
  terminal_quote_units Int64 COMMENT 'Real quote reserve at the end, base units.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'What the coin is traded against; null stands for SOL.',
  reached_5_sol Nullable(Bool) COMMENT 'The peak was at least 5 SOL; null where the quote is not SOL.',
  dev_first_sell_dt_s Nullable(Int64) COMMENT 'Launch to the creator''s first sell, seconds; null when it never sold.',
  dev_buy_quote_units Int64 COMMENT 'Quote that the creator spent in the create slot, base units.',
  n_trades UInt64 COMMENT 'Trades on the curve.',
  n_buyers UInt64 COMMENT 'Wallets that bought.',
  is_mayhem Bool COMMENT 'Mayhem mode.',
  self_graduated Bool COMMENT 'The creator bought the curve out within the create slot.',
  censored LowCardinality(Nullable(String)) COMMENT 'Why labels are null: gap, or quote_not_sol; null when nothing was missed.'
) AS SELECT
  id AS outcome_id,
  if(tx_index = 4294967295, concat('solana:', toString(slot), '.~'), concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix))) AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tx_index,
  outer_ix,
  inner_ix,
  at,
  mint,
  creator,
  t0,
  slot0,
  graduated,
  rugged,
  rug_kind,
  rug_dt_s,
  peak_quote_units,
  terminal_quote_units,
  quote_mint,
  if(quote_mint IS NULL, peak_quote_units >= 5000000000, NULL) AS reached_5_sol,
  dev_first_sell_dt_s,
  dev_buy_quote_units,
  n_trades,
  n_buyers,
  is_mayhem,
  self_graduated,
  censored
FROM mintfold.outcomes_log FINAL
COMMENT 'What became of launches: settled once, at migration or after an hour without a trade.';

CREATE VIEW IF NOT EXISTS mintfold.dead_letters (
  id String COMMENT 'position@hash8:processor:n.',
  position String COMMENT 'Source position; a place in a topic where the chain position is not known.',
  slot Nullable(UInt64) COMMENT 'Slot; null where it is not known.',
  signature Nullable(String) COMMENT 'Transaction, base58; null where it is not known.',
  processor LowCardinality(String) COMMENT 'Who could not.',
  processor_version UInt32 COMMENT 'Its version.',
  code LowCardinality(String) COMMENT 'Closed list of reasons.',
  reason String COMMENT 'One sentence with the facts.',
  size_bytes UInt64 COMMENT 'Size of the raw bytes.',
  bytes_hex String COMMENT 'The raw bytes, at most 65,536 of them, hex.'
) AS SELECT
  id,
  position,
  slot,
  signature,
  processor,
  processor_version,
  code,
  reason,
  size_bytes,
  hex(bytes) AS bytes_hex
FROM mintfold.dead_letters_log FINAL
COMMENT 'What could not be understood, and why.';

CREATE VIEW IF NOT EXISTS mintfold.frames (
  position String COMMENT 'The tick that ends the frame: solana:slot.~',
  event_id String COMMENT 'position@hash8: the tick on its branch of the chain.',
  slot UInt64 COMMENT 'Slot; the order of import where is_placed is false.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far.',
  block_at Nullable(DateTime64(3, 'UTC')) COMMENT 'Block time, UTC; null where the source did not say.',
  hash Nullable(String) COMMENT 'Block hash; null where no raw frame was captured.',
  is_hash_synthetic Nullable(Bool) COMMENT 'The hash was made from the content, because the source had none.',
  parent_slot Nullable(UInt64) COMMENT 'Slot that this one builds on; null where the source did not say.',
  parent_hash Nullable(String) COMMENT 'Its hash; null where the source did not say.',
  status LowCardinality(Nullable(String)) COMMENT 'How sure the chain was at capture: processed, confirmed or finalized; null where no raw frame was captured.',
  is_final Bool COMMENT 'Finalised at capture.',
  is_placed Bool COMMENT 'False where the slot was not known.',
  is_vouched Bool COMMENT 'The importer vouched that everything about the mints of the frame is there.',
  is_whole Nullable(Bool) COMMENT 'Made from all transactions of its block; null where no raw frame was captured.',
  launchpad_transactions Nullable(UInt32) COMMENT 'Transactions of the launchpad, failed ones too; null where no raw frame was captured.',
  launchpad_failed Nullable(UInt32) COMMENT 'Those of them that failed.',
  transfers Nullable(UInt32) COMMENT 'SOL transfers of at least 0.1 SOL in other transactions.',
  failed_others Nullable(UInt32) COMMENT 'Other transactions of the block that failed.',
  transactions_total Nullable(UInt32) COMMENT 'Transactions of the block, votes included.'
) AS SELECT
  concat('solana:', toString(slot), '.~') AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tick_at,
  block_at,
  hash,
  is_hash_synthetic,
  parent_slot,
  parent_hash,
  status,
  is_final,
  is_placed,
  is_vouched,
  is_whole,
  launchpad_transactions,
  launchpad_failed,
  transfers,
  failed_others,
  transactions_total
FROM (SELECT slot, hash8, tick_at, is_final, is_placed, is_vouched FROM mintfold.ticks_log FINAL) AS ticks
LEFT JOIN (
  SELECT
    slot,
    hash8,
    block_at,
    toNullable(hash) AS hash,
    toNullable(is_hash_synthetic) AS is_hash_synthetic,
    parent_slot,
    parent_hash,
    toNullable(status) AS status,
    toNullable(is_whole) AS is_whole,
    toNullable(launchpad_transactions) AS launchpad_transactions,
    toNullable(launchpad_failed) AS launchpad_failed,
    toNullable(transfers) AS transfers,
    toNullable(failed_others) AS failed_others,
    toNullable(transactions_total) AS transactions_total
  FROM mintfold.raw_frames_log FINAL
) AS raw USING (slot, hash8)
COMMENT 'Slots of the chain as they were folded, with what their raw frames say where there were any.';

CREATE VIEW IF NOT EXISTS mintfold.gaps (
  position String COMMENT 'The first tick after the gap: solana:slot.~',
  event_id String COMMENT 'position@hash8: that tick on its branch of the chain.',
  slot UInt64 COMMENT 'Slot of that tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of that tick, UTC.',
  from_slot UInt64 COMMENT 'First slot that was not delivered.',
  to_slot UInt64 COMMENT 'Last slot that was not delivered.',
  slots UInt64 COMMENT 'Slots in between, both included; some may never have had a block.'
) AS SELECT
  concat('solana:', toString(slot), '.~') AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tick_at,
  from_slot,
  to_slot,
  to_slot - from_slot + 1 AS slots
FROM (
  SELECT
    assumeNotNull(gap_from_slot) AS from_slot,
    assumeNotNull(gap_to_slot) AS to_slot,
    argMin(ticks.hash8, ticks.slot) AS hash8,
    min(ticks.tick_at) AS tick_at,
    min(ticks.slot) AS slot
  FROM mintfold.ticks_log AS ticks FINAL
  WHERE gap_from_slot IS NOT NULL AND gap_to_slot IS NOT NULL
  GROUP BY from_slot, to_slot
) AS whole
COMMENT 'Slots that no source could deliver: mints that were open then are thin.';

CREATE VIEW IF NOT EXISTS mintfold.progress (
  sink LowCardinality(String) COMMENT 'Who writes the history.',
  up_to DateTime64(3, 'UTC') COMMENT 'Every row of ticks up to here is in the tables, stream time, UTC.'
) AS SELECT
  sink,
  up_to
FROM mintfold.progress_log FINAL
COMMENT 'How far the history is.';
