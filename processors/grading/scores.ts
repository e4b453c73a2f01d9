// Scores of probabilistic predictions.
import type { IsotonicFit } from './isotonic.ts'
import type { Counts } from './sample.ts'

/** Bins of equal width for the calibration error, as in Naeini et al. 2015. */
export const ECE_BINS = 10

export const SCORES = ['brier', 'brierSkill', 'miscalibration', 'discrimination', 'uncertainty', 'ece', 'prAuc'] as const
export type ScoreName = (typeof SCORES)[number]
/** Null where a score is not defined: skill where all labels are the same, PR-AUC without positives. */
export type Scores = Readonly<Record<ScoreName, number | null>>

/** All scores of counts with at least one row. `fit` is overwritten with the fit of these counts. */
export const scoresOf = (probabilities: Float64Array, counts: Counts, fit: IsotonicFit): Scores => {
  const brier = brierScore(probabilities, counts)
  const parts = decompose(brier, fit.fit(counts.rows, counts.positives))
  return {
    brier,
    brierSkill: parts.uncertainty === 0 ? null : 1 - brier / parts.uncertainty,
    ...parts,
    ece: calibrationError(probabilities, counts),
    prAuc: averagePrecision(counts),
  }
}

/** Mean squared difference of probability and outcome (Brier 1950): 0 is best, 1 worst. */
export const brierScore = (probabilities: Float64Array, { rows, positives }: Counts): number => {
  let [sum, all] = [0, 0]
  for (let group = 0; group < rows.length; group++) {
    const [n, hits, probability] = [rows[group] as number, positives[group] as number, probabilities[group] as number]
    sum += hits * (1 - probability) ** 2 + (n - hits) * probability ** 2
    all += n
  }
  return sum / all
}

/**
 * CORP parts of a Brier score (Dimitriadis, Gneiting and Jordan 2021, "Stable reliability diagrams for probabilistic classifiers"), from
 * the isotonic fit of the same counts: score = miscalibration - discrimination + uncertainty. Uncertainty is the score of always predicting
 * the base rate of these counts. As `decompose` of PyPI `model-diagnostics` with the squared error.
 */
export const decompose = (
  brier: number,
  fit: IsotonicFit,
): Pick<Record<ScoreName, number>, 'miscalibration' | 'discrimination' | 'uncertainty'> => {
  let [all, positives, recalibrated] = [0, 0, 0]
  for (let block = 0; block < fit.blocks; block++) {
    const [n, hits] = [fit.weight[block] as number, fit.sum[block] as number]
    all += n
    positives += hits
    recalibrated += (hits * (n - hits)) / n
  }
  const [best, uncertainty] = [recalibrated / all, (positives * (all - positives)) / (all * all)]
  return { miscalibration: Math.max(0, brier - best), discrimination: Math.max(0, uncertainty - best), uncertainty }
}

/**
 * Expected calibration error: the mean over all rows of the distance between the mean probability of a row's bin and the share of positives
 * in it (Naeini, Cooper and Hauskrecht 2015, "Obtaining well calibrated probabilities using Bayesian binning"). Bins of equal width include
 * their lower end; the last also 1.
 */
export const calibrationError = (probabilities: Float64Array, { rows, positives }: Counts, bins = ECE_BINS): number => {
  const off = new Float64Array(bins)
  let all = 0
  for (let group = 0; group < rows.length; group++) {
    const [n, probability] = [rows[group] as number, probabilities[group] as number]
    const bin = Math.min(bins - 1, Math.floor(probability * bins))
    off[bin] = (off[bin] as number) + n * probability - (positives[group] as number)
    all += n
  }
  return off.reduce((sum, difference) => sum + Math.abs(difference), 0) / all
}

/**
 * Area under the precision-recall curve as average precision: the precision at each threshold, weighted by the recall that it adds. Rows of
 * equal probability pass the threshold together, as in `average_precision_score` of scikit-learn. Null without positives.
 */
export const averagePrecision = ({ rows, positives }: Counts): number | null => {
  let [predicted, hits, sum] = [0, 0, 0]
  for (let group = rows.length - 1; group >= 0; group--) {
    const added = positives[group] as number
    predicted += rows[group] as number
    hits += added
    if (added > 0) sum += (added * hits) / predicted
  }
  return hits === 0 ? null : sum / hits
}
