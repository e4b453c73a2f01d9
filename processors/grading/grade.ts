// Grades predictions: scores with their intervals, and the reliability curve in bins.
import { BandDraws } from './bands.ts'
import { bootstrap, type Chance, type ConfidenceBounds } from './bootstrap.ts'
import { IsotonicFit } from './isotonic.ts'
import { type Sample, sampleOf } from './sample.ts'
import { SCORES, type ScoreName, scoresOf } from './scores.ts'
import { type Interval, wilsonInterval } from './wilson.ts'

/** A score with its 95 % interval; null with a reason where it is not defined. */
export type Figure = { readonly value: number | null } & ConfidenceBounds

/** One step of the reliability curve: the rows to which the isotonic fit gives the same rate. */
interface Bin {
  readonly rows: number
  readonly positives: number
  readonly probabilityMin: number
  readonly probabilityMax: number
  readonly meanProbability: number
  /** Share of positives: according to the fit, what these probabilities should have been. */
  readonly observed: number
}

/** A bin with its bands, both at its mean probability. */
export interface BandedBin extends Bin {
  readonly confidence: Interval
  readonly consistency: Interval
}

export interface Grade {
  readonly rows: number
  readonly positives: number
  readonly meanProbability: number
  /** With Wilson's interval. */
  readonly baseRate: { readonly value: number } & Interval
  readonly scores: Readonly<Record<ScoreName, Figure>>
}

export interface Reliability {
  /** Ascending. */
  readonly bins: readonly BandedBin[]
  /** As in `Bands`. */
  readonly miscalibrationPValue: number
}

const UNDEFINED: Readonly<Partial<Record<ScoreName, string>>> = {
  brierSkill: 'all labels are the same: the base rate has no error to be compared with',
  prAuc: 'no label is 1',
}

/** Grades at least one row. A step is one resample. */
export function* grade(probabilities: Float64Array, labels: Uint8Array, chance: Chance): Generator<void, Grade, void> {
  const sample = sampleOf(probabilities, labels)
  return gradeOf(sample, yield* bootstrap(sample, chance))
}

/** The same, plus the reliability curve, in twice the time. */
export function* gradeWithCurve(
  probabilities: Float64Array,
  labels: Uint8Array,
  chance: Chance,
): Generator<void, Grade & Reliability, void> {
  const sample = sampleOf(probabilities, labels)
  const bins = binsOf(sample)
  const points = Float64Array.from(bins, ({ meanProbability }) => meanProbability)
  const draws = new BandDraws(sample, points, chance.resamples)
  const bounds = yield* bootstrap(sample, chance, draws)
  const { confidence, consistency, miscalibrationPValue } = draws.bands()
  return {
    ...gradeOf(sample, bounds),
    bins: bins.map((bin, at) => ({ ...bin, confidence: confidence[at] as Interval, consistency: consistency[at] as Interval })),
    miscalibrationPValue,
  }
}

const gradeOf = (sample: Sample, bounds: Readonly<Record<ScoreName, ConfidenceBounds>>): Grade => {
  const { probabilities, positiveRows: positives, rows: counts } = sample
  const rows = sample.groupOf.length
  const values = scoresOf(probabilities, sample, new IsotonicFit(probabilities.length))
  return {
    rows,
    positives,
    meanProbability: probabilities.reduce((sum, probability, group) => sum + probability * (counts[group] as number), 0) / rows,
    baseRate: { value: positives / rows, ...(wilsonInterval(positives, rows) as Interval) },
    scores: Object.fromEntries(SCORES.map((name) => [name, figureOf(name, values[name], bounds[name])])) as Record<ScoreName, Figure>,
  }
}

const figureOf = (name: ScoreName, value: number | null, bounds: ConfidenceBounds): Figure =>
  value === null ? { value, low: null, high: null, reason: UNDEFINED[name] ?? 'not defined' } : { value, ...bounds }

/** The blocks of the isotonic fit of a sample. */
const binsOf = ({ probabilities, rows, positives }: Sample): readonly Bin[] => {
  const fit = new IsotonicFit(probabilities.length).fit(rows, positives)
  return Array.from({ length: fit.blocks }, (_, block) => {
    const [first, last] = [fit.first[block] as number, fit.last[block] as number]
    const [probabilityMin, probabilityMax] = [probabilities[first] as number, probabilities[last] as number]
    const [n, hits] = [fit.weight[block] as number, fit.sum[block] as number]
    let sum = 0
    for (let group = first; group <= last; group++) sum += (probabilities[group] as number) * (rows[group] as number)
    const meanProbability = Math.min(probabilityMax, Math.max(probabilityMin, sum / n))
    return { rows: n, positives: hits, probabilityMin, probabilityMax, meanProbability, observed: hits / n }
  })
}
