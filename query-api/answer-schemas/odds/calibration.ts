// `data` of `/v1/calibration`.
import { z } from 'zod'
import type { ODDS_HEADS } from '../../../processors/odds/heads.ts'
import { boolean, count, fields, ratio, share, text, unixSeconds } from '../vocabulary.ts'
import { withThin } from './thin.ts'

/** Launches of the UTC day of `as_of` and of so many days before it. */
export const CALIBRATION_DAYS = 30
/** Launches within the UTC hour of a launch, its own included. */
export const REGIMES = ['under_1000', '1000_to_2000', 'over_2000'] as const

export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)

const scores = {
  n: count.describe('logged values whose outcomes are known; a launch has one value a head and age'),
  hits: count.describe('of them, those whose outcome came true'),
  mean_p: share.describe('mean of the logged probabilities'),
  base_rate: share.describe('hits / n'),
  brier: share.describe('Brier score: mean squared difference of probability and outcome; 0 is best'),
  brier_skill: ratio
    .nullable()
    .describe('1 - brier / Brier score of always saying base_rate: 1 is best, 0 is no better than the base rate, below 0 is worse'),
  ece: share.describe(
    'expected calibration error over 10 bins of equal width: how far mean_p and observed of the bins are apart, on average over values',
  ),
  pr_auc: share.nullable().describe('area under precision and recall (average precision), values ranked by probability in thousandths'),
}

const bin = fields({
  from: share.describe('values of the bin are at or above it'),
  to: share.describe('values of the bin are below it; the last bin includes 1'),
  n: count.describe('values'),
  mean_p: share.describe('mean of their probabilities'),
  observed: share.describe('share of them whose outcome came true'),
  low: share.describe('lower end of the 95 % interval of observed (Wilson)'),
  high: share.describe('upper end of the 95 % interval of observed (Wilson)'),
})

const live = fields({ ...scores, bins: z.array(bin).describe('reliability: bins of a tenth that have values, ascending') })

const standing = fields({
  is_shown: boolean.describe('false while odds of the head are withheld or withdrawn: null, with the reason, wherever they would be shown'),
  reason: text.optional().describe('why is_shown is false'),
  model_id: text.nullable().describe('the model in force'),
  since: unixSeconds.nullable().describe('stream time since which is_shown holds, unix seconds'),
})

const validation = z
  .strictObject({
    model_id: text.describe('the model in force'),
    metrics: z
      .record(z.string(), z.record(z.string(), z.union([z.number(), z.string()])))
      .describe('as the file of the model has them, by the launches that they are of; a metric that could not be computed is left out'),
  })
  .nullable()
  .describe('how the model in force graded before it was in force, on launches later than those it learnt from; not part of live')

const head = fields({
  standing: standing.describe('whether the odds of the head are shown now'),
  live: live.nullable().describe('values of models in force, as logged; never those of a model on trial'),
  days: z.array(fields({ day: day.describe('UTC day of launch'), ...scores })).describe('the same by day of launch, newest first'),
  regimes: z
    .array(
      fields({
        regime: z.enum(REGIMES).describe('launches in the UTC hour of the launch: fewer than 1,000; 1,000 to 2,000; more'),
        ...scores,
      }),
    )
    .describe('the same by how busy the market was'),
  models: z.array(fields({ model_id: text.describe('model'), ...scores })).describe('the same by model'),
  validation,
})

const root = z.strictObject({
  hour: unixSeconds.describe('begin of the hour of stream time, unix seconds'),
  n: count.describe('values logged in the hour, those of models on trial included'),
  root: hash.describe('SHA-256, hex: no value of the hour can change, go or come without another root'),
})

const ledger = fields({
  hours: count.describe('hours that have a root'),
  changed_hours: count.describe(
    'hours whose values would no longer give their root: values came late, or a fork retracted some; the root stands, and /v1/odds/proof names them',
  ),
  newest: z.array(root).describe('the newest 24 roots of hours with values, newest first: write them down to check proofs against later'),
})

const record = {
  window_days: z.literal(CALIBRATION_DAYS).describe('launches of the UTC day of as_of and of so many days before it'),
  as_of: unixSeconds.nullable().describe('stream time up to which outcomes are counted, unix seconds'),
  heads: z
    .strictObject({
      rug_within_300s: head.describe('rugged at most 300 s after the launch; judged at ages 5, 10, 20 and 30 s'),
      true_graduation: head.describe('graduated; judged up to age 900 s, from 5 buys on'),
    } satisfies Record<(typeof ODDS_HEADS)[number], unknown>)
    .describe('what the odds are about'),
  ledger: ledger.nullable().describe('hourly Merkle roots over every logged value; /v1/odds/proof has the proof of one'),
}
export const calibration = withThin(record)
export type CalibrationData = z.output<typeof calibration.full | typeof calibration.thin>
export type HeadData = CalibrationData['heads']['rug_within_300s']
export type ScoresData = Omit<HeadData['days'][number], 'day'>
