-- Conclusions of the folds: flags, outcomes, and the roles of wallets at launches.

CREATE OR REPLACE VIEW mintfold.flags (
  finding_id String COMMENT 'position@hash8:detector:mint.',
  position String COMMENT 'Position on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  at DateTime64(3, 'UTC') COMMENT 'Block time of the causing event, UTC.',
  mint String COMMENT 'The coin, base58.',
  creator Nullable(String) COMMENT 'Creator of the launch, base58.',
  flag LowCardinality(String) COMMENT 'Name of the flag (the mechanism), as in /v1/labels.',
  detector LowCardinality(String) COMMENT 'Id of the detector.',
  detector_version UInt32 COMMENT 'Version of the detector.',
  detector_hash LowCardinality(Nullable(String)) COMMENT 'SHA-256 of the detector''s code and constants, hex; null if the detector was not registered, or if the finding is older than stored hashes.',
  mint_age_s Nullable(Int64) COMMENT 'Age of the mint at the time of the finding, seconds.',
  evidence String COMMENT 'JSON object; /v1/labels describes its fields.',
  events Array(String) COMMENT 'Ids of the events that prove the finding, the causing one last.'
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
  detector_hash,
  mint_age_s,
  evidence,
  events
FROM mintfold.flags_log FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Findings of detectors, once per mint and mechanism.';

CREATE OR REPLACE VIEW mintfold.shadow_flags (
  finding_id String COMMENT 'position@hash8:detector:mint.',
  position String COMMENT 'Position on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  at DateTime64(3, 'UTC') COMMENT 'Block time of the causing event, UTC.',
  mint String COMMENT 'The coin, base58.',
  creator Nullable(String) COMMENT 'Creator of the launch, base58.',
  flag LowCardinality(String) COMMENT 'Name of the flag (the mechanism), as in /v1/labels.',
  detector LowCardinality(String) COMMENT 'Id of the detector.',
  detector_version UInt32 COMMENT 'Version of the detector.',
  detector_hash LowCardinality(Nullable(String)) COMMENT 'SHA-256 of the detector''s code and constants, hex; null if the detector was not registered, or if the finding is older than stored hashes.',
  mint_age_s Nullable(Int64) COMMENT 'Age of the mint at the time of the finding, seconds.',
  evidence String COMMENT 'JSON object.',
  events Array(String) COMMENT 'Ids of the events that prove the finding, the causing one last.'
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
  detector_hash,
  mint_age_s,
  evidence,
  events
FROM mintfold.shadow_flags_log FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Findings of shadow detectors, once per mint and mechanism: graded in detector_scorecard, but not shown on cards.';

CREATE OR REPLACE VIEW mintfold.retracted_flags (
  finding_id String COMMENT 'position@hash8:detector:mint.',
  position String COMMENT 'Position on the orphaned branch: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  at DateTime64(3, 'UTC') COMMENT 'Block time of the causing event, UTC.',
  mint String COMMENT 'The coin, base58.',
  creator Nullable(String) COMMENT 'Creator of the launch, base58.',
  flag LowCardinality(String) COMMENT 'Name of the flag (the mechanism), as in /v1/labels.',
  detector LowCardinality(String) COMMENT 'Id of the detector.',
  detector_version UInt32 COMMENT 'Version of the detector.',
  detector_hash LowCardinality(Nullable(String)) COMMENT 'SHA-256 of the detector''s code and constants, hex; null if the detector was not registered, or if the finding is older than stored hashes.',
  mint_age_s Nullable(Int64) COMMENT 'Age of the mint at the time of the finding, seconds.',
  evidence String COMMENT 'JSON object; /v1/labels describes its fields.',
  events Array(String) COMMENT 'Ids of the events that proved the finding, the causing one last; after a fork they are not on the canonical branch.',
  retraction_id Nullable(String) COMMENT 'Cause of the retraction: tick@hash8:retraction:partition:sequence; for a fork, sequence is the number that capture gave the fork.'
) AS SELECT DISTINCT
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
  detector_hash,
  mint_age_s,
  evidence,
  events,
  retraction_id
FROM mintfold.flags_log
WHERE is_deleted = 1 AND (id, version) IN (
  SELECT id, max(version) FROM mintfold.flags_log
  WHERE mint IN (SELECT mint FROM mintfold.flags_log WHERE is_deleted = 1) GROUP BY id
)
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Findings that a fork or a rebuild of the folds retracted and that did not fire again; they are no longer in flags.';

CREATE OR REPLACE VIEW mintfold.outcomes (
  outcome_id String COMMENT 'position@hash8:processor:mint:0.',
  position String COMMENT 'Position on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  at DateTime64(3, 'UTC') COMMENT 'Time of the settlement, UTC: block time of the migration, or of the tick.',
  mint String COMMENT 'The coin, base58.',
  creator String COMMENT 'Creator of the launch, base58.',
  t0 DateTime64(3, 'UTC') COMMENT 'Launch, UTC.',
  slot0 UInt64 COMMENT 'Slot of the launch.',
  graduated Nullable(Bool) COMMENT 'At least 84 SOL were observed in the curve; null if unknown.',
  rugged Nullable(Bool) COMMENT 'Drained, or dumped by the dev set; null if unknown.',
  rug_kind LowCardinality(Nullable(String)) COMMENT 'drain or dev_dump; null without a rug.',
  rug_dt_s Nullable(Int64) COMMENT 'Launch to rug, seconds.',
  peak_quote_units Int256 COMMENT 'Peak of the real quote reserve, base units.',
  terminal_quote_units Int256 COMMENT 'Real quote reserve at the settlement, base units; -1 if unknown.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'The quote token of the coin; null for SOL.',
  reached_5_sol Nullable(Bool) COMMENT 'The peak was at least 5 SOL; null if the quote is not SOL.',
  dev_first_sell_dt_s Nullable(Int64) COMMENT 'Launch to the dev set''s first sell, seconds; null if it never sold.',
  dev_buy_quote_units Int256 COMMENT 'Quote that the dev set spent in the create slot, base units.',
  n_trades UInt64 COMMENT 'Trades on the curve and in pools before the settlement, without the mayhem agent.',
  n_buyers UInt64 COMMENT 'Wallets that bought.',
  is_mayhem Bool COMMENT 'Mayhem mode.',
  self_graduated Bool COMMENT 'The dev set bought the curve out within the create slot.',
  censored LowCardinality(Nullable(String)) COMMENT 'Reason why labels are null: gap, or quote_not_sol; null if nothing is missing.'
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
  if(mapContains(stored.exact_units, 'peak_quote_units'), stored.exact_units['peak_quote_units'], toInt256(stored.peak_quote_units)) AS peak_quote_units,
  if(mapContains(stored.exact_units, 'terminal_quote_units'), stored.exact_units['terminal_quote_units'], toInt256(stored.terminal_quote_units)) AS terminal_quote_units,
  quote_mint,
  if(quote_mint IS NULL, peak_quote_units >= 5000000000, NULL) AS reached_5_sol,
  dev_first_sell_dt_s,
  if(mapContains(stored.exact_units, 'dev_buy_quote_units'), stored.exact_units['dev_buy_quote_units'], toInt256(stored.dev_buy_quote_units)) AS dev_buy_quote_units,
  n_trades,
  n_buyers,
  is_mayhem,
  self_graduated,
  censored
FROM mintfold.outcomes_log AS stored FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Outcomes of launches: settled once, at migration or after an hour without a trade.';

CREATE OR REPLACE VIEW mintfold.wallet_roles (
  role_id String COMMENT 'position@hash8:role:wallet:mint.',
  position String COMMENT 'Position on the chain at which the wallet got the role: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot (rule b: its funding became known), or for an event derived from balances (rule a).',
  event_id String COMMENT 'position@hash8: the event or tick that proved the role, on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  at DateTime64(3, 'UTC') COMMENT 'Block time of that event or tick, UTC.',
  mint String COMMENT 'The coin, base58; its launch was observed.',
  wallet String COMMENT 'Wallet with the role, base58.',
  role LowCardinality(String) COMMENT 'dev: called create, or is the named creator; bundle: bought in the slot of the launch; insider: see rule.',
  rule LowCardinality(Nullable(String)) COMMENT 'For insiders, a: received coins only from wallets while the curve was open; b: paid by the creator or its funder in the 30 minutes before its first buy; c: bought in the transaction of the launch. A wallet has one row per rule that applies. Null for other roles.',
  counterpart Nullable(String) COMMENT 'Rule a: sender of the coins, null if there are several; rule b: the funder; else null. Base58.',
  t0 DateTime64(3, 'UTC') COMMENT 'Launch, UTC.',
  slot0 UInt64 COMMENT 'Slot of the launch.'
) AS SELECT
  id AS role_id,
  if(tx_index = 4294967295, concat('solana:', toString(slot), '.~'), concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix))) AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tx_index,
  outer_ix,
  inner_ix,
  at,
  mint,
  wallet,
  roles.role AS role,
  roles.rule AS rule,
  counterpart,
  t0,
  slot0
FROM (
  SELECT
    * EXCEPT (role),
    toLowCardinality(splitByChar('_', log.role)[1]) AS role,
    toLowCardinality(if(startsWith(log.role, 'insider_'), toNullable(splitByChar('_', log.role)[2]), NULL)) AS rule
  FROM mintfold.wallet_roles_log AS log FINAL
) AS roles
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Roles of wallets at launches: once per mint, wallet and role.';
