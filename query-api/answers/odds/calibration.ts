// `/v1/calibration`: grades of the logged odds, with the model's validation metrics; free.
import { wilsonInterval } from '../../../processors/grading/wilson.ts'
import { explain } from '../../../processors/mint/card/explain.ts'
import { ODDS_HEADS, type OddsHead } from '../../../processors/odds/heads.ts'
import type { CachedResult } from '../../../topology/ports/history.ts'
import type { HeadGrades, OddsBin, OddsGrades, OddsScores } from '../../../topology/ports/odds-history.ts'
import { CALIBRATION_DAYS, type CalibrationData, type HeadData, type ScoresData } from '../../answer-schemas/odds/calibration.ts'
import type { Answer } from '../../questions/bodies.ts'
import { NO_HISTORY } from '../cards/base-rates.ts'
import { enveloped, type RequestContext } from '../question.ts'
import type { Service } from '../service.ts'

const NO_MODEL = 'no model is active yet: a model can be trained once enough launches have resolved'
const NONE_GRADED = 'no logged value has a known outcome yet'
const ONE_OUTCOME = 'all outcomes are equal, so the base rate has no error to compare with'
const NO_HIT = 'no outcome came true'

export const answerCalibration = (_input: object, ask: RequestContext): Answer => {
  const { service } = ask
  const unknown = { ok: false as const, reason: NO_HISTORY }
  const { history } = service.options
  const grades: CachedResult<OddsGrades> = history?.oddsGrades() ?? unknown
  const ledger = history?.oddsLedger() ?? unknown
  const headOf = (head: OddsHead): HeadData => headData(head, grades, service)
  const reason = grades.ok ? '' : grades.reason
  const data: CalibrationData = {
    window_days: CALIBRATION_DAYS,
    ...explain({ as_of: grades.ok ? grades.asOf : null }, { as_of: reason }),
    heads: Object.fromEntries(ODDS_HEADS.map((head) => [head, headOf(head)])) as CalibrationData['heads'],
    ...explain(
      {
        ledger: ledger.ok
          ? {
              hours: ledger.value.hours,
              changed_hours: ledger.value.changedHours,
              newest: ledger.value.newest.map((root) => ({ ...root })),
            }
          : null,
      },
      { ledger: ledger.ok ? '' : ledger.reason },
    ),
    ...(!grades.ok && { coverage_reason: grades.reason }),
  }
  return enveloped(ask, { coverage: grades.ok ? 'full' : 'thin', data: JSON.stringify(data), next: NEXT })
}

const NEXT = '{"track_record":"/v1/track-record","labels":"/v1/labels"}'

const headData = (head: OddsHead, grades: CachedResult<OddsGrades>, { options }: Service): HeadData => {
  const graded: HeadGrades | null = grades.ok ? grades.value[head] : null
  const all = graded?.all ?? null
  const validation = options.oddsModels?.validation(head) ?? null
  return {
    standing: standingData(head, options),
    ...explain(
      {
        live: all === null ? null : { ...scoresData(all), bins: all.bins.map(binData) },
        days: (graded?.days ?? []).map(({ part, ...scores }) => ({ day: part, ...scoresData(scores) })),
        regimes: (graded?.regimes ?? []).map(({ part, ...scores }) => ({
          regime: part as HeadData['regimes'][number]['regime'],
          ...scoresData(scores),
        })),
        models: (graded?.models ?? []).map(({ part, ...scores }) => ({ model_id: part, ...scoresData(scores) })),
        validation: validation === null ? null : { model_id: validation.modelId, metrics: withoutNulls(validation.metrics) },
      },
      { live: grades.ok ? NONE_GRADED : grades.reason, validation: NO_MODEL },
    ),
  }
}

const standingData = (head: OddsHead, { odds }: Service['options']): HeadData['standing'] => {
  const standing = odds?.headState(head)
  const [isShown, modelId, since] = [standing?.isShown ?? false, standing?.modelId ?? null, standing?.since ?? null]
  return {
    is_shown: isShown,
    ...(!isShown && { reason: standing?.reason ?? NO_MODEL }),
    ...explain({ model_id: modelId, since }, { model_id: NO_MODEL, since: NO_MODEL }),
  }
}

const scoresData = (scores: OddsScores): ScoresData => ({
  n: scores.n,
  hits: scores.hits,
  mean_p: scores.meanP,
  base_rate: scores.hits / scores.n,
  brier: scores.brier,
  ...explain({ brier_skill: scores.brierSkill }, { brier_skill: ONE_OUTCOME }),
  ece: scores.ece,
  ...explain({ pr_auc: scores.prAuc }, { pr_auc: NO_HIT }),
})

const binData = ({ from, to, n, hits, meanP }: OddsBin) => ({
  ...{ from, to, n, mean_p: meanP, observed: hits / n },
  ...(wilsonInterval(hits, n) ?? { low: 0, high: 1 }),
})

/** Omits nulls, because the model file has no reasons for them. */
const withoutNulls = (metrics: Readonly<Record<string, Readonly<Record<string, number | string | null>>>>) =>
  Object.fromEntries(
    Object.entries(metrics).map(([of, figures]) => [
      of,
      Object.fromEntries(Object.entries(figures).filter((entry): entry is [string, number | string] => entry[1] !== null)),
    ]),
  )
