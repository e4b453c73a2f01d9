-- The ranks again, reading less at once: each part of the spans that is read takes memory, and of 10 million positions in 29 parts 8,192 rows
-- at once took 255 MB, these 184, in the same time. What sets the buffer of a file here is the setting of local files.
DROP VIEW IF EXISTS mintfold.wallet_leaderboard;

CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.wallet_leaderboard
REFRESH EVERY 1 MINUTE DEPENDS ON mintfold.wallet_spans_refresh (
  rank UInt64 COMMENT '1 the best by realized_lamports; equal results share a rank.',
  wallet String COMMENT 'Who, base58.',
  class LowCardinality(String) COMMENT 'See wallet_results.',
  realized_lamports Int64 COMMENT 'Result of the sales of 3 days, fees taken off, lamports.',
  n_positions UInt64 COMMENT 'Mints traded.',
  n_closed UInt64 COMMENT 'Those of which it sold what it bought.',
  n_won UInt64 COMMENT 'Closed ones with a gain.',
  n_sniped UInt64 COMMENT 'Those first bought at most 2 slots after the launch.',
  n_with_role UInt64 COMMENT 'Those at whose launch it has a role.',
  trades UInt64 COMMENT 'Trades.',
  as_of DateTime64(3, 'UTC') COMMENT 'Every trade up to here is counted, stream time, UTC.'
)
ENGINE = MergeTree ORDER BY (rank, wallet)
AS SELECT
  rank() OVER (ORDER BY realized_lamports DESC) AS rank,
  wallet,
  class,
  realized_lamports,
  n_positions,
  n_closed,
  n_won,
  n_sniped,
  n_with_role,
  trades,
  as_of
FROM (SELECT * FROM mintfold.wallet_results ORDER BY realized_lamports DESC, wallet LIMIT 100000)
SETTINGS max_threads = 1, max_block_size = 1024, max_read_buffer_size_local_fs = 16384, optimize_aggregation_in_order = 1, do_not_merge_across_partitions_select_final = 1, max_bytes_before_external_group_by = 20000000, max_bytes_before_external_sort = 20000000
COMMENT 'The 100,000 wallets with the best results of the last 3 days; computed every minute.';
