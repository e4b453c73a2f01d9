// Decides whether the values of a head may be shown, from the outcomes of its newest resolved values. The rule is published: spec "Odds".
import { brierScore, calibrationError } from '../../grading/scores.ts'
import type { OddsHead } from '../heads.ts'
import { expectedCount } from './expected-count.ts'
import type { GradedRow } from './graded-rows.ts'

/**
 * Launches that must have resolved before values are shown. Over this many launches, perfect odds of rugs have an ECE of 0.03 by chance
 * alone, and one in some hundred such samples is above the limit; over 300 the ECE is 0.05, and half of the samples are above.
 */
export const RESOLVED_MIN = 1_000
/** Limit of the calibration error of the rug head. */
const ECE_MAX = 0.05
const MILLION = 1_000_000

/** Why values are not shown, for people; null where they are. */
export type Fault = string | null

const number = (value: number): string => value.toFixed(3)

/** Takes the newest window of rows of one head and model. Pure: the order of the rows does not matter. */
export const faultOf = (head: OddsHead, rows: readonly Pick<GradedRow, 'ppm' | 'isTrue'>[]): Fault => {
  const n = rows.length
  if (n < RESOLVED_MIN) return `${n} of the ${RESOLVED_MIN} launches that a grade needs have resolved`
  const probabilities = Float64Array.from(rows, ({ ppm }) => ppm / MILLION)
  const counts = { rows: new Float64Array(n).fill(1), positives: Float64Array.from(rows, ({ isTrue }) => Number(isTrue)) }
  const observed = rows.reduce((sum, { isTrue }) => sum + Number(isTrue), 0)
  const over = `over the last ${n} resolved launches`
  if (observed === 0 || observed === n) return `${over} all had the same outcome: there is no base rate to compare with`
  const skill = skillOf(brierScore(probabilities, counts), observed, n)
  if (skill < 0) return `withdrawn: ${over} the Brier skill against the base rate is ${number(skill)}, below 0`
  const { expected, low, high } = expectedCount(probabilities)
  if (observed < low || observed > high) {
    const [ratio, from, to] = [observed / expected, low / expected, high / expected].map(number)
    return `withdrawn: ${over} observed / expected is ${ratio}, outside its 99 % interval of ${from} to ${to}`
  }
  if (head !== 'rug_within_300s') return null
  const error = calibrationError(probabilities, counts)
  return error > ECE_MAX ? `withdrawn: ${over} the calibration error (ECE) is ${number(error)}, over ${ECE_MAX}` : null
}

/** Skill of a Brier score against always predicting the observed share, which is neither 0 nor 1. */
export const skillOf = (brier: number, observed: number, n: number): number => 1 - (brier * n * n) / (observed * (n - observed))
