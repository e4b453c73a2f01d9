// Fits the card of one age: bins of each feature and their points, by logistic regression.
import { binOf } from '../card.ts'
import { FEATURE_NAMES } from '../features.ts'
import type { OddsHead } from '../heads.ts'
import type { Card } from '../model-file.ts'
import { edgesOf } from './binning.ts'
import { fitLogistic, type Penalty } from './logistic.ts'
import type { TrainingRows } from './rows.ts'

/** Each with the strength of 10 rows: a bin of few rows is uncertain, and neighbours differ little. */
const PENALTY: Penalty = { ridge: 3, smooth: 6 }
const MILLION = 1_000_000
const WIDTH = FEATURE_NAMES.length

interface Column {
  readonly feature: string
  readonly column: number
  readonly edges: number[]
  /** Index of the feature's first weight, which is for an unknown value. */
  readonly first: number
}

/** Requires at least one row. Constant features have no part. */
export function* fitCard(set: TrainingRows, head: OddsHead, rows: Uint32Array): Generator<void, Pick<Card, 'base' | 'parts'>, void> {
  const columns = columnsOf(set, rows)
  const size = columns.reduce((sum, { edges }) => sum + edges.length + 2, 0)
  const next = new Int32Array(size).fill(-1)
  for (const { first, edges } of columns) for (let bin = 1; bin <= edges.length; bin++) next[first + bin] = first + bin + 1
  const bins = new Uint16Array(rows.length * columns.length)
  for (const [at, row] of rows.entries())
    for (const [i, { column, edges, first }] of columns.entries())
      bins[at * columns.length + i] = first + binOf(edges, set.features[row * WIDTH + column] as number)
  const labels = Uint8Array.from(rows, (row) => set.labels[head][row] as number)
  const { base, weights } = yield* fitLogistic({ bins, features: columns.length, labels, next }, PENALTY)
  return {
    base: pointsOf(base),
    parts: columns.map(({ feature, edges, first }) => ({
      feature,
      edges,
      points: Array.from(weights.subarray(first, first + edges.length + 2), pointsOf),
    })),
  }
}

const pointsOf = (logits: number): number => Math.round(logits * MILLION)

const columnsOf = (set: TrainingRows, rows: Uint32Array): readonly Column[] => {
  let first = 0
  return FEATURE_NAMES.flatMap((feature, column): Column[] => {
    const values = Float64Array.from(rows, (row) => set.features[row * WIDTH + column] as number)
    const edges = edgesOf(feature, values)
    const isMixed = edges.length > 0 || (values.some(Number.isNaN) && values.some((value) => !Number.isNaN(value)))
    if (!isMixed) return []
    const made = { feature, column, edges, first }
    first += edges.length + 2
    return [made]
  })
}
