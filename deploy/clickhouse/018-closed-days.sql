-- A day or week in which nothing was written for an hour is merged into one part. FINAL then has nothing to merge there, and a lookup over
-- 30 days opens 30 parts: with the six or so that background merges leave in each, it needed more than a query's 192 MiB (measured).

ALTER TABLE mintfold.launches_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.trades_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.pool_trades_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.pool_liquidity_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.mayhem_reserves_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.ticks_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.raw_frames_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.flags_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.outcomes_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.transfers_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.funding_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.wallet_roles_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE mintfold.wallet_spans_log MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;
