// Maps scores to probabilities: the rising curve nearest to the outcomes in the calibration window, which follows the training window.
import { IsotonicFit } from '../../grading/isotonic.ts'
import type { Card } from '../model-file.ts'

const MILLION = 1_000_000
/**
 * Minimum rows of a group of neighbouring scores (the last may have fewer): one row more or less then moves a probability by at most 2
 * percentage points, and the table stays short.
 */
const GROUP_ROWS_MIN = 50
const GROUPS_MAX = 200
/** Rows at the base rate that are mixed into each block: no probability is 0 or 1 merely because the sample is small. */
const BASE_ROWS = 2

/**
 * Centred isotonic regression (Oron and Flournoy 2017, "Centered isotonic regression"): blocks of pool adjacent violators, each at the mean
 * of its scores, linear between them. `scores` are whole numbers; at least one row.
 */
export const knotsOf = (scores: Float64Array, labels: Uint8Array): Card['knots'] => {
  const order = Uint32Array.from(scores, (_, row) => row).sort((a, b) => (scores[a] as number) - (scores[b] as number))
  const groups = groupsOf(order, scores, labels)
  const count = groups.rows.length
  const fit = new IsotonicFit(count).fit(groups.rows, groups.positives)
  const positives = labels.reduce((sum, label) => sum + label, 0)
  const base = positives / labels.length
  const knots: Card['knots'] = []
  let highest = 0
  for (let block = 0; block < fit.blocks; block++) {
    const [first, last, n, hits] = [fit.first[block], fit.last[block], fit.weight[block], fit.sum[block]] as [
      number,
      number,
      number,
      number,
    ]
    let total = 0
    for (let group = first; group <= last; group++) total += groups.scores[group] as number
    const rate = (hits + BASE_ROWS * base) / (n + BASE_ROWS)
    highest = Math.max(highest, Math.round(rate * MILLION))
    const score = Math.round(total / n)
    if (score > (knots.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY)) knots.push([score, highest])
  }
  return knots
}

/** Rows, positives and sums of scores of neighbours; equal scores are in one group. */
const groupsOf = (order: Uint32Array, scores: Float64Array, labels: Uint8Array) => {
  const size = Math.max(GROUP_ROWS_MIN, Math.ceil(order.length / GROUPS_MAX))
  const [rows, positives, sums]: [number[], number[], number[]] = [[0], [0], [0]]
  let before = Number.NaN
  for (const row of order) {
    const score = scores[row] as number
    if ((rows.at(-1) as number) >= size && score !== before) for (const list of [rows, positives, sums]) list.push(0)
    const last = rows.length - 1
    rows[last] = (rows[last] as number) + 1
    positives[last] = (positives[last] as number) + (labels[row] as number)
    sums[last] = (sums[last] as number) + score
    before = score
  }
  return { rows: Float64Array.from(rows), positives: Float64Array.from(positives), scores: Float64Array.from(sums) }
}
