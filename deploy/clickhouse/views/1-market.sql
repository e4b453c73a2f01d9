-- What analysts read: one row an event, once, without what a fork took back. A column keeps its meaning once published.
-- Amounts are integers in base units, keys are base58, times are UTC.
-- A view of days or weeks merges the rows of a key within its partition only: a row, its correction and its retraction share tick_at, and a
-- window of time then reads the partitions of that window. Where indexes are read as they are (exact_mode = 0), versions of a row that differ
-- in an indexed column do not hide each other: whoever writes such a version retracts the one before it (topology/sinks/corrected-rows.ts).

-- What analysts read: one row an event, once, without what a fork took back. A column keeps its meaning once published.
-- Amounts are integers in base units, keys are base58, times are UTC.
-- Applied as well: 26aaef47b185e92b834d4788c639edcfe40617b12bd5c3cc45e28041686764b3 (the same tables in words that ClickHouse 25.8 cannot read).

CREATE OR REPLACE VIEW mintfold.launches (
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
  virtual_token_units Nullable(Int256) COMMENT 'Virtual coins of the curve at the start, base units; null in the oldest layout.',
  virtual_quote_units Nullable(Int256) COMMENT 'Virtual quote of the curve at the start, base units.',
  real_token_units Nullable(Int256) COMMENT 'Coins that the curve has to sell, base units.',
  supply_units Nullable(Int256) COMMENT 'Total supply of the event, base units.',
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
  if(mapContains(stored.exact_units, 'virtual_token_units'), stored.exact_units['virtual_token_units'], toInt256(stored.virtual_token_units)) AS virtual_token_units,
  if(mapContains(stored.exact_units, 'virtual_quote_units'), stored.exact_units['virtual_quote_units'], toInt256(stored.virtual_quote_units)) AS virtual_quote_units,
  if(mapContains(stored.exact_units, 'real_token_units'), stored.exact_units['real_token_units'], toInt256(stored.real_token_units)) AS real_token_units,
  if(mapContains(stored.exact_units, 'supply_units'), stored.exact_units['supply_units'], toInt256(stored.supply_units)) AS supply_units,
  layout
FROM mintfold.launches_log AS stored FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Tokens launched on the curve.';

CREATE OR REPLACE VIEW mintfold.trades (
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
  token_units Int256 COMMENT 'Coins, base units (6 decimals).',
  quote_units Int256 COMMENT 'Quote without fees, base units: lamports where quote_mint is null.',
  fee_units Nullable(Int256) COMMENT 'Protocol fee, quote base units; null in old layouts.',
  creator_fee_units Nullable(Int256) COMMENT 'Creator or cashback fee, quote base units; null in old layouts.',
  virtual_quote_units Int256 COMMENT 'Virtual quote reserve after the trade.',
  virtual_token_units Int256 COMMENT 'Virtual coin reserve after the trade.',
  real_quote_units Nullable(Int256) COMMENT 'Real quote reserve after the trade; null in the oldest layout.',
  real_token_units Nullable(Int256) COMMENT 'Real coin reserve after the trade; null in the oldest layout.',
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
  if(mapContains(stored.exact_units, 'token_units'), stored.exact_units['token_units'], toInt256(stored.token_units)) AS token_units,
  if(mapContains(stored.exact_units, 'quote_units'), stored.exact_units['quote_units'], toInt256(stored.quote_units)) AS quote_units,
  if(mapContains(stored.exact_units, 'fee_units'), stored.exact_units['fee_units'], toInt256(stored.fee_units)) AS fee_units,
  if(mapContains(stored.exact_units, 'creator_fee_units'), stored.exact_units['creator_fee_units'], toInt256(stored.creator_fee_units)) AS creator_fee_units,
  if(mapContains(stored.exact_units, 'virtual_quote_units'), stored.exact_units['virtual_quote_units'], toInt256(stored.virtual_quote_units)) AS virtual_quote_units,
  if(mapContains(stored.exact_units, 'virtual_token_units'), stored.exact_units['virtual_token_units'], toInt256(stored.virtual_token_units)) AS virtual_token_units,
  if(mapContains(stored.exact_units, 'real_quote_units'), stored.exact_units['real_quote_units'], toInt256(stored.real_quote_units)) AS real_quote_units,
  if(mapContains(stored.exact_units, 'real_token_units'), stored.exact_units['real_token_units'], toInt256(stored.real_token_units)) AS real_token_units,
  creator,
  layout
FROM mintfold.trades_log AS stored FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1, use_skip_indexes_if_final_exact_mode = 0
COMMENT 'Trades on the curve. Reserves are after the trade.';

CREATE OR REPLACE VIEW mintfold.completions (
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

CREATE OR REPLACE VIEW mintfold.post_complete_buys (
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
  token_units Int256 COMMENT 'Coins that the buyer got beyond the curve, base units.',
  quote_units Int256 COMMENT 'Quote paid for them, base units.',
  pool_token_units_after Int256 COMMENT 'Coins with which the pool will open, base units.',
  pool_quote_units_after Int256 COMMENT 'Quote with which the pool will open, base units.'
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
  if(mapContains(stored.exact_units, 'token_units'), stored.exact_units['token_units'], toInt256(stored.token_units)) AS token_units,
  if(mapContains(stored.exact_units, 'quote_units'), stored.exact_units['quote_units'], toInt256(stored.quote_units)) AS quote_units,
  if(mapContains(stored.exact_units, 'pool_token_units_after'), stored.exact_units['pool_token_units_after'], toInt256(stored.pool_token_units_after)) AS pool_token_units_after,
  if(mapContains(stored.exact_units, 'pool_quote_units_after'), stored.exact_units['pool_quote_units_after'], toInt256(stored.pool_quote_units_after)) AS pool_quote_units_after
FROM mintfold.post_complete_buys_log AS stored FINAL
COMMENT 'Parts of a synthetic migration''s buy that fell to the future pool.';

CREATE OR REPLACE VIEW mintfold.migrations (
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
  token_units Int256 COMMENT 'Coins moved to the pool, base units.',
  quote_units Int256 COMMENT 'Quote moved to the pool, base units.',
  fee_units Int256 COMMENT 'Migration fee, quote base units.'
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
  if(mapContains(stored.exact_units, 'token_units'), stored.exact_units['token_units'], toInt256(stored.token_units)) AS token_units,
  if(mapContains(stored.exact_units, 'quote_units'), stored.exact_units['quote_units'], toInt256(stored.quote_units)) AS quote_units,
  if(mapContains(stored.exact_units, 'fee_units'), stored.exact_units['fee_units'], toInt256(stored.fee_units)) AS fee_units
FROM mintfold.migrations_log AS stored FINAL
COMMENT 'Curves that moved to a pool.';
