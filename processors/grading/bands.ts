// Bands around the reliability curve: the range of curves that chance alone gives to a calibrated forecast (consistency), and to a forecast
// whose true rates are the fitted ones (confidence).
import type { Seeded } from '../seeded.ts'
import { curveAt, IsotonicFit } from './isotonic.ts'
import { intervalOf } from './quantile.ts'
import type { Sample } from './sample.ts'
import { brierScore, decompose } from './scores.ts'
import type { Interval } from './wilson.ts'

export interface Bands {
  /** At each point, the interval that holds the curve of a calibrated forecast 95 of 100 times. */
  readonly consistency: readonly Interval[]
  /** The same for a forecast whose true rates are those of the fit. */
  readonly confidence: readonly Interval[]
  /**
   * The probability that a calibrated forecast is by chance at least as miscalibrated as this one (Broecker and Smith 2007, "Increasing the
   * reliability of reliability diagrams"): at least 1 / (resamples + 1).
   */
  readonly miscalibrationPValue: number
}

/**
 * Each drawn row gets a new label: from its own probability for the consistency band, from the isotonic fit for the confidence band. The
 * curve is fitted again, and the band consists of the quantiles of these curves, widened to contain the diagonal (consistency) or the fit
 * (confidence): Dimitriadis, Gneiting and Jordan 2021, as `region.method = "resampling"` of R `reliabilitydiag`, but linear between
 * blocks where no drawn row has the point. Points ascend.
 */
export class BandDraws {
  readonly #sample: Sample
  readonly #points: Float64Array
  readonly #fit: IsotonicFit
  readonly #estimate: Float64Array
  readonly #consistent: Float64Array
  readonly #estimated: Float64Array
  readonly #curve: Float64Array
  readonly #columns: { readonly consistency: readonly Float64Array[]; readonly confidence: readonly Float64Array[] }
  readonly #miscalibration: number
  #worse = 0
  #draws = 0

  constructor(sample: Sample, points: Float64Array, resamples: number) {
    const { probabilities, rows, positives } = sample
    this.#sample = sample
    this.#points = points
    this.#fit = new IsotonicFit(probabilities.length).fit(rows, positives)
    this.#estimate = new Float64Array(probabilities.length)
    curveAt(this.#fit, probabilities, probabilities, this.#estimate)
    this.#miscalibration = decompose(brierScore(probabilities, sample), this.#fit).miscalibration
    this.#consistent = new Float64Array(probabilities.length)
    this.#estimated = new Float64Array(probabilities.length)
    this.#curve = new Float64Array(points.length)
    const columns = (): Float64Array[] => Array.from(points, () => new Float64Array(resamples))
    this.#columns = { consistency: columns(), confidence: columns() }
  }
  begin(): void {
    this.#consistent.fill(0)
    this.#estimated.fill(0)
  }
  /** Adds one drawn row of this group. */
  row(group: number, random: Seeded): void {
    const [consistent, estimated] = [this.#consistent, this.#estimated]
    if (random.next() < (this.#sample.probabilities[group] as number)) consistent[group] = (consistent[group] as number) + 1
    if (random.next() < (this.#estimate[group] as number)) estimated[group] = (estimated[group] as number) + 1
  }
  /** Ends a resample with the given number of rows in each group. */
  end(rows: Float64Array): void {
    this.#keep(rows, this.#estimated, this.#columns.confidence)
    this.#keep(rows, this.#consistent, this.#columns.consistency)
    const brier = brierScore(this.#sample.probabilities, { rows, positives: this.#consistent })
    if (decompose(brier, this.#fit).miscalibration >= this.#miscalibration) this.#worse++
    this.#draws++
  }
  bands(): Bands {
    const { rows, positives, probabilities } = this.#sample
    curveAt(this.#fit.fit(rows, positives), probabilities, this.#points, this.#curve)
    const { consistency, confidence } = this.#columns
    return {
      consistency: consistency.map((column, at) => holding(intervalOf(column), this.#points[at] as number)),
      confidence: confidence.map((column, at) => holding(intervalOf(column), this.#curve[at] as number)),
      miscalibrationPValue: (this.#worse + 1) / (this.#draws + 1),
    }
  }
  #keep(rows: Float64Array, labels: Float64Array, columns: readonly Float64Array[]): void {
    curveAt(this.#fit.fit(rows, labels), this.#sample.probabilities, this.#points, this.#curve)
    for (const [at, column] of columns.entries()) column[this.#draws] = this.#curve[at] as number
  }
}

const holding = ({ low, high }: Interval, value: number): Interval => ({ low: Math.min(low, value), high: Math.max(high, value) })
