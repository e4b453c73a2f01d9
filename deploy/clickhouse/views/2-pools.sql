-- Pools of graduated coins, and the reserves that mayhem mode changes.

CREATE OR REPLACE VIEW mintfold.pools (
  position String COMMENT 'Position on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far. Windows and minutes use it.',
  at DateTime64(3, 'UTC') COMMENT 'Timestamp of the event, UTC; that of the frame if the event has none.',
  signature String COMMENT 'First signature of the transaction, base58.',
  mint String COMMENT 'The coin, base58.',
  pool String COMMENT 'Pool account, base58.',
  creator String COMMENT 'Creator of the pool.',
  pool_index Int64 COMMENT 'Index of the pool; 0 with the launchpad as creator is the canonical one.',
  is_coin_base Bool COMMENT 'False if the coin is the quote side of the pool.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'Token on the other side of the pool; null for SOL.',
  token_units Int256 COMMENT 'Coins in the pool after opening, base units.',
  quote_units Int256 COMMENT 'Other side in the pool after opening, base units.',
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
  if(mapContains(stored.exact_units, 'token_units'), stored.exact_units['token_units'], toInt256(stored.token_units)) AS token_units,
  if(mapContains(stored.exact_units, 'quote_units'), stored.exact_units['quote_units'], toInt256(stored.quote_units)) AS quote_units,
  is_mayhem
FROM mintfold.pools_log AS stored FINAL
COMMENT 'Pools that were created for a coin.';

CREATE OR REPLACE VIEW mintfold.pool_trades (
  position String COMMENT 'Position on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far. Windows and minutes use it.',
  at DateTime64(3, 'UTC') COMMENT 'Timestamp of the event, UTC; that of the frame if the event has none.',
  signature String COMMENT 'First signature of the transaction, base58.',
  mint String COMMENT 'The coin, base58.',
  pool String COMMENT 'Pool account, base58.',
  user String COMMENT 'Wallet that acted, as the event names it.',
  is_buy Bool COMMENT 'The user bought the coin, whether it is the base or the quote side of the pool.',
  is_agent Bool COMMENT 'The launchpad traded for itself (the mayhem agent, a boost): not counted in volume, buyers and holders.',
  is_coin_base Bool COMMENT 'False if the coin is the quote side of the pool.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'Token on the other side of the pool; null for SOL.',
  token_units Int256 COMMENT 'Coins, base units (6 decimals).',
  quote_units Int256 COMMENT 'Amount of the other side, without fees, base units.',
  user_quote_units Int256 COMMENT 'What the user paid of the other side, with fees, or received of it, after fees, base units.',
  pool_token_units Int256 COMMENT 'Coins in the pool before the trade, base units.',
  pool_quote_units Int256 COMMENT 'Other side in the pool before the trade, base units.',
  virtual_quote_units Nullable(Int256) COMMENT 'Virtual quote reserve of a boosted pool, may be negative; null if the layout has none.',
  pool_fee_units Int256 COMMENT 'Part of the fees that stayed in the pool, base units of the other side; 0 if the coin is the program''s quote side, and in rows older than this column.'
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
  if(mapContains(stored.exact_units, 'token_units'), stored.exact_units['token_units'], toInt256(stored.token_units)) AS token_units,
  if(mapContains(stored.exact_units, 'quote_units'), stored.exact_units['quote_units'], toInt256(stored.quote_units)) AS quote_units,
  if(mapContains(stored.exact_units, 'user_quote_units'), stored.exact_units['user_quote_units'], toInt256(stored.user_quote_units)) AS user_quote_units,
  if(mapContains(stored.exact_units, 'pool_token_units'), stored.exact_units['pool_token_units'], toInt256(stored.pool_token_units)) AS pool_token_units,
  if(mapContains(stored.exact_units, 'pool_quote_units'), stored.exact_units['pool_quote_units'], toInt256(stored.pool_quote_units)) AS pool_quote_units,
  if(mapContains(stored.exact_units, 'virtual_quote_units'), stored.exact_units['virtual_quote_units'], toInt256(stored.virtual_quote_units)) AS virtual_quote_units,
  if(mapContains(stored.exact_units, 'pool_fee_units'), stored.exact_units['pool_fee_units'], toInt256(stored.pool_fee_units)) AS pool_fee_units
FROM mintfold.pool_trades_log AS stored FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1, use_skip_indexes_if_final_exact_mode = 0
COMMENT 'Trades in pools, seen from the coin; the other side is the pool''s other token. Reserves are before the trade.';

CREATE OR REPLACE VIEW mintfold.pool_liquidity (
  position String COMMENT 'Position on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far. Windows and minutes use it.',
  at DateTime64(3, 'UTC') COMMENT 'Timestamp of the event, UTC; that of the frame if the event has none.',
  signature String COMMENT 'First signature of the transaction, base58.',
  mint String COMMENT 'The coin, base58.',
  pool String COMMENT 'Pool account, base58.',
  user String COMMENT 'Wallet that acted, as the event names it.',
  is_deposit Bool COMMENT 'True for a deposit, false for a withdrawal.',
  is_coin_base Bool COMMENT 'False if the coin is the quote side of the pool.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'Token on the other side of the pool; null for SOL.',
  token_units Int256 COMMENT 'Coins moved, base units.',
  quote_units Int256 COMMENT 'Other side moved, base units.',
  pool_token_units Int256 COMMENT 'Coins in the pool before the event, base units.',
  pool_quote_units Int256 COMMENT 'Other side in the pool before the event, base units.'
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
  if(mapContains(stored.exact_units, 'token_units'), stored.exact_units['token_units'], toInt256(stored.token_units)) AS token_units,
  if(mapContains(stored.exact_units, 'quote_units'), stored.exact_units['quote_units'], toInt256(stored.quote_units)) AS quote_units,
  if(mapContains(stored.exact_units, 'pool_token_units'), stored.exact_units['pool_token_units'], toInt256(stored.pool_token_units)) AS pool_token_units,
  if(mapContains(stored.exact_units, 'pool_quote_units'), stored.exact_units['pool_quote_units'], toInt256(stored.pool_quote_units)) AS pool_quote_units
FROM mintfold.pool_liquidity_log AS stored FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Liquidity added to or taken from pools.';

CREATE OR REPLACE VIEW mintfold.pool_boosts (
  position String COMMENT 'Position on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far. Windows and minutes use it.',
  at DateTime64(3, 'UTC') COMMENT 'Timestamp of the event, UTC; that of the frame if the event has none.',
  signature String COMMENT 'First signature of the transaction, base58.',
  mint String COMMENT 'The coin, base58.',
  pool String COMMENT 'Pool account, base58.',
  virtual_quote_units Int256 COMMENT 'Virtual quote reserve, base units.',
  real_quote_units_after Int256 COMMENT 'Real quote reserve after the boost, base units.'
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
  if(mapContains(stored.exact_units, 'virtual_quote_units'), stored.exact_units['virtual_quote_units'], toInt256(stored.virtual_quote_units)) AS virtual_quote_units,
  if(mapContains(stored.exact_units, 'real_quote_units_after'), stored.exact_units['real_quote_units_after'], toInt256(stored.real_quote_units_after)) AS real_quote_units_after
FROM mintfold.pool_boosts_log AS stored FINAL
COMMENT 'Pools that received a virtual quote reserve.';

CREATE OR REPLACE VIEW mintfold.creator_changes (
  position String COMMENT 'Position on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far. Windows and minutes use it.',
  at DateTime64(3, 'UTC') COMMENT 'Timestamp of the event, UTC; that of the frame if the event has none.',
  signature String COMMENT 'First signature of the transaction, base58.',
  mint String COMMENT 'The coin, base58.',
  creator String COMMENT 'The new creator, base58.',
  kind LowCardinality(String) COMMENT 'Name of the event.'
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
COMMENT 'Changes of the creator of a coin. They do not change the dev set of cards.';

CREATE OR REPLACE VIEW mintfold.missing_events (
  position String COMMENT 'Position on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far. Windows and minutes use it.',
  at DateTime64(3, 'UTC') COMMENT 'Timestamp of the frame, UTC.',
  signature String COMMENT 'First signature of the transaction, base58.',
  mint String COMMENT 'The coin, base58.',
  call LowCardinality(String) COMMENT 'Name of the instruction.'
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
  call
FROM mintfold.missing_events_log FINAL
COMMENT 'Calls of the launchpad that succeeded and whose event is not in the record of the node: trades of the coin may be missing.';

CREATE OR REPLACE VIEW mintfold.mayhem_reserves (
  position String COMMENT 'Position on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far. Windows and minutes use it.',
  at DateTime64(3, 'UTC') COMMENT 'Timestamp of the event, UTC; that of the frame if the event has none.',
  signature String COMMENT 'First signature of the transaction, base58.',
  mint String COMMENT 'The coin, base58.',
  virtual_token_units Int256 COMMENT 'Current virtual coins, base units.',
  virtual_quote_units Int256 COMMENT 'Current virtual quote, base units.',
  real_token_units Int256 COMMENT 'Current real coins, base units.',
  real_quote_units Int256 COMMENT 'Current real quote, base units.'
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
  if(mapContains(stored.exact_units, 'virtual_token_units'), stored.exact_units['virtual_token_units'], toInt256(stored.virtual_token_units)) AS virtual_token_units,
  if(mapContains(stored.exact_units, 'virtual_quote_units'), stored.exact_units['virtual_quote_units'], toInt256(stored.virtual_quote_units)) AS virtual_quote_units,
  if(mapContains(stored.exact_units, 'real_token_units'), stored.exact_units['real_token_units'], toInt256(stored.real_token_units)) AS real_token_units,
  if(mapContains(stored.exact_units, 'real_quote_units'), stored.exact_units['real_quote_units'], toInt256(stored.real_quote_units)) AS real_quote_units
FROM mintfold.mayhem_reserves_log AS stored FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Virtual reserves of a mayhem curve that were set without a trade.';
