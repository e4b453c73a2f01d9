-- Public views of the alt chain: one row per event, without duplicates and without retracted events. A column keeps its meaning once published.
-- Amounts are exact integers in base units, addresses are hex in lower case, times are UTC.

CREATE OR REPLACE VIEW mintfold.alt_launches (
  position String COMMENT 'Position on the chain: alt:block.transaction.log.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0.',
  log_index UInt32 COMMENT 'Log in the block, from 0.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the block, UTC, whole seconds: the newest block time so far. Windows and minutes use it; ten blocks share a second, and block orders them.',
  tx_hash String COMMENT 'Hash of the transaction.',
  token String COMMENT 'The token, an address in lower case.',
  curve String COMMENT 'Curve contract.',
  deployer String COMMENT 'Deployer named by the launch.',
  launcher Nullable(String) COMMENT 'Wallet that launched through the launch router; null if the factory was called in another way.',
  tx_from Nullable(String) COMMENT 'Sender of the transaction; null if the source did not give it.',
  tx_to Nullable(String) COMMENT 'Contract that the transaction called; null if the source did not give it.',
  route LowCardinality(String) COMMENT 'direct, the name of the router that was called, or other.',
  pair_token LowCardinality(Nullable(String)) COMMENT 'The quote token of the token; null for ETH.',
  pair_decimals Nullable(UInt32) COMMENT 'Decimals of the pair; null if unknown.',
  pair_decimals_reason Nullable(String) COMMENT 'Why pair_decimals is null.',
  config_id UInt256 COMMENT 'The factory''s launch configuration.',
  threshold_units UInt256 COMMENT 'Real quote at which the curve is full, base units of the pair.',
  virtual_quote_units UInt256 COMMENT 'Initial virtual quote reserve, base units.',
  supply_units Nullable(UInt256) COMMENT 'Tokens minted to the curve at the launch, base units; null if no such transfer was seen.',
  snipe_exempt Array(String) COMMENT 'Accounts that the launch exempts from the snipe tax.'
) AS SELECT
  concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index)) AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tx_index,
  log_index,
  tick_at,
  tx_hash,
  token,
  curve,
  deployer,
  launcher,
  tx_from,
  tx_to,
  route,
  pair_token,
  pair_decimals,
  pair_decimals_reason,
  config_id,
  threshold_units,
  virtual_quote_units,
  supply_units,
  snipe_exempt
FROM mintfold.alt_launches_log FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Tokens launched on a curve.';

CREATE OR REPLACE VIEW mintfold.alt_trades (
  position String COMMENT 'Position on the chain: alt:block.transaction.log.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0.',
  log_index UInt32 COMMENT 'Log in the block, from 0.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the block, UTC, whole seconds: the newest block time so far. Windows and minutes use it; ten blocks share a second, and block orders them.',
  tx_hash String COMMENT 'Hash of the transaction.',
  token String COMMENT 'The token, an address in lower case.',
  curve String COMMENT 'Curve contract.',
  pair_token LowCardinality(Nullable(String)) COMMENT 'The quote token of the token; null for ETH.',
  is_buy Bool COMMENT 'Tokens left the curve.',
  user String COMMENT 'Caller of the curve that the event names: a wallet or a router.',
  recipient String COMMENT 'Recipient of the tokens of a buy, or of the quote of a sell.',
  wallet Nullable(String) COMMENT 'Wallet that traded; null if unknown.',
  wallet_by LowCardinality(Nullable(String)) COMMENT 'How the wallet was found: direct, recipient, transfer, fill or sender; null if wallet is null.',
  tx_from Nullable(String) COMMENT 'Sender of the transaction; null if the source did not give it.',
  tx_to Nullable(String) COMMENT 'Contract that the transaction called; null if the source did not give it.',
  route LowCardinality(String) COMMENT 'direct, the name of the router that was called, or other.',
  token_units UInt256 COMMENT 'Tokens, base units (18 decimals).',
  quote_units UInt256 COMMENT 'Quote that entered or left the curve, base units: for a buy without fee and tax, for a sell including them. Its running sum is the real reserve.',
  user_quote_units UInt256 COMMENT 'What the caller paid (less a refund) or received, base units of quote.',
  fee_units UInt256 COMMENT 'Fee in quote, base units; for a buy it includes the snipe tax.',
  creator_fee_units UInt256 COMMENT 'Creator''s tax in quote, base units.',
  snipe_tax_units UInt256 COMMENT 'Snipe tax of the buy in quote, base units, a part of fee_units; 0 if none was charged.'
) AS SELECT
  concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index)) AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tx_index,
  log_index,
  tick_at,
  tx_hash,
  token,
  curve,
  pair_token,
  is_buy,
  user,
  recipient,
  wallet,
  wallet_by,
  tx_from,
  tx_to,
  route,
  token_units,
  quote_units,
  user_quote_units,
  fee_units,
  creator_fee_units,
  snipe_tax_units
FROM mintfold.alt_trades_log FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1, use_skip_indexes_if_final_exact_mode = 0
COMMENT 'Trades on curves.';

CREATE OR REPLACE VIEW mintfold.alt_completions (
  position String COMMENT 'Position on the chain: alt:block.transaction.log.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0.',
  log_index UInt32 COMMENT 'Log in the block, from 0.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the block, UTC, whole seconds: the newest block time so far. Windows and minutes use it; ten blocks share a second, and block orders them.',
  tx_hash String COMMENT 'Hash of the transaction.',
  token String COMMENT 'The token, an address in lower case.',
  curve String COMMENT 'Curve contract.',
  pair_token LowCardinality(Nullable(String)) COMMENT 'The quote token of the token; null for ETH.',
  recipient String COMMENT 'Recipient of the curve''s reserves: the factory.',
  token_units UInt256 COMMENT 'Tokens that left the curve, base units.',
  quote_units UInt256 COMMENT 'Quote that left the curve, base units: the real reserve.',
  swept_token_units Nullable(UInt256) COMMENT 'Tokens that the factory''s event in the same transaction names, base units; null without such an event.',
  swept_quote_units Nullable(UInt256) COMMENT 'Quote that the factory''s event in the same transaction names, base units; null without such an event.'
) AS SELECT
  concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index)) AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tx_index,
  log_index,
  tick_at,
  tx_hash,
  token,
  curve,
  pair_token,
  recipient,
  token_units,
  quote_units,
  swept_token_units,
  swept_quote_units
FROM mintfold.alt_completions_log FINAL
COMMENT 'Curves that sold all tokens for sale.';

CREATE OR REPLACE VIEW mintfold.alt_migrations (
  position String COMMENT 'Position on the chain: alt:block.transaction.log.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0.',
  log_index UInt32 COMMENT 'Log in the block, from 0.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the block, UTC, whole seconds: the newest block time so far. Windows and minutes use it; ten blocks share a second, and block orders them.',
  tx_hash String COMMENT 'Hash of the transaction.',
  token String COMMENT 'The token, an address in lower case.',
  curve Nullable(String) COMMENT 'Curve contract; null if the launch is unknown.',
  position_id UInt256 COMMENT 'Id of the liquidity position in the pool.',
  pool_id Nullable(String) COMMENT 'Id of the pool, hex with 0x; null if the transaction does not contain it.',
  token_units UInt256 COMMENT 'Tokens moved to the pool, base units.',
  quote_units UInt256 COMMENT 'Quote moved to the pool, base units.'
) AS SELECT
  concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index)) AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tx_index,
  log_index,
  tick_at,
  tx_hash,
  token,
  curve,
  position_id,
  pool_id,
  token_units,
  quote_units
FROM mintfold.alt_migrations_log FINAL
COMMENT 'Tokens that graduated to a pool.';

CREATE OR REPLACE VIEW mintfold.alt_refunds (
  position String COMMENT 'Position on the chain: alt:block.transaction.log.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0.',
  log_index UInt32 COMMENT 'Log in the block, from 0.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the block, UTC, whole seconds: the newest block time so far. Windows and minutes use it; ten blocks share a second, and block orders them.',
  tx_hash String COMMENT 'Hash of the transaction.',
  token String COMMENT 'The token, an address in lower case.',
  curve String COMMENT 'Curve contract.',
  pair_token LowCardinality(Nullable(String)) COMMENT 'The quote token of the token; null for ETH.',
  user String COMMENT 'Recipient of the refund: the caller of the curve.',
  quote_units UInt256 COMMENT 'Quote paid back, base units.'
) AS SELECT
  concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index)) AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tx_index,
  log_index,
  tick_at,
  tx_hash,
  token,
  curve,
  pair_token,
  user,
  quote_units
FROM mintfold.alt_refunds_log FINAL
COMMENT 'Refunds of buys that fill a curve: the part of the payment that exceeds what the curve still needs.';

CREATE OR REPLACE VIEW mintfold.alt_buybacks (
  position String COMMENT 'Position on the chain: alt:block.transaction.log.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0.',
  log_index UInt32 COMMENT 'Log in the block, from 0.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the block, UTC, whole seconds: the newest block time so far. Windows and minutes use it; ten blocks share a second, and block orders them.',
  tx_hash String COMMENT 'Hash of the transaction.',
  token String COMMENT 'The token, an address in lower case.',
  curve String COMMENT 'Curve contract.',
  pair_token LowCardinality(Nullable(String)) COMMENT 'The quote token of the token; null for ETH.',
  token_units UInt256 COMMENT 'Tokens that left the reserve permanently, base units.',
  quote_units UInt256 COMMENT 'Quote added to the reserve, base units.'
) AS SELECT
  concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index)) AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tx_index,
  log_index,
  tick_at,
  tx_hash,
  token,
  curve,
  pair_token,
  token_units,
  quote_units
FROM mintfold.alt_buybacks_log FINAL
COMMENT 'Tokens that a curve bought and locked permanently: both reserves change as by a buy.';

CREATE OR REPLACE VIEW mintfold.alt_transfers (
  position String COMMENT 'Position on the chain: alt:block.transaction.log.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0.',
  log_index UInt32 COMMENT 'Log in the block, from 0.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the block, UTC, whole seconds: the newest block time so far. Windows and minutes use it; ten blocks share a second, and block orders them.',
  tx_hash String COMMENT 'Hash of the transaction.',
  token String COMMENT 'The token, an address in lower case.',
  sender String COMMENT 'Sender; the zero address means a mint.',
  recipient String COMMENT 'Recipient; the zero address means a burn.',
  token_units UInt256 COMMENT 'Tokens, base units (18 decimals).'
) AS SELECT
  concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index)) AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tx_index,
  log_index,
  tick_at,
  tx_hash,
  token,
  sender,
  recipient,
  token_units
FROM mintfold.alt_transfers_log FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1, use_skip_indexes_if_final_exact_mode = 0
COMMENT 'Token transfers, including those by trades; tokens minted by the launch are only in the launch.';

CREATE OR REPLACE VIEW mintfold.alt_curve_events (
  position String COMMENT 'Position on the chain: alt:block.transaction.log.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0.',
  log_index UInt32 COMMENT 'Log in the block, from 0.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the block, UTC, whole seconds: the newest block time so far. Windows and minutes use it; ten blocks share a second, and block orders them.',
  tx_hash String COMMENT 'Hash of the transaction.',
  token String COMMENT 'The token, an address in lower case.',
  curve Nullable(String) COMMENT 'Curve contract; null if the launch is unknown.',
  kind LowCardinality(String) COMMENT 'Name of the event: LaunchSwept and LaunchForceSwept (the factory took a full curve over without its completion), FeesSwept, SnipeTaxExempted (after the launch), AutoGraduationFailed, or a rescue.',
  account Nullable(String) COMMENT 'The account that is exempted from the snipe tax, or that is paid; null if the event has none.',
  creator_account Nullable(String) COMMENT 'Recipient of the creator''s part; null if the event has none.',
  token_units Nullable(UInt256) COMMENT 'Tokens, base units; null if the event has none.',
  quote_units Nullable(UInt256) COMMENT 'Quote, base units; of fees only the launchpad''s part; null if the event has none.',
  buyback_units Nullable(UInt256) COMMENT 'Quote for the buyback, base units; null if the event has none.',
  creator_units Nullable(UInt256) COMMENT 'Creator''s part of the quote, base units; null if the event has none.',
  gas_remaining Nullable(UInt256) COMMENT 'Gas left when AutoGraduationFailed was emitted; null for other events.'
) AS SELECT
  concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index)) AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tx_index,
  log_index,
  tick_at,
  tx_hash,
  token,
  curve,
  kind,
  account,
  creator_account,
  token_units,
  quote_units,
  buyback_units,
  creator_units,
  gas_remaining
FROM mintfold.alt_curve_events_log FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Rare events of curves: sweeps, fees, exemptions, failed graduations, rescues.';

CREATE OR REPLACE VIEW mintfold.alt_flags (
  finding_id String COMMENT 'position@hash8:detector:token.',
  position String COMMENT 'Position on the chain: alt:block.transaction.log; alt:block.~ for the tick that ends a block.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0; 4294967295 for the tick that ends it.',
  log_index UInt32 COMMENT 'Log in the block, from 0; 4294967295 for the tick that ends it.',
  at DateTime64(3, 'UTC') COMMENT 'Block time of the causing event or tick, UTC.',
  token String COMMENT 'The token, an address in lower case.',
  deployer Nullable(String) COMMENT 'Deployer of the launch.',
  flag LowCardinality(String) COMMENT 'Name of the flag (the mechanism), as in /v1/labels.',
  detector LowCardinality(String) COMMENT 'Id of the detector.',
  detector_version UInt32 COMMENT 'Version of the detector.',
  detector_hash LowCardinality(Nullable(String)) COMMENT 'SHA-256 of the detector''s code and constants, hex; null if the detector was not registered, or if the finding is older than stored hashes.',
  age_s Nullable(Int64) COMMENT 'Age of the curve at the time of the finding, seconds.',
  evidence String COMMENT 'JSON object; /v1/labels describes its fields.',
  events Array(String) COMMENT 'Ids of the events that prove the finding, the causing one last.'
) AS SELECT
  id AS finding_id,
  if(tx_index = 4294967295, concat('alt:', toString(block), '.~'), concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index))) AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tx_index,
  log_index,
  at,
  token,
  deployer,
  flag,
  detector,
  detector_version,
  detector_hash,
  age_s,
  evidence,
  events
FROM mintfold.alt_flags_log FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Findings of detectors, once per token and mechanism.';

CREATE OR REPLACE VIEW mintfold.alt_shadow_flags (
  finding_id String COMMENT 'position@hash8:detector:token.',
  position String COMMENT 'Position on the chain: alt:block.transaction.log; alt:block.~ for the tick that ends a block.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0; 4294967295 for the tick that ends it.',
  log_index UInt32 COMMENT 'Log in the block, from 0; 4294967295 for the tick that ends it.',
  at DateTime64(3, 'UTC') COMMENT 'Block time of the causing event or tick, UTC.',
  token String COMMENT 'The token, an address in lower case.',
  deployer Nullable(String) COMMENT 'Deployer of the launch.',
  flag LowCardinality(String) COMMENT 'Name of the flag (the mechanism), as in /v1/labels.',
  detector LowCardinality(String) COMMENT 'Id of the detector.',
  detector_version UInt32 COMMENT 'Version of the detector.',
  detector_hash LowCardinality(Nullable(String)) COMMENT 'SHA-256 of the detector''s code and constants, hex; null if the detector was not registered, or if the finding is older than stored hashes.',
  age_s Nullable(Int64) COMMENT 'Age of the curve at the time of the finding, seconds.',
  evidence String COMMENT 'JSON object.',
  events Array(String) COMMENT 'Ids of the events that prove the finding, the causing one last.'
) AS SELECT
  id AS finding_id,
  if(tx_index = 4294967295, concat('alt:', toString(block), '.~'), concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index))) AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tx_index,
  log_index,
  at,
  token,
  deployer,
  flag,
  detector,
  detector_version,
  detector_hash,
  age_s,
  evidence,
  events
FROM mintfold.alt_shadow_flags_log FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Findings of shadow detectors, once per token and mechanism: not shown on cards.';

CREATE OR REPLACE VIEW mintfold.alt_outcomes (
  outcome_id String COMMENT 'position@hash8:processor:token:0.',
  position String COMMENT 'Position on the chain: alt:block.transaction.log; alt:block.~ for the tick that ends a block.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0; 4294967295 for the tick that ends it.',
  log_index UInt32 COMMENT 'Log in the block, from 0; 4294967295 for the tick that ends it.',
  at DateTime64(3, 'UTC') COMMENT 'Block time of the causing event or tick, UTC.',
  token String COMMENT 'The token, an address in lower case.',
  deployer String COMMENT 'Deployer of the launch.',
  t0 DateTime64(3, 'UTC') COMMENT 'Launch, UTC.',
  block0 UInt64 COMMENT 'Block of the launch.',
  graduated Nullable(Bool) COMMENT 'The token moved to a pool; null if unknown.',
  rugged Nullable(Bool) COMMENT 'Drained, or dumped by its deployer; null if unknown.',
  rug_kind LowCardinality(Nullable(String)) COMMENT 'drain or dev_dump; null without a rug.',
  rug_dt_s Nullable(Int64) COMMENT 'Launch to rug, seconds.',
  peak_quote_units UInt256 COMMENT 'Peak of the real reserve, base units of quote.',
  terminal_quote_units UInt256 COMMENT 'Real reserve at the settlement, base units of quote.',
  pair_token LowCardinality(Nullable(String)) COMMENT 'The quote token of the token; null for ETH.',
  deployer_first_sell_dt_s Nullable(Int64) COMMENT 'Launch to the deployer''s first sell, seconds; null if it never sold.',
  deployer_buy_quote_units UInt256 COMMENT 'Quote that the deployer spent in the launch block, base units.',
  n_trades UInt64 COMMENT 'Trades on the curve.',
  n_buyers UInt64 COMMENT 'Wallets that bought.',
  self_graduated Bool COMMENT 'The curve was completed in the block of its launch.',
  censored LowCardinality(Nullable(String)) COMMENT 'Reason why labels are null; null if nothing is missing.'
) AS SELECT
  id AS outcome_id,
  if(tx_index = 4294967295, concat('alt:', toString(block), '.~'), concat('alt:', toString(block), '.', toString(tx_index), '.', toString(log_index))) AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tx_index,
  log_index,
  at,
  token,
  deployer,
  t0,
  block0,
  graduated,
  rugged,
  rug_kind,
  rug_dt_s,
  peak_quote_units,
  terminal_quote_units,
  pair_token,
  deployer_first_sell_dt_s,
  deployer_buy_quote_units,
  n_trades,
  n_buyers,
  self_graduated,
  censored
FROM mintfold.alt_outcomes_log FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Outcomes of launches: settled once, at graduation or after an hour without a trade.';

CREATE OR REPLACE VIEW mintfold.alt_frames (
  position String COMMENT 'The tick that ends the block: alt:block.~',
  event_id String COMMENT 'position@hash8: the tick on its branch of the chain.',
  block UInt64 COMMENT 'Block; the last one of a run of blocks without launchpad events.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the block, UTC: the newest block time so far.',
  block_at Nullable(DateTime64(3, 'UTC')) COMMENT 'Block time, UTC; null if the source did not give it.',
  hash Nullable(String) COMMENT 'Block hash, hex without 0x; null if no raw frame was captured.',
  parent_block Nullable(UInt64) COMMENT 'Parent of this block, or of the first of its run; null if the source did not give it.',
  parent_hash Nullable(String) COMMENT 'Hash of the parent; null if the source did not give it.',
  status LowCardinality(Nullable(String)) COMMENT 'Finality at capture: processed, confirmed or finalized; null if no raw frame was captured.',
  is_final Bool COMMENT 'The source reported the block as finalized when it was captured.',
  is_placed Bool COMMENT 'False if the number of the block was unknown.',
  is_vouched Bool COMMENT 'The importer guaranteed that all curve events of the block are included.',
  is_whole Nullable(Bool) COMMENT 'Made from all logs of its block; null where no raw frame was captured.',
  launchpad_transactions Nullable(UInt32) COMMENT 'Transactions with events of the launchpad; null if the block could not be read.'
) AS SELECT
  concat('alt:', toString(block), '.~') AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tick_at,
  block_at,
  hash,
  parent_block,
  parent_hash,
  status,
  is_final,
  is_placed,
  is_vouched,
  is_whole,
  ticks.launchpad_transactions AS launchpad_transactions
FROM (
  SELECT block, hash8, block_at, toNullable(hash) AS hash, parent_block, parent_hash, toNullable(status) AS status, toNullable(is_whole) AS is_whole
  FROM mintfold.alt_raw_frames_log FINAL
) AS raw
RIGHT JOIN (
  SELECT block, hash8, tick_at, is_final, is_placed, is_vouched, launchpad_transactions FROM mintfold.alt_ticks_log FINAL
) AS ticks USING (block, hash8)
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Blocks of the chain as they were folded, with the fields of their raw frames. Filter by block: a range of blocks reads only that range.';

CREATE OR REPLACE VIEW mintfold.alt_gaps (
  position String COMMENT 'The first tick after the gap: alt:block.~',
  event_id String COMMENT 'position@hash8: that tick on its branch of the chain.',
  block UInt64 COMMENT 'Block of that tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of that tick, UTC.',
  from_block UInt64 COMMENT 'First block that was not delivered.',
  to_block UInt64 COMMENT 'Last block that was not delivered.',
  blocks UInt64 COMMENT 'Number of blocks from from_block to to_block, both included.',
  reason Nullable(String) COMMENT 'The source''s reason; null if it gave none.'
) AS SELECT
  concat('alt:', toString(block), '.~') AS position,
  concat(position, '@', hash8) AS event_id,
  block,
  tick_at,
  from_block,
  to_block,
  to_block - from_block + 1 AS blocks,
  reason
FROM (
  SELECT block, hash8, tick_at, from_block, to_block, nullIf(arrayStringConcat(arrayDistinct(raw.missing_reasons), '; '), '') AS reason
  FROM (
    SELECT
      assumeNotNull(gap_from_block) AS from_block,
      assumeNotNull(gap_to_block) AS to_block,
      argMin(ticks.hash8, ticks.block) AS hash8,
      min(ticks.tick_at) AS tick_at,
      min(ticks.block) AS block
    FROM mintfold.alt_ticks_log AS ticks FINAL
    WHERE gap_from_block IS NOT NULL AND gap_to_block IS NOT NULL
    GROUP BY from_block, to_block
  ) AS gap
  LEFT JOIN (
    SELECT block, hash8, missing_reasons FROM mintfold.alt_raw_frames_log FINAL
    WHERE block IN (SELECT block FROM mintfold.alt_ticks_log WHERE gap_from_block IS NOT NULL)
  ) AS raw USING (block, hash8)
  UNION ALL
  SELECT to_block + 1 AS block, hash8, tick_at, from_block, to_block,
    concat(toString(to_offset - from_offset), ' records of ', topic, ', partition ', toString(partition), ', expired before they were written to the history: its retention is too short') AS reason
  FROM mintfold.alt_lost_rows_log FINAL
)
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Blocks that no source delivered, or that had expired from the log before they were written here: curves that were open then are thin.';

CREATE OR REPLACE VIEW mintfold.alt_dead_letters (
  id String COMMENT 'position@hash8:processor:n.',
  position String COMMENT 'Source position; a position in a topic if the chain position is unknown.',
  block Nullable(UInt64) COMMENT 'Block; null if unknown.',
  tx_hash Nullable(String) COMMENT 'Hash of the transaction; null if unknown.',
  processor LowCardinality(String) COMMENT 'Processor that could not decode the record.',
  processor_version UInt32 COMMENT 'Its version.',
  code LowCardinality(String) COMMENT 'Code of the fault, from a closed list.',
  reason String COMMENT 'One sentence with the facts.',
  size_bytes UInt64 COMMENT 'Size of the raw bytes.',
  bytes_hex String COMMENT 'The raw bytes, at most 65,536 of them, hex.'
) AS SELECT
  id,
  position,
  block,
  signature AS tx_hash,
  processor,
  processor_version,
  code,
  reason,
  size_bytes,
  hex(bytes) AS bytes_hex
FROM mintfold.alt_dead_letters_log FINAL
COMMENT 'Records that could not be decoded, and why.';

CREATE OR REPLACE VIEW mintfold.alt_progress (
  log LowCardinality(String) COMMENT 'Id of the log that wrote the rows.',
  source Nullable(String) COMMENT 'Source of its blocks, as in meta.source; null if unknown.',
  since DateTime64(3, 'UTC') COMMENT 'Earlier rows do not come from this log, UTC.',
  up_to DateTime64(3, 'UTC') COMMENT 'The tables have all rows of the frames up to this stream time, UTC.',
  is_filling Bool COMMENT 'True: this log fills the tables now. False: it did before another log took over.'
) AS SELECT
  reached.sink AS log,
  nullIf(known.source, '') AS source,
  known.since AS since,
  reached.up_to AS up_to,
  toBool(ifNull(reached.sink = (SELECT argMax(log, began_at) FROM mintfold.alt_logs_log), false)) AS is_filling
FROM (SELECT sink, up_to FROM mintfold.alt_progress_log FINAL) AS reached
LEFT JOIN (SELECT log, source, since FROM mintfold.alt_logs_log FINAL) AS known ON known.log = reached.sink
ORDER BY log
COMMENT 'How far the history of the alt chain is complete, one row for each log that filled it.';

CREATE OR REPLACE VIEW mintfold.alt_regime_minutes (
  minute DateTime('UTC') COMMENT 'Minute of stream time, UTC.',
  launches UInt64 COMMENT 'Tokens launched.',
  buys UInt64 COMMENT 'Buys on curves.',
  sells UInt64 COMMENT 'Sells on curves.',
  buy_wei UInt256 COMMENT 'What buyers of ETH pairs paid, wei.',
  sell_wei UInt256 COMMENT 'What sellers of ETH pairs received, wei.',
  snipe_tax_wei UInt256 COMMENT 'Snipe tax charged on ETH pairs, wei.',
  graduations UInt64 COMMENT 'Tokens that moved to a pool.'
) AS SELECT
  toStartOfMinute(toDateTime(tick_at, 'UTC')) AS minute,
  countIf(kind = 'launch') AS launches,
  countIf(kind = 'buy') AS buys,
  countIf(kind = 'sell') AS sells,
  sumIf(wei, kind = 'buy') AS buy_wei,
  sumIf(wei, kind = 'sell') AS sell_wei,
  sum(tax) AS snipe_tax_wei,
  countIf(kind = 'graduation') AS graduations
FROM (
  SELECT tick_at, 'launch' AS kind, toUInt256(0) AS wei, toUInt256(0) AS tax FROM mintfold.alt_launches
  UNION ALL
  SELECT tick_at, if(is_buy, 'buy', 'sell') AS kind, if(pair_token IS NULL, user_quote_units, toUInt256(0)) AS wei, if(pair_token IS NULL, snipe_tax_units, toUInt256(0)) AS tax FROM mintfold.alt_trades
  UNION ALL
  SELECT tick_at, 'graduation' AS kind, toUInt256(0) AS wei, toUInt256(0) AS tax FROM mintfold.alt_migrations
)
GROUP BY minute
ORDER BY minute
COMMENT 'The market of curves by minute. Filter by minute.';

CREATE OR REPLACE VIEW mintfold.alt_base_rates (
  window_days UInt8 COMMENT 'Days of stream time that are covered.',
  launches UInt64 COMMENT 'Launches that settled in these days, with all labels known.',
  grad_rate Nullable(Float64) COMMENT 'Share of these launches that graduated; null if there are none.',
  rug_rate Nullable(Float64) COMMENT 'Share of them that was drained, or dumped by its deployer; null if there are none.',
  deployer_sold_rate Nullable(Float64) COMMENT 'Share of them whose deployer sold; null if there are none.',
  as_of Nullable(DateTime64(3, 'UTC')) COMMENT 'The newest settlement, UTC.'
) AS SELECT
  toUInt8(7) AS window_days,
  count() AS launches,
  if(launches = 0, NULL, countIf(graduated = true) / launches) AS grad_rate,
  if(launches = 0, NULL, countIf(rugged = true) / launches) AS rug_rate,
  if(launches = 0, NULL, countIf(deployer_first_sell_dt_s IS NOT NULL) / launches) AS deployer_sold_rate,
  maxOrNull(at) AS as_of
FROM mintfold.alt_outcomes
WHERE graduated IS NOT NULL AND rugged IS NOT NULL AND at >= (SELECT max(up_to) FROM mintfold.alt_progress WHERE is_filling) - INTERVAL 7 DAY
COMMENT 'Rates over the launches that settled in the last 7 days.';
