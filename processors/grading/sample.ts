// Predictions with their outcomes, grouped by probability: scores depend only on the counts of each group.

/** Counts of each group, in ascending order of its probability. Whole numbers, in doubles. */
export interface Counts {
  readonly rows: Float64Array
  readonly positives: Float64Array
}

export interface Sample extends Counts {
  /** The probability of each group: distinct, ascending, 0 to 1. */
  readonly probabilities: Float64Array
  /** Group of each row; rows are ordered by group, within a group those with the outcome last. */
  readonly groupOf: Uint32Array
  /** 1 for a row with the outcome, in the same order. */
  readonly isPositive: Uint8Array
  readonly positiveRows: number
}

/** `labels` are 1 with the outcome, else 0, parallel to `probabilities`. The order of the rows does not matter. */
export const sampleOf = (probabilities: Float64Array, labels: Uint8Array): Sample => {
  const distinct = distinctOf(probabilities)
  const rows = new Float64Array(distinct.length)
  const positives = new Float64Array(distinct.length)
  for (let row = 0; row < labels.length; row++) {
    const group = indexOf(distinct, probabilities[row] as number)
    rows[group] = (rows[group] as number) + 1
    positives[group] = (positives[group] as number) + (labels[row] as number)
  }
  const groupOf = new Uint32Array(labels.length)
  const isPositive = new Uint8Array(labels.length)
  let [at, positiveRows] = [0, 0]
  for (let group = 0; group < distinct.length; group++) {
    const end = at + (rows[group] as number)
    groupOf.fill(group, at, end)
    isPositive.fill(1, end - (positives[group] as number), end)
    positiveRows += positives[group] as number
    at = end
  }
  return { probabilities: distinct, rows, positives, groupOf, isPositive, positiveRows }
}

const distinctOf = (values: Float64Array): Float64Array => {
  const sorted = values.slice().sort()
  let count = 0
  for (const value of sorted) if (count === 0 || value !== sorted[count - 1]) sorted[count++] = value
  return sorted.slice(0, count)
}

/** Index of a value that is present. */
const indexOf = (sorted: Float64Array, value: number): number => {
  let [low, high] = [0, sorted.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
