// Free questions about odds: how they graded, what they called, what became of launches, and the proof that they were logged before.

import { DELAY_S } from '../../answers/delay.ts'
import { answerCalibration } from '../../answers/odds/calibration.ts'
import { answerOutcomes, outcomesParams } from '../../answers/odds/outcomes.ts'
import { answerProof, proofParams } from '../../answers/odds/proof.ts'
import { answerTrackRecord } from '../../answers/odds/track-record.ts'
import { type Question, question } from '../../answers/question.ts'

const WHILE_AWAY = 'full while the history answers; else thin with coverage_reason'

export const oddsQuestions: readonly Question[] = [
  question({
    path: '/v1/calibration',
    schema: 'CalibrationAnswer',
    title: 'Calibration of the odds',
    coverageRule: WHILE_AWAY,
    description:
      'How the logged odds graded over 30 days: reliability bins, Brier score and skill, calibration error, PR-AUC, by day, regime and model, what the model promised, and the hourly roots of the log.',
    answer: answerCalibration,
  }),
  question({
    path: '/v1/track-record',
    schema: 'TrackRecordAnswer',
    title: 'Track record of the odds',
    coverageRule: WHILE_AWAY,
    description: 'What the logged odds called, day by day, the worst day first: calls, hits, precision, recall, base rate and lead time.',
    answer: answerTrackRecord,
  }),
  question({
    path: '/v1/outcomes/{mint}',
    schema: 'OutcomesAnswer',
    title: 'Settled outcome of a launch',
    params: outcomesParams,
    coverageRule: WHILE_AWAY,
    delayedS: DELAY_S,
    description: 'How a launch was settled (graduated, rugged, when and how), and every probability that was logged for it before.',
    answer: answerOutcomes,
  }),
  question({
    path: '/v1/odds/proof',
    schema: 'OddsProofAnswer',
    title: 'Proof of a logged probability',
    params: proofParams,
    coverageRule: 'always full: it is about one logged value',
    delayedS: DELAY_S,
    description: 'A logged probability with its way to the Merkle root of its hour, for mintfold verify-odds.',
    example: '/v1/odds/proof?id={odds_id}',
    answer: answerProof,
  }),
]
