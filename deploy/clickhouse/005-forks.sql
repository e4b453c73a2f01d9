-- Findings that were retracted stay findable as such.
-- Applied as well: 1f10c288eb06e1314d96472eaa6f16e75e21f5e8e27985b06ae9bf81c4614b95 (with the views, which are in views/ now).

ALTER TABLE mintfold.flags_log ADD COLUMN IF NOT EXISTS retraction_id Nullable(String) AFTER events;
