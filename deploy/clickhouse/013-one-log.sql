-- Which log fills the history, and what of it is still whole. A history is of one log: its id is written before its first rows, and the log
-- that began last is the one that fills. Windows end where that log is, whatever another was told of.

CREATE TABLE IF NOT EXISTS mintfold.logs_log (
  log String,
  chain LowCardinality(String),
  source String,
  since DateTime64(3, 'UTC'),
  began_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(began_at)
ORDER BY log
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- Days of which the cap on disk space dropped what lies in partitions. Written before they are dropped.
CREATE TABLE IF NOT EXISTS mintfold.dropped_days_log (
  day Date,
  dropped_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(dropped_at)
ORDER BY day
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

-- The sink of progress_log is the id of a log; "clickhouse" where a program without such ids wrote it.
CREATE OR REPLACE VIEW mintfold.progress (
  log LowCardinality(String) COMMENT 'Id of the log that wrote; clickhouse where it had none.',
  chain LowCardinality(Nullable(String)) COMMENT 'Which chain it has; null where it had no id.',
  source Nullable(String) COMMENT 'What its frames come from, in the words of meta.source; null where that is not known.',
  up_to DateTime64(3, 'UTC') COMMENT 'Every row of ticks up to here is in the tables, stream time, UTC.',
  is_filling Bool COMMENT 'The log that fills the history now; others filled it before it was adopted.'
) AS SELECT
  reached.sink AS log,
  nullIf(known.chain, '') AS chain,
  nullIf(known.source, '') AS source,
  reached.up_to AS up_to,
  toBool(ifNull((SELECT count() FROM mintfold.logs_log) = 0 OR reached.sink = (SELECT argMax(log, began_at) FROM mintfold.logs_log), false)) AS is_filling
FROM (SELECT sink, up_to FROM mintfold.progress_log FINAL) AS reached
LEFT JOIN (SELECT log, chain, source FROM mintfold.logs_log FINAL) AS known ON known.log = reached.sink
ORDER BY log
COMMENT 'How far the history is, one row a log that filled it.';

-- Refreshes and coverage ask what came since, or long ago: parts of other times are passed over.
ALTER TABLE mintfold.launches_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.trades_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.pool_trades_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.migrations_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.ticks_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.outcomes_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

ALTER TABLE mintfold.flags_log ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 64;

-- began: the first frame ever. What lies in partitions is whole from the first frame that is there, behind the newest day that was dropped, and
-- behind frames that came 82 days ago: rows go 90 days after they came, and what a rebuild wrote again came up to 7 days after the rest.
CREATE OR REPLACE VIEW mintfold.coverage (
  table LowCardinality(String) COMMENT 'A table or view of this database.',
  `from` DateTime64(3, 'UTC') COMMENT 'It has everything that was captured from here on, stream time, UTC. What is older went with its age or with the cap on disk space, was never captured, or is of another log: it is not known any more, which is never a no.',
  `to` DateTime64(3, 'UTC') COMMENT 'And up to here: what is newer may be there in part.'
) AS WITH
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS up_to,
  (SELECT minOrNull(tick_at) FROM mintfold.ticks_log) AS oldest_frame,
  (SELECT minOrNull(toDateTime64(minute + INTERVAL 1 MINUTE, 3, 'UTC')) FROM mintfold.regime_minutes_log) AS first_minute_ended,
  (SELECT max(toDateTime64(day + 1, 3, 'UTC')) FROM mintfold.dropped_days_log) AS dropped_until,
  (SELECT max(tick_at) + INTERVAL 1 MILLISECOND FROM mintfold.ticks_log WHERE received_at < now() - INTERVAL 82 DAY) AS fading_until,
  (SELECT argMax(since, began_at) FROM mintfold.logs_log) AS log_since,
  (SELECT max(span) FROM mintfold.wallet_spans_log) AS last_span,
  (SELECT max(as_of) FROM mintfold.wallet_spans_log WHERE span > last_span - INTERVAL 1 HOUR) AS summed_up_to,
  ifNull(oldest_frame, up_to) AS oldest,
  greatest(log_since, least(ifNull(first_minute_ended, oldest), oldest)) AS began,
  greatest(log_since, oldest, dropped_until, fading_until) AS kept_from,
  toDateTime64(toStartOfInterval(summed_up_to - INTERVAL 3 DAY, INTERVAL 10 MINUTE, 'UTC') + INTERVAL 10 MINUTE, 3, 'UTC') AS summed_from
SELECT
  covered.1 AS table,
  assumeNotNull(multiIf(covered.2 = 'always', began, covered.2 = 'kept', kept_from, greatest(kept_from, summed_from))) AS `from`,
  assumeNotNull(if(covered.2 = 'summed', summed_up_to, up_to)) AS `to`
FROM (
  SELECT arrayJoin(arrayConcat(
    arrayMap(name -> (name, 'always'), ['launches', 'completions', 'post_complete_buys', 'migrations', 'pools', 'pool_boosts', 'creator_changes', 'flags', 'retracted_flags', 'outcomes', 'regime_minutes', 'creator_stats']),
    arrayMap(name -> (name, 'kept'), ['frames', 'gaps', 'trades', 'launch_minutes', 'pool_trades', 'pool_liquidity', 'mayhem_reserves', 'transfers', 'funding', 'wallet_roles', 'dead_letters']),
    arrayMap(name -> (name, 'summed'), ['wallet_positions', 'wallet_results', 'wallet_leaderboard'])
  )) AS covered
) AS each
WHERE `to` > toDateTime64(0, 3, 'UTC')
ORDER BY table
COMMENT 'From when and up to when each table has everything: join tables within the later of their beginnings.';
