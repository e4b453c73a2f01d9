// Gradient-boosted decision stumps for the logistic loss (Friedman 2001): each round adds the split of one column that helps most.
import { type Model, type Sample, sigmoid } from './model.ts'

const ROUNDS = 60
const SHRINKAGE = 0.15
/** Split points for each column: quantiles of its values. */
const SPLITS = 16
/** Added to the curvature of each side, relative to a total row weight of 1 for each label: sides with few rows move little. */
const RIDGE = 0.05

interface Stump {
  readonly column: number
  readonly split: number
  /** Added to the score below the split, and from it on. */
  readonly below: number
  readonly above: number
  readonly gain: number
}
/** Gradient and curvature of the loss over the rows of one side. */
interface Side {
  pull: number
  spread: number
}

const splitsOf = ({ rows }: Sample, column: number): number[] => {
  const values = rows.map((row) => row[column] as number).sort((a, b) => a - b)
  const quantile = (part: number): number => values[Math.min(values.length - 1, Math.floor(part * values.length))] as number
  return [...new Set(Array.from({ length: SPLITS }, (_, n) => quantile((n + 1) / (SPLITS + 1))))]
}

const gainOf = ({ pull, spread }: Side): number => pull ** 2 / (spread + RIDGE)
const moveOf = ({ pull, spread }: Side): number => (SHRINKAGE * pull) / (spread + RIDGE)

const stumpAt = ({ rows }: Sample, sides: readonly Side[], column: number, split: number): Stump => {
  const [low, high]: [Side, Side] = [
    { pull: 0, spread: 0 },
    { pull: 0, spread: 0 },
  ]
  for (const [n, row] of rows.entries()) {
    const side = (row[column] as number) < split ? low : high
    side.pull += (sides[n] as Side).pull
    side.spread += (sides[n] as Side).spread
  }
  return { column, split, below: moveOf(low), above: moveOf(high), gain: gainOf(low) + gainOf(high) }
}

/** Columns by their share of the gain, each with the split that gained most and the direction of recorded rows. */
const explained = (stumps: readonly Stump[], columns: readonly string[]): string => {
  const total = stumps.reduce((sum, { gain }) => sum + gain, 0)
  return columns
    .map((column, n) => {
      const own = stumps.filter((stump) => stump.column === n).sort((a, b) => b.gain - a.gain)
      return { column, share: own.reduce((sum, { gain }) => sum + gain, 0) / total, best: own[0] }
    })
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .map(({ column, share, best }) => {
      const side = best === undefined || best.below < best.above ? '>=' : '<'
      return `${column} ${(100 * share).toFixed(0)} % (recorded ${side} ${best?.split.toPrecision(3)})`
    })
    .join(', ')
}

export const fitStumps = (sample: Sample): Model => {
  const { rows, labels, weights } = sample
  const candidates = (rows[0] ?? []).flatMap((_, column) => splitsOf(sample, column).map((split) => ({ column, split })))
  const scores = rows.map(() => 0)
  const stumps: Stump[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const sides = scores.map((score, n) => {
      const chance = sigmoid(score)
      const weight = weights[n] as number
      return { pull: weight * ((labels[n] as number) - chance), spread: weight * chance * (1 - chance) }
    })
    const best = candidates
      .map(({ column, split }) => stumpAt(sample, sides, column, split))
      .reduce((found, stump) => (stump.gain > found.gain ? stump : found))
    stumps.push(best)
    for (const [n, row] of rows.entries())
      scores[n] = (scores[n] as number) + ((row[best.column] as number) < best.split ? best.below : best.above)
  }
  return {
    score: (row) => stumps.reduce((sum, { column, split, below, above }) => sum + ((row[column] as number) < split ? below : above), 0),
    explain: (columns) => explained(stumps, columns),
  }
}
