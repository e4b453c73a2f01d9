// Logistic regression with a ridge penalty on standardized columns, by Newton's method.
import { type Model, type Sample, sigmoid } from './model.ts'

/** Penalty on squared weights, relative to a total row weight of 1 for each label. */
const RIDGE = 0.02
const STEPS = 12

interface Scale {
  readonly mean: number
  readonly deviation: number
}

const scaleOf = ({ rows, weights }: Sample, column: number): Scale => {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const moment = (of: (value: number) => number): number =>
    rows.reduce((sum, row, n) => sum + (weights[n] as number) * of(row[column] as number), 0) / total
  const mean = moment((value) => value)
  const deviation = Math.sqrt(moment((value) => (value - mean) ** 2))
  return { mean, deviation: deviation > 0 ? deviation : 1 }
}

/** Solves `matrix * x = target` for a symmetric positive matrix by elimination; both are overwritten. */
const solve = (matrix: number[][], target: number[]): number[] => {
  const size = target.length
  for (let pivot = 0; pivot < size; pivot++) {
    const top = matrix[pivot] as number[]
    for (let below = pivot + 1; below < size; below++) {
      const row = matrix[below] as number[]
      const factor = (row[pivot] as number) / (top[pivot] as number)
      for (let at = pivot; at < size; at++) row[at] = (row[at] as number) - factor * (top[at] as number)
      target[below] = (target[below] as number) - factor * (target[pivot] as number)
    }
  }
  for (let at = size - 1; at >= 0; at--) {
    const row = matrix[at] as number[]
    let left = target[at] as number
    for (let later = at + 1; later < size; later++) left -= (row[later] as number) * (target[later] as number)
    target[at] = left / (row[at] as number)
  }
  return target
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, n) => sum + value * (b[n] as number), 0)

/** One Newton step; column 0 of `inputs` is the constant, which has no penalty. */
const stepOf = (inputs: readonly (readonly number[])[], { labels, weights }: Sample, betas: readonly number[]): number[] => {
  const gradient = betas.map((beta, n) => (n === 0 ? 0 : -RIDGE * beta))
  const curvature = betas.map((_, n) => betas.map((__, m) => (n !== m ? 0 : n === 0 ? 1e-9 : RIDGE)))
  for (const [at, input] of inputs.entries()) {
    const chance = sigmoid(dot(input, betas))
    const weight = weights[at] as number
    const pull = weight * ((labels[at] as number) - chance)
    const spread = weight * chance * (1 - chance)
    for (let n = 0; n < betas.length; n++) {
      gradient[n] = (gradient[n] as number) + pull * (input[n] as number)
      const row = curvature[n] as number[]
      for (let m = 0; m < betas.length; m++) row[m] = (row[m] as number) + spread * (input[n] as number) * (input[m] as number)
    }
  }
  return solve(curvature, gradient)
}

export const fitLogistic = (sample: Sample): Model => {
  const width = sample.rows[0]?.length ?? 0
  const scales = Array.from({ length: width }, (_, column) => scaleOf(sample, column))
  const inputOf = (row: readonly number[]): number[] => [
    1,
    ...scales.map(({ mean, deviation }, n) => ((row[n] as number) - mean) / deviation),
  ]
  const inputs = sample.rows.map(inputOf)
  let betas: number[] = Array.from({ length: width + 1 }, () => 0)
  for (let step = 0; step < STEPS; step++) {
    const change = stepOf(inputs, sample, betas)
    betas = betas.map((beta, n) => beta + (change[n] as number))
  }
  return {
    score: (row) => dot(inputOf(row), betas),
    explain: (columns) =>
      columns
        .map((column, n) => ({ column, beta: betas[n + 1] as number }))
        .sort((a, b) => Math.abs(b.beta) - Math.abs(a.beta))
        .map(({ column, beta }) => `${column} ${beta >= 0 ? '+' : ''}${beta.toFixed(2)}`)
        .join(', '),
  }
}
