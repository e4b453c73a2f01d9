-- Minutes that a rule before this one computed are computed once more.
-- Applied as well: 2905974778a5bf34911a806082de0fe953c4e53f56ea8387d8c1c763018ab942 (with the views, which are in views/ now).

-- 0: computed by a rule that missed late corrections; those minutes are computed once more, the newest first.
ALTER TABLE mintfold.regime_minutes_log ADD COLUMN IF NOT EXISTS rule UInt8 DEFAULT 0 AFTER is_complete;
