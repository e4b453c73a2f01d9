-- Rows survive a power cut once their insert is answered: the sink commits its offsets to the log right after, and never sends them again.
-- Parts are written through to the disk, and so are merged ones, because what they were merged from is deleted within seconds.

ALTER TABLE mintfold.launches_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.trades_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.completions_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.post_complete_buys_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.migrations_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.pools_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.pool_trades_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.pool_liquidity_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.pool_boosts_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.creator_changes_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.mayhem_reserves_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.ticks_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.raw_frames_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.flags_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.outcomes_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.dead_letters_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.progress_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.regime_minutes_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.transfers_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.funding_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.wallet_roles_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;

ALTER TABLE mintfold.wallet_spans_log MODIFY SETTING
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1;
