// Scores features with a scorecard of a model (type `Card`, not a card of the API): the points of each feature's value add up to a score.
//
// Scores are sums of whole numbers, and a probability is interpolated between two whole numbers of a table: additions, one product below
// 2^53 and one division, which every machine and version of Node rounds alike. Nothing here calls exp or log, whose last digits differ.
import { FEATURE_NAMES } from './features.ts'
import type { Card } from './model-file.ts'

/** 0 for an unknown value, else one more than the number of edges at or below it. */
export const binOf = (edges: ArrayLike<number>, value: number): number => {
  if (Number.isNaN(value)) return 0
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((edges[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low + 1
}

/** A scorecard with the column indexes of its features. */
export interface CompiledCard {
  readonly base: number
  readonly parts: readonly { readonly column: number; readonly edges: readonly number[]; readonly points: readonly number[] }[]
  readonly knots: Card['knots']
}
export const compiled = ({ base, parts, knots }: Card): CompiledCard => ({
  base,
  parts: parts.map(({ feature, edges, points }) => ({ column: FEATURE_NAMES.indexOf(feature), edges, points })),
  knots,
})

/** The base plus the points of each feature's value, in millionths of a logit. `values[at]` is the row's first
 * feature; the others follow in the order of the columns. */
export const scoreOf = ({ base, parts }: CompiledCard, values: ArrayLike<number>, at = 0): number => {
  let score = base
  for (const { column, edges, points } of parts) score += points[binOf(edges, values[at + column] as number)] as number
  return score
}

/** The probability of a score, millionths: linear between two knots, rounded down; flat beyond the first and the last. */
export const ppmAt = ({ knots }: Pick<CompiledCard, 'knots'>, score: number): number => {
  const after = knots.findIndex(([at]) => at > score)
  const [from, low] = knots[after < 0 ? knots.length - 1 : Math.max(0, after - 1)] as readonly [number, number]
  if (after <= 0) return low
  const [to, high] = knots[after] as readonly [number, number]
  return low + Math.floor(((score - from) * (high - low)) / (to - from))
}
