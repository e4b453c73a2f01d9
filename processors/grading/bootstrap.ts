// Bootstrap intervals of scores, seeded.
import { Seeded } from '../seeded.ts'
import type { BandDraws } from './bands.ts'
import { IsotonicFit } from './isotonic.ts'
import { intervalOf } from './quantile.ts'
import type { Counts, Sample } from './sample.ts'
import { SCORES, type ScoreName, scoresOf } from './scores.ts'
import type { Interval } from './wilson.ts'

export interface Chance {
  readonly seed: number
  /** Different for each sample that is drawn from. */
  readonly stream: number
  readonly resamples: number
}

/** An interval, or why there is none. */
export type ConfidenceBounds = (Interval & { readonly reason: null }) | { readonly low: null; readonly high: null; readonly reason: string }

/**
 * Draws as many rows as the sample has, with replacement, `resamples` times, and gives the 95 % percentile interval of each score (Efron
 * 1979). Rows count as independent of each other. `bands` gets each drawn row. A step is one resample.
 */
export function* bootstrap(
  sample: Sample,
  chance: Chance,
  bands?: BandDraws,
): Generator<void, Readonly<Record<ScoreName, ConfidenceBounds>>, void> {
  const { probabilities } = sample
  const random = new Seeded(chance.seed, chance.stream)
  const fit = new IsotonicFit(probabilities.length)
  const drawn: Counts = { rows: new Float64Array(probabilities.length), positives: new Float64Array(probabilities.length) }
  const columns = SCORES.map((name) => ({ name, values: new Float64Array(chance.resamples) }))
  for (let at = 0; at < chance.resamples; at++) {
    bands?.begin()
    draw(drawn, sample, random, bands)
    const scores = scoresOf(probabilities, drawn, fit)
    for (const { name, values } of columns) values[at] = scores[name] ?? Number.NaN
    bands?.end(drawn.rows)
    yield
  }
  return Object.fromEntries(columns.map(({ name, values }) => [name, boundsOf(values)])) as Record<ScoreName, ConfidenceBounds>
}

const draw = ({ rows, positives }: Counts, { groupOf, isPositive }: Sample, random: Seeded, bands: BandDraws | undefined): void => {
  rows.fill(0)
  positives.fill(0)
  for (let left = groupOf.length; left > 0; left--) {
    const row = random.int(groupOf.length)
    const group = groupOf[row] as number
    rows[group] = (rows[group] as number) + 1
    positives[group] = (positives[group] as number) + (isPositive[row] as number)
    bands?.row(group, random)
  }
}

const boundsOf = (values: Float64Array): ConfidenceBounds => {
  const missing = values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0)
  if (missing === 0) return { ...intervalOf(values), reason: null }
  return { low: null, high: null, reason: `not defined in ${missing} of ${values.length} resamples: too few labels of one kind` }
}
