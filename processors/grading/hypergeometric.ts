// Tests whether a detector is right more often than chance.
import { assert } from '../../schemas/errors.ts'

/** Counts over all launches with a known outcome. Whole numbers. */
export interface Drawn {
  /** Flagged launches with the outcome. */
  readonly hits: number
  /** Launches that were flagged. */
  readonly flagged: number
  /** Launches with the outcome. */
  readonly withOutcome: number
  /** All launches with a known outcome, including flagged ones and those with the outcome. */
  readonly resolved: number
}

/**
 * One-sided p-value of a precision against the base rate: the probability that `flagged` launches, drawn at random without replacement from
 * all resolved ones, have at least `hits` with the outcome (Fisher's exact test; upper tail of the hypergeometric distribution). 1 where
 * nothing is flagged. The first term comes from Loader's expansion (Loader 2000, "Fast and accurate computation of binomial
 * probabilities"), because differences of log-gamma lose 8 of 16 digits at a million launches; each further term follows
 * from the one before it by their ratio. A p-value below 1e-300 may be 0.
 */
export const precisionPValue = (drawn: Drawn): number => {
  const { hits, flagged, withOutcome, resolved } = drawn
  assert(hits <= Math.min(flagged, withOutcome) && Math.max(flagged, withOutcome) <= resolved, 'the counts of a draw contradict each other')
  const least = Math.max(0, flagged + withOutcome - resolved)
  if (hits <= least) return 1
  const mean = (flagged * withOutcome) / resolved
  return Math.min(1, hits > mean ? tail(drawn, hits, 1) : 1 - tail(drawn, hits - 1, -1))
}

/** Probability of `from` and of everything beyond it in the given direction. Terms decrease in that direction, away from the mean. */
const tail = ({ flagged, withOutcome, resolved }: Drawn, from: number, direction: 1 | -1): number => {
  const others = resolved - withOutcome
  let term = Math.exp(logProbability(from, flagged, withOutcome, others))
  let sum = 0
  for (let hits = from; term > sum * Number.EPSILON; hits += direction) {
    sum += term
    const up = direction === 1 ? hits : hits - 1
    const ratio = ((withOutcome - up) * (flagged - up)) / ((up + 1) * (others - flagged + up + 1))
    term *= direction === 1 ? ratio : 1 / ratio
  }
  return sum
}

/** Natural logarithm of the hypergeometric probability, from three binomial probabilities with the same rate. */
const logProbability = (hits: number, flagged: number, withOutcome: number, others: number): number => {
  const all = withOutcome + others
  const rate = flagged / all
  return logBinomial(hits, withOutcome, rate) + logBinomial(flagged - hits, others, rate) - logBinomial(flagged, all, rate)
}

const logBinomial = (hits: number, n: number, rate: number): number => {
  if (rate === 0 || rate === 1) return hits === n * rate ? 0 : Number.NEGATIVE_INFINITY
  if (hits === 0) return n * Math.log1p(-rate)
  if (hits === n) return n * Math.log(rate)
  const misses = n - hits
  const parts = stirlingError(n) - stirlingError(hits) - stirlingError(misses) - deviance(hits, n * rate) - deviance(misses, n * (1 - rate))
  return parts - (Math.log(2 * Math.PI) + Math.log(hits) + Math.log1p(-hits / n)) / 2
}

/** Up to this n, n! is computed with negligible rounding. */
const EXACT_MAX = 16
const SERIES = [1 / 12, -1 / 360, 1 / 1_260, -1 / 1_680, 1 / 1_188, -691 / 360_360]

/** ln(n!) minus Stirling's approximation, for n from 1 on. */
const stirlingError = (n: number): number => {
  if (n > EXACT_MAX) return SERIES.reduceRight((sum, part) => sum / (n * n) + part, 0) / n
  let factorial = 1
  for (let factor = 2; factor <= n; factor++) factorial *= factor
  return Math.log(factorial) - (n + 0.5) * Math.log(n) + n - Math.log(2 * Math.PI) / 2
}

/** x ln(x / mean) + mean - x, without cancellation where x is near the mean. */
const deviance = (x: number, mean: number): number => {
  const difference = x - mean
  if (Math.abs(difference) >= 0.1 * (x + mean)) return x * Math.log(x / mean) - difference
  const part = difference / (x + mean)
  let sum = difference * part
  let power = 2 * x * part
  for (let divisor = 3; ; divisor += 2) {
    power *= part * part
    const next = sum + power / divisor
    if (next === sum) return sum
    sum = next
  }
}
