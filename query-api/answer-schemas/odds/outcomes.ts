// Schemas of `data` of `/v1/outcomes/{mint}` and of `/v1/odds/proof`.
import * as z from 'zod'
import { ODDS_HEADS } from '../../../processors/odds/heads.ts'
import { settledRecord } from '../card.ts'
import { address, boolean, count, fields, path, share, text, unixSeconds, wholeSeconds } from '../vocabulary.ts'
import { withThin } from './thin.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const id = text.describe('id of the logged value: position@hash8:odds:mint:head:model')
const head = z.enum(ODDS_HEADS)
const delayed = wholeSeconds.describe('values younger than this are not shown, seconds')

const logged = {
  mint: address.describe('token address'),
  head: head.describe('predicted outcome; see /v1/calibration'),
  age_s: wholeSeconds.describe('age of the launch at the prediction, seconds'),
  at: unixSeconds.describe('time of the prediction in stream time, unix seconds'),
  probability: share.describe('the logged probability'),
  model_id: text.describe('model of the prediction'),
}

const record = {
  mint: address.describe('token address'),
  outcome: settledRecord
    .nullable()
    .describe('first settlement of the launch; labels are null, with the reason, if a gap or another quote token prevents them'),
  odds: z
    .array(
      fields({
        odds_id: id,
        ...logged,
        came_true: boolean.nullable().describe('whether the predicted outcome came true'),
        is_retracted: boolean.describe('true: a reorg retracted the prediction after it was logged'),
        proof_url: path.describe('path of the proof that it was logged within its hour'),
      }),
    )
    .nullable()
    .describe('all probabilities that active models logged for the launch, oldest first'),
  delayed_s: delayed,
}
export const outcomes = withThin(record)
export type OutcomesData = z.output<typeof outcomes.full | typeof outcomes.thin>

/** A logged value with the fields that are hashed into the Merkle tree of its hour. */
const value = fields({
  odds_id: id,
  ...logged,
  t0: unixSeconds.describe('launch, unix seconds'),
  ppm: count.max(1_000_000).describe('the probability in millionths'),
  inputs_hash: hash.describe('SHA-256 of the Avro body with the inputs of the prediction, hex'),
  is_shadow: boolean.describe('true: the value of a shadow model, not shown in answers'),
  is_retracted: boolean.describe('true: a reorg retracted the prediction; a root that was computed before the reorg still covers it'),
})

const NO_ROOT = 'null while the hour has no root'
export const proof = fields({
  state: z
    .enum(['proven', 'open', 'left_out'])
    .describe(
      'proven: the Merkle root of the hour covers the value; open: the hour has no root yet; left_out: the root does not cover the value, because the value arrived after the root was computed, or was retracted before',
    ),
  hour: unixSeconds.describe('start of the hour in which the value was logged, stream time, unix seconds'),
  closes_at: unixSeconds.describe('earliest time at which the root is computed, stream time, unix seconds'),
  value: value.nullable().describe('the value; null until it is old enough to be free'),
  line: text.nullable().describe('the hashed text of the leaf: fields separated by tabs'),
  leaf: hash.nullable().describe('SHA-256 of a 0 byte followed by the line, hex'),
  n: count.nullable().describe(`number of values that the root covers; ${NO_ROOT}`),
  proof: z
    .array(hash)
    .nullable()
    .describe(`sibling hashes on the path from the leaf to the root, hex; ${NO_ROOT}, or if the root does not cover the value`),
  root: hash.nullable().describe(`root of the hour, hex; ${NO_ROOT}`),
  made_at: unixSeconds.nullable().describe('stream time up to which the history was complete when the root was computed, unix seconds'),
  how_to_verify: text.describe('steps of the verification'),
  delayed_s: delayed,
})
export type ProofData = z.output<typeof proof>
