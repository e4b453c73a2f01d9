-- Views of the alt chain: parameterized lookups, retractions, and the time range in which its tables are complete.

CREATE OR REPLACE VIEW mintfold.alt_event (
  table LowCardinality(String) COMMENT 'Which table has the whole row: alt_frames for the tick that ends a block.',
  event_id String COMMENT 'The requested id: position@hash8.',
  block UInt64 COMMENT 'Block.',
  at DateTime64(3, 'UTC') COMMENT 'Time of the block, UTC.',
  token Nullable(String) COMMENT 'The token, an address in lower case; null for frames.',
  tx_hash Nullable(String) COMMENT 'Hash of the transaction; null for frames.',
  wallet Nullable(String) COMMENT 'The wallet that launched, traded, was paid or received tokens; null if the event has none.'
) AS SELECT table, event_id, block, at, token, tx_hash, wallet
FROM (
  SELECT 'alt_launches' AS table, event_id, block, tick_at AS at, toNullable(token) AS token, toNullable(tx_hash) AS tx_hash, toNullable(deployer) AS wallet FROM mintfold.alt_launches
  WHERE block = toUInt64OrZero(extract({id:String}, '^alt:([0-9]+)[.]'))
  UNION ALL
  SELECT 'alt_trades' AS table, event_id, block, tick_at AS at, toNullable(token) AS token, toNullable(tx_hash) AS tx_hash, wallet AS wallet FROM mintfold.alt_trades
  WHERE block = toUInt64OrZero(extract({id:String}, '^alt:([0-9]+)[.]'))
  UNION ALL
  SELECT 'alt_completions' AS table, event_id, block, tick_at AS at, toNullable(token) AS token, toNullable(tx_hash) AS tx_hash, toNullable(recipient) AS wallet FROM mintfold.alt_completions
  WHERE block = toUInt64OrZero(extract({id:String}, '^alt:([0-9]+)[.]'))
  UNION ALL
  SELECT 'alt_migrations' AS table, event_id, block, tick_at AS at, toNullable(token) AS token, toNullable(tx_hash) AS tx_hash, NULL AS wallet FROM mintfold.alt_migrations
  WHERE block = toUInt64OrZero(extract({id:String}, '^alt:([0-9]+)[.]'))
  UNION ALL
  SELECT 'alt_refunds' AS table, event_id, block, tick_at AS at, toNullable(token) AS token, toNullable(tx_hash) AS tx_hash, toNullable(user) AS wallet FROM mintfold.alt_refunds
  WHERE block = toUInt64OrZero(extract({id:String}, '^alt:([0-9]+)[.]'))
  UNION ALL
  SELECT 'alt_buybacks' AS table, event_id, block, tick_at AS at, toNullable(token) AS token, toNullable(tx_hash) AS tx_hash, NULL AS wallet FROM mintfold.alt_buybacks
  WHERE block = toUInt64OrZero(extract({id:String}, '^alt:([0-9]+)[.]'))
  UNION ALL
  SELECT 'alt_transfers' AS table, event_id, block, tick_at AS at, toNullable(token) AS token, toNullable(tx_hash) AS tx_hash, toNullable(recipient) AS wallet FROM mintfold.alt_transfers
  WHERE block = toUInt64OrZero(extract({id:String}, '^alt:([0-9]+)[.]'))
  UNION ALL
  SELECT 'alt_curve_events' AS table, event_id, block, tick_at AS at, toNullable(token) AS token, toNullable(tx_hash) AS tx_hash, account AS wallet FROM mintfold.alt_curve_events
  WHERE block = toUInt64OrZero(extract({id:String}, '^alt:([0-9]+)[.]'))
  UNION ALL
  SELECT 'alt_frames' AS table, concat('alt:', toString(block), '.~@', hash8) AS event_id, block, tick_at AS at, NULL AS token, NULL AS tx_hash, NULL AS wallet
  FROM mintfold.alt_ticks_log FINAL WHERE block = toUInt64OrZero(extract({id:String}, '^alt:([0-9]+)[.]'))
)
WHERE event_id = {id:String}
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'The row of one event id, such as those in alt_flags.events: alt_event(id = ''alt:62000123.4.17@1a2b3c4d''). No row: it has expired, or a fork retracted it.';

CREATE OR REPLACE VIEW mintfold.alt_retracted_flags (
  finding_id String COMMENT 'position@hash8:detector:token.',
  position String COMMENT 'Position on the orphaned branch: alt:block.transaction.log; alt:block.~ for the tick that ends a block.',
  event_id String COMMENT 'position@hash8: the event on its branch of the chain.',
  block UInt64 COMMENT 'Block.',
  tx_index UInt32 COMMENT 'Transaction in the block, from 0; 4294967295 for the tick that ends it.',
  log_index UInt32 COMMENT 'Log in the block, from 0; 4294967295 for the tick that ends it.',
  at DateTime64(3, 'UTC') COMMENT 'Block time of the causing event, UTC.',
  token String COMMENT 'The token, an address in lower case.',
  deployer Nullable(String) COMMENT 'Deployer of the launch.',
  flag LowCardinality(String) COMMENT 'Name of the flag (the mechanism), as in /v1/labels.',
  detector LowCardinality(String) COMMENT 'Id of the detector.',
  detector_version UInt32 COMMENT 'Version of the detector.',
  detector_hash LowCardinality(Nullable(String)) COMMENT 'SHA-256 of the detector''s code and constants, hex; null if the detector was not registered, or if the finding is older than stored hashes.',
  age_s Nullable(Int64) COMMENT 'Age of the curve at that time, seconds.',
  evidence String COMMENT 'JSON object; /v1/labels describes its fields.',
  events Array(String) COMMENT 'Ids of the events that proved it, the causing one last; they are no longer on the canonical branch.',
  retraction_id Nullable(String) COMMENT 'Cause of the retraction: tick@hash8:retraction:partition:sequence; for a fork, sequence is the number that capture gave the fork.'
) AS SELECT DISTINCT
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
  events,
  retraction_id
FROM mintfold.alt_flags_log
WHERE is_deleted = 1 AND (id, version) IN (
  SELECT id, max(version) FROM mintfold.alt_flags_log
  WHERE token IN (SELECT token FROM mintfold.alt_flags_log WHERE is_deleted = 1) GROUP BY id
)
COMMENT 'Findings that a fork or a rebuild of the folds retracted and that did not fire again; they are no longer in alt_flags.';

CREATE OR REPLACE VIEW mintfold.alt_coverage (
  table LowCardinality(String) COMMENT 'A table or view of this database.',
  `from` DateTime64(3, 'UTC') COMMENT 'The table is complete from here on, stream time, UTC. Older data has expired by age or by the disk limit, was never captured, or belongs to another log: a missing older row means unknown, not no.',
  `to` DateTime64(3, 'UTC') COMMENT 'Complete up to here, stream time, UTC; newer rows may be incomplete.'
) AS WITH
  (SELECT max(up_to) FROM mintfold.alt_progress WHERE is_filling) AS up_to,
  (SELECT if(count() = 0, NULL, min(tick_at)) FROM mintfold.alt_ticks_log) AS oldest_frame,
  (SELECT max(toDateTime64(day + 1, 3, 'UTC')) FROM mintfold.dropped_days_log) AS dropped_until,
  (
    SELECT max(if(until = toDateTime64(0, 3, 'UTC'), now(), until) - toIntervalDay(days - 8))
    FROM (
      SELECT days, leadInFrame(set_at, 1, toDateTime64(0, 3, 'UTC')) OVER (ORDER BY set_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS until
      FROM (SELECT 90 AS days, toDateTime64(0, 3, 'UTC') AS set_at UNION ALL SELECT days, set_at FROM mintfold.kept_days_log)
    )
  ) AS fading_before,
  (SELECT max(tick_at) + INTERVAL 1 MILLISECOND FROM mintfold.alt_ticks_log WHERE received_at < fading_before) AS fading_until,
  (SELECT argMax(since, began_at) FROM mintfold.alt_logs_log) AS log_since,
  greatest(log_since, ifNull(oldest_frame, up_to), dropped_until, fading_until) AS kept_from
SELECT
  covered.1 AS table,
  assumeNotNull(if(covered.2 = 'always', log_since, kept_from)) AS `from`,
  assumeNotNull(up_to) AS `to`
FROM (
  SELECT arrayJoin(arrayConcat(
    arrayMap(name -> (name, 'always'), ['alt_launches', 'alt_completions', 'alt_migrations', 'alt_refunds', 'alt_buybacks', 'alt_flags', 'alt_retracted_flags', 'alt_outcomes']),
    arrayMap(name -> (name, 'kept'), ['alt_frames', 'alt_gaps', 'alt_trades', 'alt_regime_minutes', 'alt_transfers', 'alt_curve_events', 'alt_dead_letters'])
  )) AS covered
) AS each
WHERE `to` > toDateTime64(0, 3, 'UTC')
ORDER BY table
COMMENT 'The time range in which each table of the alt chain is complete. Restrict a join of tables to the time since the latest of their `from`.';
