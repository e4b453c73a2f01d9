-- So that an event id is looked up by its slot in these tables too; what is written from now on has it.

ALTER TABLE mintfold.pool_liquidity_log ADD INDEX IF NOT EXISTS by_slot slot TYPE minmax GRANULARITY 1;

ALTER TABLE mintfold.mayhem_reserves_log ADD INDEX IF NOT EXISTS by_slot slot TYPE minmax GRANULARITY 1;
