-- Frames of the chain, gaps, coins that moved without a trade, payments to wallets, dead letters, and how far the history is complete.

-- A filter by time reads the ticks of those days, but the raw frames of all days; a filter by slot reads only that range of both.
CREATE OR REPLACE VIEW mintfold.frames (
  position String COMMENT 'The tick that ends the frame: solana:slot.~',
  event_id String COMMENT 'position@hash8: the tick on its branch of the chain.',
  slot UInt64 COMMENT 'Slot; the order of import if is_placed is false.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far.',
  block_at Nullable(DateTime64(3, 'UTC')) COMMENT 'Block time, UTC; null if the source did not give it.',
  hash Nullable(String) COMMENT 'Block hash; null if no raw frame was captured.',
  is_hash_synthetic Nullable(Bool) COMMENT 'The hash was computed from the content, because the source had none.',
  parent_slot Nullable(UInt64) COMMENT 'Parent slot; null if the source did not give it.',
  parent_hash Nullable(String) COMMENT 'Hash of the parent; null if the source did not give it.',
  status LowCardinality(Nullable(String)) COMMENT 'Finality at capture: processed, confirmed or finalized; null if no raw frame was captured.',
  is_final Bool COMMENT 'The source reported it as finalized when it was captured.',
  is_placed Bool COMMENT 'False if the slot was unknown.',
  is_vouched Bool COMMENT 'The importer guaranteed that all mint events of the frame are included.',
  is_whole Nullable(Bool) COMMENT 'Made from all transactions of its block; null where no raw frame was captured.',
  launchpad_transactions Nullable(UInt32) COMMENT 'Transactions of the launchpad, including failed ones; null if the frame could not be read.',
  launchpad_failed Nullable(UInt32) COMMENT 'Failed transactions of the launchpad.',
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
  ifNull(ticks.launchpad_transactions, raw.launchpad_transactions) AS launchpad_transactions,
  ifNull(ticks.launchpad_failed, raw.launchpad_failed) AS launchpad_failed,
  transfers,
  failed_others,
  transactions_total
FROM (
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
) AS raw
RIGHT JOIN (
  SELECT slot, hash8, tick_at, is_final, is_placed, is_vouched, launchpad_transactions, launchpad_failed FROM mintfold.ticks_log FINAL
) AS ticks USING (slot, hash8)
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Slots of the chain as they were folded, with the fields of their raw frames, if any. Filter by slot: a range of slots reads only that range.';

CREATE OR REPLACE VIEW mintfold.gaps (
  position String COMMENT 'The first tick after the gap: solana:slot.~',
  event_id String COMMENT 'position@hash8: that tick on its branch of the chain.',
  slot UInt64 COMMENT 'Slot of that tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of that tick, UTC.',
  from_slot UInt64 COMMENT 'First slot that was not delivered.',
  to_slot UInt64 COMMENT 'Last slot that was not delivered.',
  slots UInt64 COMMENT 'Number of slots from from_slot to to_slot, both included; some may never have had a block.',
  reason Nullable(String) COMMENT 'The source''s reason, or that records expired before they were written; null if the source gave none.',
  transactions Array(String) COMMENT 'Signatures that only the second source (SOLANA_CHECK_RPC_URL) had, base58; empty if whole slots are missing.'
) AS SELECT
  concat('solana:', toString(slot), '.~') AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tick_at,
  from_slot,
  to_slot,
  to_slot - from_slot + 1 AS slots,
  reason,
  transactions
FROM (
  SELECT slot, hash8, tick_at, from_slot, to_slot, nullIf(arrayStringConcat(arrayDistinct(raw.missing_reasons), '; '), '') AS reason, raw.missing_transactions AS transactions
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
  ) AS gap
  LEFT JOIN (
    SELECT slot, hash8, missing_reasons, missing_transactions FROM mintfold.raw_frames_log FINAL
    WHERE slot IN (SELECT slot FROM mintfold.ticks_log WHERE gap_from_slot IS NOT NULL)
  ) AS raw USING (slot, hash8)
  UNION ALL
  SELECT to_slot + 1 AS slot, hash8, tick_at, from_slot, to_slot,
    concat(toString(to_offset - from_offset), ' records of ', topic, ', partition ', toString(partition), ', expired before they were written to the history: its retention is too short') AS reason,
    [] AS transactions
  FROM mintfold.lost_rows_log FINAL
)
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Slots that no source delivered, frames without some of their transactions, and frames that had expired from the log before they were written here: mints that were open then are thin.';

CREATE OR REPLACE VIEW mintfold.transfers (
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
  owner String COMMENT 'Owner that received or gave coins, base58. The curve, pools in the transaction and the mayhem agent are excluded.',
  units Int256 COMMENT 'Base units; negative for an outflow.',
  is_traded Bool COMMENT 'The owner traded the coin in the same transaction.',
  is_wallet Bool COMMENT 'The owner received coins and is a wallet, not a program address.',
  is_from_wallets Bool COMMENT 'The coins came only from wallets.',
  sender Nullable(String) COMMENT 'Sender of the coins, if there is only one, base58.'
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
  if(mapContains(stored.exact_units, 'units'), stored.exact_units['units'], toInt256(stored.units)) AS units,
  is_traded,
  is_wallet,
  is_from_wallets,
  sender
FROM mintfold.transfers_log AS stored FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1, use_skip_indexes_if_final_exact_mode = 0
COMMENT 'Coins that came or left without a trade: transfers, burns.';

CREATE OR REPLACE VIEW mintfold.funding (
  position String COMMENT 'Position on the chain: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot, or for an event derived from balances.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of the frame, UTC: the newest block time so far. Windows and minutes use it.',
  at DateTime64(3, 'UTC') COMMENT 'Timestamp of the event, UTC; that of the frame if the event has none.',
  signature String COMMENT 'First signature of the transaction, base58.',
  funder String COMMENT 'Sender, base58.',
  wallet String COMMENT 'Recipient, base58: a wallet, not a program address.',
  amount_lamports Int256 COMMENT 'At least 100000000: 0.1 SOL.'
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
  if(mapContains(stored.exact_units, 'amount_lamports'), stored.exact_units['amount_lamports'], toInt256(stored.amount_lamports)) AS amount_lamports
FROM mintfold.funding_log AS stored FINAL
SETTINGS do_not_merge_across_partitions_select_final = 1, use_skip_indexes_if_final_exact_mode = 0
COMMENT 'Payments of at least 0.1 SOL to wallets.';

CREATE OR REPLACE VIEW mintfold.dead_letters (
  id String COMMENT 'position@hash8:processor:n; without @hash8 if the position is one in a topic.',
  position String COMMENT 'Position on the chain; topic/partition/offset of the record if it could not be parsed at all.',
  slot Nullable(UInt64) COMMENT 'Slot; null if unknown.',
  signature Nullable(String) COMMENT 'Transaction, base58; null if unknown.',
  processor LowCardinality(String) COMMENT 'Processor that could not decode the record.',
  processor_version UInt32 COMMENT 'Its version.',
  code LowCardinality(String) COMMENT 'Code of the fault, from a closed list.',
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
COMMENT 'Records that could not be decoded, and why.';

-- The sink in progress_log is the id of a log; "clickhouse" if a program without such ids wrote it.
CREATE OR REPLACE VIEW mintfold.progress (
  log LowCardinality(String) COMMENT 'Id of the log that wrote the rows; clickhouse if it had none.',
  chain LowCardinality(Nullable(String)) COMMENT 'The chain of the log; null if it had no id.',
  source Nullable(String) COMMENT 'Source of its frames, as in meta.source; null if unknown.',
  up_to DateTime64(3, 'UTC') COMMENT 'The tables have all rows of the frames up to this stream time, UTC.',
  is_filling Bool COMMENT 'True: this log fills the history now. False: it did before another log took over.'
) AS SELECT
  reached.sink AS log,
  nullIf(known.chain, '') AS chain,
  nullIf(known.source, '') AS source,
  reached.up_to AS up_to,
  toBool(ifNull((SELECT count() FROM mintfold.logs_log) = 0 OR reached.sink = (SELECT argMax(log, began_at) FROM mintfold.logs_log), false)) AS is_filling
FROM (SELECT sink, up_to FROM mintfold.progress_log FINAL) AS reached
LEFT JOIN (SELECT log, chain, source FROM mintfold.logs_log FINAL) AS known ON known.log = reached.sink
ORDER BY log
COMMENT 'How far the history is complete, one row for each log that filled it.';

-- began: the first frame of the log that fills the history; tables that never expire are complete from then on. Tables that expire are
-- complete from kept_from, the latest of: the start of that log, the oldest stored frame, the end of the newest dropped day
-- (dropped_until), the newest frame that expires within 8 days (fading_until). Why 8 days: rows expire by their time of arrival, and a
-- rebuild may rewrite some rows of a frame up to 7 days after its other rows arrived. Rows that had expired before the retention was
-- raised stay missing. Results of wallets cover the 3 days before the newest sum. Older versions of the folds wrote no shapes and
-- judgements of launches: these are complete from the first launch that has one.
CREATE OR REPLACE VIEW mintfold.coverage (
  table LowCardinality(String) COMMENT 'A table or view of this database.',
  `from` DateTime64(3, 'UTC') COMMENT 'The table is complete from here on, stream time, UTC. Older data has expired by age or by the disk limit, was never captured, or belongs to another log: a missing older row means unknown, not no.',
  `to` DateTime64(3, 'UTC') COMMENT 'Complete up to here, stream time, UTC; newer rows may be incomplete.'
) AS WITH
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS up_to,
  (SELECT if(count() = 0, NULL, min(tick_at)) FROM mintfold.ticks_log) AS oldest_frame,
  (SELECT minOrNull(toDateTime64(minute + INTERVAL 1 MINUTE, 3, 'UTC')) FROM mintfold.regime_minutes_log) AS first_minute_ended,
  (SELECT max(toDateTime64(day + 1, 3, 'UTC')) FROM mintfold.dropped_days_log) AS dropped_until,
  (
    SELECT max(if(until = toDateTime64(0, 3, 'UTC'), now(), until) - toIntervalDay(days - 8))
    FROM (
      SELECT days, leadInFrame(set_at, 1, toDateTime64(0, 3, 'UTC')) OVER (ORDER BY set_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS until
      FROM (SELECT 90 AS days, toDateTime64(0, 3, 'UTC') AS set_at UNION ALL SELECT days, set_at FROM mintfold.kept_days_log)
    )
  ) AS fading_before,
  (SELECT max(tick_at) + INTERVAL 1 MILLISECOND FROM mintfold.ticks_log WHERE received_at < fading_before) AS fading_until,
  (SELECT argMax(since, began_at) FROM mintfold.logs_log) AS log_since,
  (SELECT max(span) FROM mintfold.wallet_spans_log) AS last_span,
  (SELECT max(as_of) FROM mintfold.wallet_spans_log WHERE span > last_span - INTERVAL 1 HOUR) AS summed_up_to,
  (SELECT minOrNull(t0) FROM mintfold.launch_shapes_log WHERE at <= (SELECT min(at) FROM mintfold.launch_shapes_log) + INTERVAL 1 MINUTE) AS first_shape,
  (SELECT minOrNull(t0) FROM mintfold.judgements_log WHERE at <= (SELECT min(at) FROM mintfold.judgements_log) + INTERVAL 1 MINUTE) AS first_judged,
  ifNull(oldest_frame, up_to) AS oldest,
  greatest(log_since, least(ifNull(first_minute_ended, oldest), oldest)) AS began,
  greatest(log_since, oldest, dropped_until, fading_until) AS kept_from,
  toDateTime64(toStartOfInterval(summed_up_to - INTERVAL 3 DAY, INTERVAL 10 MINUTE, 'UTC') + INTERVAL 10 MINUTE, 3, 'UTC') AS summed_from
SELECT
  covered.1 AS table,
  assumeNotNull(multiIf(covered.2 = 'always', began, covered.2 = 'kept', kept_from, covered.2 = 'shaped', greatest(began, ifNull(first_shape, up_to)), covered.2 = 'judged', greatest(kept_from, ifNull(first_judged, up_to)), greatest(kept_from, summed_from))) AS `from`,
  assumeNotNull(if(covered.2 = 'summed', summed_up_to, up_to)) AS `to`
FROM (
  SELECT arrayJoin(arrayConcat(
    arrayMap(name -> (name, 'always'), ['launches', 'completions', 'post_complete_buys', 'migrations', 'pools', 'pool_boosts', 'creator_changes', 'missing_events', 'flags', 'retracted_flags', 'outcomes', 'regime_minutes', 'creator_stats']),
    arrayMap(name -> (name, 'kept'), ['frames', 'gaps', 'trades', 'launch_minutes', 'pool_trades', 'pool_liquidity', 'mayhem_reserves', 'transfers', 'funding', 'wallet_roles', 'dead_letters']),
    [('launch_shapes', 'shaped'), ('judgements', 'judged')],
    arrayMap(name -> (name, 'summed'), ['wallet_positions', 'wallet_results', 'wallet_leaderboard'])
  )) AS covered
) AS each
WHERE `to` > toDateTime64(0, 3, 'UTC')
ORDER BY table
COMMENT 'The time range in which each table is complete. Restrict a join of tables to the time since the latest of their `from`.';
