// Decides when a model on trial takes over: after it has scored next to the model in force for a day, and did better on the same launches.
import type { ModelRecord } from '../../../schemas/types.ts'
import { brierScore } from '../../grading/scores.ts'
import { ODDS_HEADS, type OddsHead } from '../heads.ts'
import { RESOLVED_MIN, skillOf } from './fault.ts'
import type { GradedRow, GradedRows } from './graded-rows.ts'
import { inForceAt } from './model-states.ts'

/** Stream time, seconds. */
const TRIAL_S_MIN = 86_400
/** After this time a trial without enough launches ends. */
export const TRIAL_S_MAX = 3 * 86_400
/** A change takes effect this much later than its decision, seconds of stream time: every process has read it by then. */
const AHEAD_S = 60
const MILLION = 1_000_000

/**
 * Decides at most one trial, the oldest that can be decided. Returns the changed records of models; empty if nothing is decided. `nowS`:
 * stream time, unix seconds. A model that was on trial for a day or more and has enough launches takes over if its mean Brier skill over
 * the heads is above that of the model in force on the same launches, judged at the same ages; else it is retired. Without a model in
 * force, a model on trial takes over after a day, whatever its skill.
 */
export const decideTrial = (models: Iterable<ModelRecord>, rows: GradedRows, nowS: number): readonly ModelRecord[] => {
  const all = [...models]
  const inForce = inForceAt(all, Number.POSITIVE_INFINITY)
  const due = all
    .filter(({ state, trialSince }) => state === 'trial' && nowS - trialSince >= TRIAL_S_MIN)
    .sort((a, b) => a.sequence - b.sequence)
  for (const trial of due) {
    const result = inForce === undefined ? { isBetter: true, reason: 'no model is in force' } : compare(trial, inForce, rows, nowS)
    if (result !== null) return recordsOf(trial, inForce, result, nowS + AHEAD_S)
  }
  return []
}

interface TrialResult {
  readonly isBetter: boolean
  readonly reason: string
}

const recordsOf = (
  trial: ModelRecord,
  inForce: ModelRecord | undefined,
  { isBetter, reason }: TrialResult,
  since: number,
): ModelRecord[] => {
  if (!isBetter) return [{ ...trial, state: 'retired', since, reason }]
  const taken: ModelRecord = { ...trial, state: 'in_force', since, inForceSince: since, reason }
  return inForce === undefined ? [taken] : [taken, { ...inForce, state: 'retired', since, reason: `${trial.id} took over: ${reason}` }]
}

/** Null while there is too little data to decide. */
const compare = (trial: ModelRecord, inForce: ModelRecord, rows: GradedRows, nowS: number): TrialResult | null => {
  const skills = ODDS_HEADS.map((head) => skillsOf(head, trial.id, inForce.id, rows))
  const n = Math.min(...skills.map(({ launches }) => launches))
  if (n < RESOLVED_MIN) {
    if (nowS - trial.trialSince < TRIAL_S_MAX) return null
    const reason = `after ${TRIAL_S_MAX / 86_400} days ${n} of the ${RESOLVED_MIN} launches that a trial needs have resolved`
    return { isBetter: false, reason }
  }
  const mean = (of: 'trial' | 'inForce'): number => skills.reduce((sum, one) => sum + one[of], 0) / skills.length
  const [onTrial, current] = [mean('trial'), mean('inForce')]
  const against = `${current.toFixed(4)} of ${inForce.id}`
  const reason = `mean Brier skill ${onTrial.toFixed(4)} against ${against}, on at least ${n} common launches per head`
  return { isBetter: onTrial > current, reason }
}

/** Skill of both models over the launches for which their graded values have the same age. 0 for both where all outcomes are the same. */
const skillsOf = (head: OddsHead, trial: string, inForce: string, rows: GradedRows) => {
  const others = new Map(rows.before(inForce, head, Number.POSITIVE_INFINITY).map((row) => [row.mint, row]))
  const pairs = rows.before(trial, head, Number.POSITIVE_INFINITY).flatMap((own) => {
    const other = others.get(own.mint)
    return other?.ageS === own.ageS ? [{ own, other }] : []
  })
  const observed = pairs.filter(({ own }) => own.isTrue).length
  const skill = (of: readonly GradedRow[]): number =>
    observed === 0 || observed === of.length ? 0 : skillOf(brierOf(of), observed, of.length)
  return { launches: pairs.length, trial: skill(pairs.map(({ own }) => own)), inForce: skill(pairs.map(({ other }) => other)) }
}

const brierOf = (rows: readonly GradedRow[]): number =>
  brierScore(
    Float64Array.from(rows, ({ ppm }) => ppm / MILLION),
    { rows: new Float64Array(rows.length).fill(1), positives: Float64Array.from(rows, ({ isTrue }) => Number(isTrue)) },
  )
