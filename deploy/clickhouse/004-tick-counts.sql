-- How many transactions of the launchpad a frame had, and how many failed, as the tape has it: also of frames that were never captured raw.
-- Applied as well: c01884bbe90a5b848d3db539a76d2174180d548edef1dff8c88ca8ab1011b1f8 (with the views, which are in views/ now).

-- How many transactions of the launchpad a frame had, and how many failed, is told by the tape: also of frames that were never captured raw.
ALTER TABLE mintfold.ticks_log
  ADD COLUMN IF NOT EXISTS launchpad_transactions Nullable(UInt32) AFTER is_placed,
  ADD COLUMN IF NOT EXISTS launchpad_failed Nullable(UInt32) AFTER launchpad_transactions;
