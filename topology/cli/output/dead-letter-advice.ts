// Advice on dead letters, by code.
import type { BadDataCode } from '../../../schemas/errors.ts'

const NEWER = 'a newer mintfold may decode it: upgrade, then mintfold dead-letters redrive (raw frames are kept for MINTFOLD_RAW_HOURS)'
const BROKEN = 'the bytes do not match their declared type or length: compare the transaction with another node'
const ADVICE: Readonly<Record<BadDataCode, string>> = {
  truncated: `${BROKEN}; if the node has it complete, only a new capture helps, not mintfold dead-letters redrive`,
  bad_bool: NEWER,
  bad_string_length: NEWER,
  amount_too_large: 'a number beyond 2^53, or an amount of more than 256 bits: the event is not applied; report it with these bytes',
  unknown_event: NEWER,
  log_truncated: 'the node truncated the log of the transaction and sent no inner instructions: capture from a node that records them',
  bad_encoding:
    'the record does not belong to its topic: another program wrote to it, or the disk is damaged; mintfold dead-letters redrive rebuilds records of the tape from raw frames',
  bad_frame: BROKEN,
  bad_transaction: NEWER,
  mint_unknown: 'nothing in the transaction identifies the coin of the event: it belongs to no card',
  event_missing:
    'the record of a successful transaction lacks calls and logs: its coin is thin. Let the node record both (mintfold doctor says how), and capture again',
  bad_account: NEWER,
}

/** A code of another version is marked as such. */
export const adviceOn = (code: string): string =>
  Object.hasOwn(ADVICE, code) ? ADVICE[code as BadDataCode] : `a code of another version: ${NEWER}`
