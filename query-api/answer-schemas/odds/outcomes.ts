// `data` of `/v1/outcomes/{mint}` and of `/v1/odds/proof`.
import { z } from 'zod'
import { ODDS_HEADS } from '../../../processors/odds/heads.ts'
import { settledRecord } from '../card.ts'
import { address, boolean, count, fields, path, share, text, unixSeconds, wholeSeconds } from '../vocabulary.ts'
import { withThin } from './thin.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const id = text.describe('id of the logged value: position@hash8:odds:mint:head:model')
const head = z.enum(ODDS_HEADS)
const delayed = wholeSeconds.describe('nothing shown is younger, seconds')

const logged = {
  mint: address.describe('token address'),
  head: head.describe('what the probability is of; see /v1/calibration'),
  age_s: wholeSeconds.describe('age of the launch at which it was judged, seconds'),
  at: unixSeconds.describe('when it was judged, stream time, unix seconds'),
  probability: share.describe('as it was logged'),
  model_id: text.describe('model that gave it'),
}

const record = {
  mint: address.describe('token address'),
  outcome: settledRecord
    .nullable()
    .describe(
      'how the launch was settled, the first time; its labels are null with the reason where a gap or another quote leaves them open',
    ),
  odds: z
    .array(
      fields({
        odds_id: id,
        ...logged,
        came_true: boolean.nullable().describe('whether the outcome is what the probability was of'),
        is_retracted: boolean.describe('true: a fork took the judgement back after it was logged'),
        proof_url: path.describe('proof that it was logged before the hour was over'),
      }),
    )
    .nullable()
    .describe('every probability that models in force logged for the launch, oldest first'),
  delayed_s: delayed,
}
export const outcomes = withThin(record)
export type OutcomesData = z.output<typeof outcomes.full | typeof outcomes.thin>

/** What of a value is under the root. */
const value = fields({
  odds_id: id,
  ...logged,
  t0: unixSeconds.describe('launch, unix seconds'),
  ppm: count.max(1_000_000).describe('the probability in millionths'),
  inputs_hash: hash.describe('SHA-256 of the body of the judgement that was scored, in Avro, hex'),
  is_shadow: boolean.describe('true: the model was on trial, and the value was not shown'),
  is_retracted: boolean.describe(
    'true: a fork took the judgement back; where it was logged before the root was made, the root still has it',
  ),
})

const open = 'null while the hour has no root, or where the value is not under it'
export const proof = fields({
  state: z
    .enum(['proven', 'open', 'left_out'])
    .describe(
      'proven: the value is under the root of its hour; open: the hour has no root yet; left_out: the hour has its root, and the value came later or was retracted when it was made',
    ),
  hour: unixSeconds.describe('begin of the hour of stream time in which it was logged, unix seconds'),
  closes_at: unixSeconds.describe('stream time at which the root of the hour is made at the earliest, unix seconds'),
  value: value.nullable().describe('the value, once it is old enough to be free'),
  line: text.nullable().describe('the text that the leaf is the hash of: fields with tabs between them'),
  leaf: hash.nullable().describe('SHA-256 of a byte 0 and the line, hex'),
  n: count.nullable().describe(`values under the root; ${open}`),
  proof: z.array(hash).nullable().describe(`hashes beside the way from the leaf to the top, hex; ${open}`),
  root: hash.nullable().describe(`root of the hour, hex; ${open}`),
  made_at: unixSeconds.nullable().describe('stream time up to which the history was complete when the root was made, unix seconds'),
  how_to_verify: text.describe('the check, step by step'),
  delayed_s: delayed,
})
export type ProofData = z.output<typeof proof>
