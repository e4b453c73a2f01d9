-- Why slots or transactions are missing, as the source said it with the frame that showed it.

ALTER TABLE mintfold.raw_frames_log ADD COLUMN IF NOT EXISTS missing_reasons Array(String) AFTER transactions_total;

ALTER TABLE mintfold.raw_frames_log ADD COLUMN IF NOT EXISTS missing_transactions Array(String) AFTER missing_reasons;

CREATE OR REPLACE VIEW mintfold.gaps (
  position String COMMENT 'The first tick after the gap: solana:slot.~',
  event_id String COMMENT 'position@hash8: that tick on its branch of the chain.',
  slot UInt64 COMMENT 'Slot of that tick.',
  tick_at DateTime64(3, 'UTC') COMMENT 'Time of that tick, UTC.',
  from_slot UInt64 COMMENT 'First slot that was not delivered.',
  to_slot UInt64 COMMENT 'Last slot that was not delivered.',
  slots UInt64 COMMENT 'Slots in between, both included; some may never have had a block.',
  reason Nullable(String) COMMENT 'Why, in the words of the source; null where it said nothing.',
  transactions Array(String) COMMENT 'Signatures that a second source had and the first lacked, base58, where it is they that are missing.'
) AS SELECT
  concat('solana:', toString(slot), '.~') AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tick_at,
  from_slot,
  to_slot,
  to_slot - from_slot + 1 AS slots,
  nullIf(arrayStringConcat(arrayDistinct(raw.missing_reasons), '; '), '') AS reason,
  raw.missing_transactions AS transactions
FROM (
  SELECT
    assumeNotNull(gap_from_slot) AS from_slot,
    assumeNotNull(gap_to_slot) AS to_slot,
    argMin(ticks.hash8, ticks.slot) AS hash8,
    min(ticks.tick_at) AS tick_at,
    min(ticks.slot) AS slot
  FROM mintfold.ticks_log AS ticks FINAL
  WHERE gap_from_slot IS NOT NULL AND gap_to_slot IS NOT NULL
  GROUP BY from_slot, to_slot
) AS gap
LEFT JOIN (SELECT slot, hash8, missing_reasons, missing_transactions FROM mintfold.raw_frames_log FINAL) AS raw USING (slot, hash8)
COMMENT 'Slots that no source could deliver, and frames without some of their transactions: mints that were open then are thin.';
