-- Amounts of pools beyond 64 bits, by the name of their column, which holds the nearest that it can. Empty in nearly every row.

ALTER TABLE mintfold.pools_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));

ALTER TABLE mintfold.pool_trades_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));

ALTER TABLE mintfold.pool_liquidity_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));

ALTER TABLE mintfold.pool_boosts_log ADD COLUMN IF NOT EXISTS exact_units Map(String, Int256) CODEC(ZSTD(1));
