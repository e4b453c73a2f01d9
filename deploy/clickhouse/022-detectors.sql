-- Which code found it: the hash of the detector; what shadow detectors find, apart from flags; and the tier by which both are graded.
ALTER TABLE mintfold.flags_log ADD COLUMN IF NOT EXISTS detector_hash LowCardinality(Nullable(String)) AFTER detector_version;
ALTER TABLE mintfold.alt_flags_log ADD COLUMN IF NOT EXISTS detector_hash LowCardinality(Nullable(String)) AFTER detector_version;
CREATE TABLE IF NOT EXISTS mintfold.shadow_flags_log AS mintfold.flags_log;
CREATE TABLE IF NOT EXISTS mintfold.alt_shadow_flags_log AS mintfold.alt_flags_log;
ALTER TABLE mintfold.detector_days_log ADD COLUMN IF NOT EXISTS tier LowCardinality(String) DEFAULT 'active' AFTER detector_version;
