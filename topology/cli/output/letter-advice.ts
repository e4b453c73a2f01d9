// What to do about a dead letter, in words.
import type { BadDataCode } from '../../../schemas/errors.ts'

const NEWER = 'a newer mintfold may read it: upgrade, then mintfold dead-letters redrive (raw frames are kept for MINTFOLD_RAW_HOURS)'
const BROKEN = 'the bytes do not fit what they say they are: compare the transaction with another node'
const ADVICE: Readonly<Record<BadDataCode, string>> = {
  truncated: `${BROKEN}; if the node has it whole, mintfold dead-letters redrive cannot help, a new capture can`,
  bad_bool: NEWER,
  bad_string_length: NEWER,
  amount_too_large: 'a time beyond 2^53: the coin is left as it is; report it with these bytes',
  unknown_event: NEWER,
  log_truncated: 'the node cut the log of the transaction, and it came without inner instructions: capture from a node that records them',
  bad_encoding:
    'the record is none of its topic: somebody else wrote there, or the medium is damaged; mintfold dead-letters redrive makes records of the tape again from raw frames',
  bad_frame: BROKEN,
  bad_transaction: NEWER,
  mint_unknown: 'an event whose coin nothing else in the transaction names: it belongs to no card',
  bad_account: NEWER,
}

/** For a code of another version: that it is one. */
export const adviceOn = (code: string): string =>
  Object.hasOwn(ADVICE, code) ? ADVICE[code as BadDataCode] : `a code of another version: ${NEWER}`
