-- All other amounts beyond 64 bits, as 019 has those of pools, and sums of amounts in columns that hold them.

ALTER TABLE mintfold.launches_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));

ALTER TABLE mintfold.trades_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));

ALTER TABLE mintfold.post_complete_buys_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));

ALTER TABLE mintfold.migrations_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));

ALTER TABLE mintfold.mayhem_reserves_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));

ALTER TABLE mintfold.transfers_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));

ALTER TABLE mintfold.funding_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));

ALTER TABLE mintfold.outcomes_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));

ALTER TABLE mintfold.regime_minutes_log MODIFY COLUMN buy_lamports Int256, MODIFY COLUMN sell_lamports Int256;

ALTER TABLE mintfold.wallet_spans_log
  MODIFY COLUMN bought_units Int256 CODEC(ZSTD(1)),
  MODIFY COLUMN sold_units Int256 CODEC(ZSTD(1)),
  MODIFY COLUMN paid_lamports Int256 CODEC(ZSTD(1)),
  MODIFY COLUMN got_lamports Int256 CODEC(ZSTD(1));

ALTER TABLE mintfold.wallet_results_log MODIFY COLUMN realized_lamports Int256;
