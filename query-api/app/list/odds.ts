// Free questions about odds: grades, calls, outcomes of launches, and proofs that odds were logged before the outcome.

import { DELAY_S } from '../../answers/delay.ts'
import { answerCalibration } from '../../answers/odds/calibration.ts'
import { answerOutcomes, outcomesParams } from '../../answers/odds/outcomes.ts'
import { answerProof, proofParams } from '../../answers/odds/proof.ts'
import { answerTrackRecord } from '../../answers/odds/track-record.ts'
import { type Question, question } from '../../answers/question.ts'

const FULL_WITH_HISTORY = 'full while the history is available; else thin with coverage_reason'

export const oddsQuestions: readonly Question[] = [
  question({
    path: '/v1/calibration',
    schema: 'CalibrationAnswer',
    title: 'Calibration of the odds',
    coverageRule: FULL_WITH_HISTORY,
    description:
      'Grades of the logged odds over 30 days: reliability bins, Brier score and skill, calibration error and PR-AUC, by day, regime and model; the validation metrics of the model; and the hourly roots of the log.',
    answer: answerCalibration,
  }),
  question({
    path: '/v1/track-record',
    schema: 'TrackRecordAnswer',
    title: 'Track record of the odds',
    coverageRule: FULL_WITH_HISTORY,
    description: 'Calls of the logged odds by day, with the worst day: calls, hits, precision, recall, base rate and lead time.',
    answer: answerTrackRecord,
  }),
  question({
    path: '/v1/outcomes/{mint}',
    schema: 'OutcomesAnswer',
    title: 'Settled outcome of a launch',
    params: outcomesParams,
    coverageRule: FULL_WITH_HISTORY,
    delayedS: DELAY_S,
    description: 'Settlement of a launch (graduated, rugged, when and how), and every probability that an active model logged for it.',
    answer: answerOutcomes,
  }),
  question({
    path: '/v1/odds/proof',
    schema: 'OddsProofAnswer',
    title: 'Proof of a logged probability',
    params: proofParams,
    coverageRule: 'always full: about one logged value',
    delayedS: DELAY_S,
    description: 'A logged probability with its Merkle proof against the root of its hour, for mintfold verify-odds.',
    example: '/v1/odds/proof?id={odds_id}',
    answer: answerProof,
  }),
]
