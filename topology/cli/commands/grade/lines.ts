// The output of a grade: JSON lines for programs, sentences for people.
import type { BandedBin, Figure, Grade, Reliability } from '../../../../processors/grading/grade.ts'
import { ECE_BINS } from '../../../../processors/grading/scores.ts'

/** Level of both kinds of intervals. */
const CONFIDENCE = 0.95

export interface Graded {
  readonly grade: Grade & Reliability
  readonly days: number
  readonly fromMs: number
  readonly toMs: number
  readonly seed: number
  readonly resamples: number
}

/** `{value, low, high}`, with the reason if one of them is null. */
const figure = ({ value, low, high, reason }: Figure): Record<string, number | string | null> =>
  reason === null ? { value, low, high } : { value, low, high, reason }

const figuresOf = ({ rows, positives, meanProbability, baseRate, scores }: Grade): Record<string, unknown> => ({
  rows,
  positives,
  base_rate: baseRate,
  mean_probability: meanProbability,
  brier: figure(scores.brier),
  brier_skill: figure(scores.brierSkill),
  miscalibration: figure(scores.miscalibration),
  discrimination: figure(scores.discrimination),
  uncertainty: figure(scores.uncertainty),
  ece: figure(scores.ece),
  pr_auc: figure(scores.prAuc),
})

const isOutside = ({ observed, consistency }: BandedBin): boolean => observed < consistency.low || observed > consistency.high
const outside = ({ bins }: Reliability): number => bins.filter(isOutside).length

export const summaryLine = ({ grade, days, fromMs, toMs, seed, resamples }: Graded): object => ({
  type: 'summary',
  from: fromMs / 1_000,
  to: toMs / 1_000,
  days,
  ...figuresOf(grade),
  miscalibration_p_value: grade.miscalibrationPValue,
  bins: grade.bins.length,
  bins_outside_consistency: outside(grade),
  ece_bins: ECE_BINS,
  confidence: CONFIDENCE,
  resamples,
  seed,
})

export const binLines = ({ bins }: Reliability): readonly object[] =>
  bins.map((bin, at) => ({
    type: 'bin',
    bin: at + 1,
    rows: bin.rows,
    positives: bin.positives,
    probability_min: bin.probabilityMin,
    probability_max: bin.probabilityMax,
    mean_probability: bin.meanProbability,
    observed: { value: bin.observed, ...bin.confidence },
    consistency: bin.consistency,
    is_outside_consistency: isOutside(bin),
  }))

export const dayLine = (day: string, grade: Grade): object => ({ type: 'day', day, ...figuresOf(grade) })

/** Three significant digits. */
const short = (value: number): string => String(Number(value.toPrecision(3)))
const figureText = ({ value, low, high }: Figure): string => {
  if (value === null) return 'not defined'
  return low === null ? `${short(value)} (no interval)` : `${short(value)} (${short(low)} to ${short(high)})`
}
const share = (value: number): string => `${short(value * 100)} %`

/** The grade in sentences; intervals in parentheses. */
export const wordsOf = ({ grade, days, fromMs, toMs, seed, resamples }: Graded): readonly string[] => {
  const { rows, positives, baseRate, meanProbability, scores, bins, miscalibrationPValue } = grade
  const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 10))
  const on = from === to ? `1 day, ${from}` : `${days} days from ${from} to ${to}`
  return [
    `${rows} predictions on ${on}; ${positives} came true: ${share(baseRate.value)}, predicted ${share(meanProbability)}`,
    `Brier score ${figureText(scores.brier)}; skill against always predicting the base rate ${figureText(scores.brierSkill)}`,
    `  = miscalibration ${figureText(scores.miscalibration)} - discrimination ${figureText(scores.discrimination)} + uncertainty ${figureText(scores.uncertainty)}`,
    `calibration error (ECE) ${figureText(scores.ece)}; area under precision and recall ${figureText(scores.prAuc)}`,
    `${outside(grade)} of ${bins.length} bins of the reliability curve lie outside the band of a calibrated forecast`,
    `a calibrated forecast would be at least this miscalibrated by chance with probability ${short(miscalibrationPValue)}`,
    `95 % intervals in parentheses, from ${resamples} resamples, seed ${seed}`,
  ]
}
