// Trains odds by the service's method on one table of tokens and grades them on another, to test the method on real markets.
import { binOf, compiled, ppmAt } from '../../processors/odds/card.ts'
import { edgesOf } from '../../processors/odds/train/binning.ts'
import { knotsOf } from '../../processors/odds/train/calibrate.ts'
import { fitLogistic, type Weights } from '../../processors/odds/train/logistic.ts'
import { figuresOf } from '../../processors/odds/train/metrics.ts'

/** A token of a table in launch order; unknown figures are missing. */
export interface OddsToken {
  readonly isHit: boolean
  readonly figures: Readonly<Record<string, number>>
}

const MILLION = 1_000_000
/** Share of a table, in launch order, to train on; the rest is for calibration. */
const LEARNT_SHARE = 0.7
const PENALTY = { ridge: 3, smooth: 6 }

/** In millionths, because bin edges are whole numbers. */
const figureOf = ({ figures }: OddsToken, name: string): number => {
  const figure = figures[name]
  return figure === undefined ? Number.NaN : Math.round(figure * MILLION)
}
const labelsOf = (tokens: readonly OddsToken[]): Uint8Array => Uint8Array.from(tokens, ({ isHit }) => Number(isHit))

/** Both tables are in launch order, and `graded` is later than `learnt`. `names`: the figures to use, which are known early. */
export const gradeTokenOdds = (learnt: readonly OddsToken[], graded: readonly OddsToken[], names: readonly string[]) => {
  const cut = Math.floor(learnt.length * LEARNT_SHARE)
  const scoreOf = scorerOf(learnt.slice(0, cut), names)
  const later = learnt.slice(cut)
  const knots = knotsOf(Float64Array.from(later, scoreOf), labelsOf(later))
  const card = compiled({ ageS: 0, base: 0, parts: [], knots })
  const probabilities = Float64Array.from(graded, (token) => ppmAt(card, scoreOf(token)) / MILLION)
  const labels = labelsOf(graded)
  const figures = figuresOf({ probabilities, labels, launch: Float64Array.from(graded, (_, row) => row) })
  return { learnt: cut, calibrated: later.length, ...figures, auc: aucOf(probabilities, labels), ...slopeOf(probabilities, labels) }
}

const scorerOf = (tokens: readonly OddsToken[], names: readonly string[]): ((token: OddsToken) => number) => {
  let first = 0
  const columns = names.map((name) => {
    const edges = edgesOf(
      name,
      Float64Array.from(tokens, (token) => figureOf(token, name)),
    )
    const column = { name, edges, first }
    first += edges.length + 2
    return column
  })
  const next = new Int32Array(first).fill(-1)
  for (const column of columns) for (let bin = 1; bin <= column.edges.length; bin++) next[column.first + bin] = column.first + bin + 1
  const placesOf = (token: OddsToken): number[] => columns.map(({ name, edges, first: at }) => at + binOf(edges, figureOf(token, name)))
  const bins = Uint16Array.from(tokens.flatMap(placesOf))
  const { base, weights } = fitted({ bins, features: columns.length, labels: labelsOf(tokens), next })
  return (token) => Math.round(MILLION * placesOf(token).reduce((sum, feature) => sum + (weights[feature] as number), base))
}

const fitted = (rows: Parameters<typeof fitLogistic>[0], penalty = PENALTY): Weights => {
  const steps = fitLogistic(rows, penalty)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Chance that a token with the outcome has a higher probability than one without; ties count half. */
const aucOf = (probabilities: Float64Array, labels: Uint8Array): number => {
  const order = Uint32Array.from(probabilities, (_, row) => row).sort((a, b) => (probabilities[a] as number) - (probabilities[b] as number))
  let [ranks, hits, at] = [0, 0, 0]
  while (at < order.length) {
    let [end, tied] = [at, 0]
    while (end < order.length && probabilities[order[end] as number] === probabilities[order[at] as number])
      tied += labels[order[end++] as number] as number
    ranks += tied * ((at + end + 1) / 2)
    hits += tied
    at = end
  }
  return (ranks - (hits * (hits + 1)) / 2) / (hits * (order.length - hits))
}

const STEPS_MAX = 50
const CLOSE = 1e-4
/** Slope and intercept of the outcomes over the logits of the probabilities (Cox 1958): 1 and 0 for a calibrated forecast. */
const slopeOf = (probabilities: Float64Array, labels: Uint8Array) => {
  const logits = probabilities.map((p) => Math.log(Math.max(CLOSE, p) / Math.max(CLOSE, 1 - p)))
  let [intercept, slope] = [0, 1]
  for (let step = 0; step < STEPS_MAX; step++) {
    let [a, b, aa, ab, bb] = [0, 0, 0, 0, 0]
    for (const [row, x] of logits.entries()) {
      const p = 1 / (1 + Math.exp(-(intercept + slope * x)))
      const [off, weight] = [(labels[row] as number) - p, p * (1 - p)]
      ;[a, b, aa, ab, bb] = [a + off, b + off * x, aa + weight, ab + weight * x, bb + weight * x * x]
    }
    const area = aa * bb - ab * ab
    intercept += (bb * a - ab * b) / area
    slope += (aa * b - ab * a) / area
  }
  return { calibration_slope: slope, calibration_intercept: intercept }
}
