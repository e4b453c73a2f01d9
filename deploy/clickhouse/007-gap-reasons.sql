-- Why slots or transactions are missing, in the words of the source, with the frame that showed it.
-- Applied as well: ab7d2c762b5c7f82e61b268e0493dfe1b8b29c3137360554e663628f8fcd034e (with the views, which are in views/ now).

ALTER TABLE mintfold.raw_frames_log ADD COLUMN IF NOT EXISTS missing_reasons Array(String) AFTER transactions_total;

ALTER TABLE mintfold.raw_frames_log ADD COLUMN IF NOT EXISTS missing_transactions Array(String) AFTER missing_reasons;
