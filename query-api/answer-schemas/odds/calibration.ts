// Schema of `data` of `/v1/calibration`.
import * as z from 'zod'
import type { ODDS_HEADS } from '../../../processors/odds/heads.ts'
import { boolean, count, fields, ratio, share, text, unixSeconds } from '../vocabulary.ts'
import { withThin } from './thin.ts'

/** Length of the window: the UTC day of `as_of` and this many days before it. */
export const CALIBRATION_DAYS = 30
/** Bands of launches per UTC hour: the hour in which the graded launch happened, with that launch counted. */
const REGIMES = ['under_1000', '1000_to_2000', 'over_2000'] as const

export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)

const scores = {
  n: count.describe('logged values whose outcomes are known; a launch has one value per head and age'),
  hits: count.describe('values whose outcome came true'),
  mean_p: share.describe('mean of the logged probabilities'),
  base_rate: share.describe('hits / n'),
  brier: share.describe('Brier score: mean squared difference of probability and outcome; 0 is best'),
  brier_skill: ratio
    .nullable()
    .describe('1 - brier / Brier score of always predicting base_rate: 1 is best, 0 is no better than the base rate, below 0 is worse'),
  ece: share.describe(
    'expected calibration error over 10 bins of equal width: absolute difference of mean_p and observed per bin, averaged over values',
  ),
  pr_auc: share
    .nullable()
    .describe('area under the precision-recall curve (average precision), values ranked by probability in thousandths'),
}

const bin = fields({
  from: share.describe('lower bound of the bin, included'),
  to: share.describe('upper bound of the bin, excluded; the last bin includes 1'),
  n: count.describe('values in the bin'),
  mean_p: share.describe('mean of their probabilities'),
  observed: share.describe('share of values whose outcome came true'),
  low: share.describe('lower end of the 95 % interval of observed (Wilson)'),
  high: share.describe('upper end of the 95 % interval of observed (Wilson)'),
})

const live = fields({ ...scores, bins: z.array(bin).describe('reliability: bins of width 0.1 that have values, ascending') })

const standing = fields({
  is_shown: boolean.describe('false: answers have null for the odds of this head, and the reason'),
  reason: text.optional().describe('why is_shown is false'),
  model_id: text.nullable().describe('the active model'),
  since: unixSeconds.nullable().describe('stream time of the last change of is_shown, unix seconds'),
})

const validation = z
  .strictObject({
    model_id: text.describe('the active model'),
    metrics: z
      .record(z.string(), z.record(z.string(), z.union([z.number(), z.string()])))
      .describe('metrics in the model file, by data set of launches; metrics that could not be computed are absent'),
  })
  .nullable()
  .describe('grades of the active model before its activation, on launches later than its training data; not part of live')

const head = fields({
  standing: standing.describe('whether the odds of the head are shown now'),
  live: live.nullable().describe('grades of the logged values of active models, without shadow models'),
  days: z.array(fields({ day: day.describe('UTC day of launch'), ...scores })).describe('grades by day of launch, newest first'),
  regimes: z
    .array(
      fields({
        regime: z.enum(REGIMES).describe('number of launches in the UTC hour of the launch: below 1,000; 1,000 to 2,000; above 2,000'),
        ...scores,
      }),
    )
    .describe('grades by number of launches per hour'),
  models: z.array(fields({ model_id: text.describe('model'), ...scores })).describe('grades by model'),
  validation,
})

const root = z.strictObject({
  hour: unixSeconds.describe('start of the hour in stream time, unix seconds'),
  n: count.describe('values logged in the hour, those of shadow models included'),
  root: hash.describe('Merkle root, SHA-256, hex: adding, removing or changing a value of the hour changes it'),
})

const ledger = fields({
  hours: count.describe('hours that have a root'),
  changed_hours: count.describe(
    'hours whose stored values no longer match their root, because values arrived late or a reorg retracted some; the root does not change, and /v1/odds/proof reports these values',
  ),
  newest: z.array(root).describe('the newest 24 roots of hours with values, newest first: store them to verify proofs later'),
})

const record = {
  window_days: z.literal(CALIBRATION_DAYS).describe('length of the window: the UTC day of as_of and this many days before it'),
  as_of: unixSeconds.nullable().describe('stream time up to which outcomes are counted, unix seconds'),
  heads: z
    .strictObject({
      rug_within_300s: head.describe('rugged at most 300 s after the launch; predicted at ages 5, 10, 20 and 30 s'),
      true_graduation: head.describe('graduated; predicted up to age 900 s, from 5 buys on'),
    } satisfies Record<(typeof ODDS_HEADS)[number], unknown>)
    .describe('grades by head: the outcome that the odds predict'),
  ledger: ledger.nullable().describe('hourly Merkle roots over all logged values; /v1/odds/proof returns the proof of one'),
}
export const calibration = withThin(record)
export type CalibrationData = z.output<typeof calibration.full | typeof calibration.thin>
export type HeadData = CalibrationData['heads']['rug_within_300s']
export type ScoresData = Omit<HeadData['days'][number], 'day'>
