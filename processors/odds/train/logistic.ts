// Logistic regression over bins: each row is in one bin of each feature, and each bin has a weight.
//
// Own code: ml-logistic-regression uses gradient descent with a fixed number of steps and no penalty (last release 2020), and no maintained
// package takes bins without a dense matrix of 400 columns.

/** Rows by feature: `bins[row * features + feature]` is an index into the weights. */
export interface BinnedRows {
  readonly bins: Uint16Array
  readonly features: number
  readonly labels: Uint8Array
  /** For each weight the weight of the next bin of its feature, or -1: the smoothing penalty couples neighbours. */
  readonly next: Int32Array
}
export interface Weights {
  readonly base: number
  readonly weights: Float64Array
}

/** L2 penalties, in numbers of rows. `ridge` pulls each weight to 0, `smooth` pulls neighbouring weights to each other. */
export interface Penalty {
  readonly ridge: number
  readonly smooth: number
}
const STEPS_MAX = 30
const HALVINGS_MAX = 12
/** Convergence limit, in logits. */
const STILL = 1e-5
/** Keeps the base of a sample without positives finite. */
const HALF = 0.5

/** Newton's method (iteratively reweighted least squares) for the penalised likelihood; a step that would lower it is halved. */
export function* fitLogistic(rows: BinnedRows, penalty: Penalty): Generator<void, Weights, void> {
  const size = rows.next.length + 1
  let at = new Float64Array(size)
  const positives = rows.labels.reduce((sum, label) => sum + label, 0)
  at[size - 1] = Math.log((positives + HALF) / (rows.labels.length - positives + HALF))
  let loss = lossOf(rows, penalty, at)
  for (let step = 0; step < STEPS_MAX; step++) {
    const move = newtonStep(rows, penalty, at)
    yield
    let [share, halvings] = [1, 0]
    let next = moved(at, move, share)
    let nextLoss = lossOf(rows, penalty, next)
    while (nextLoss > loss && halvings++ < HALVINGS_MAX) {
      share /= 2
      next = moved(at, move, share)
      nextLoss = lossOf(rows, penalty, next)
    }
    if (nextLoss > loss) break
    ;[at, loss] = [next, nextLoss]
    if (move.every((value) => Math.abs(value) < STILL)) break
  }
  return { base: at[size - 1] as number, weights: at.slice(0, size - 1) }
}

const moved = (at: Float64Array, move: Float64Array, share: number): Float64Array<ArrayBuffer> =>
  Float64Array.from(at, (value, i) => value - share * (move[i] as number))

const logitOf = ({ bins, features }: BinnedRows, at: Float64Array, row: number): number => {
  let logit = at[at.length - 1] as number
  for (let cell = row * features; cell < (row + 1) * features; cell++) logit += at[bins[cell] as number] as number
  return logit
}

const lossOf = (rows: BinnedRows, { ridge, smooth }: Penalty, at: Float64Array): number => {
  let loss = 0
  for (let row = 0; row < rows.labels.length; row++) {
    const logit = logitOf(rows, at, row)
    loss += Math.log1p(Math.exp(-Math.abs(logit))) + Math.max(0, logit) - (rows.labels[row] as number) * logit
  }
  for (const [i, next] of rows.next.entries()) {
    loss += (ridge * (at[i] as number) ** 2) / 2
    if (next >= 0) loss += (smooth * ((at[next] as number) - (at[i] as number)) ** 2) / 2
  }
  return loss
}

/** Gradient times the inverse of the Hessian. */
const newtonStep = (rows: BinnedRows, { ridge, smooth }: Penalty, at: Float64Array): Float64Array => {
  const { bins, features, labels, next } = rows
  const size = at.length
  const [gradient, second] = [new Float64Array(size), new Float64Array(size * size)]
  const cells = new Uint32Array(features + 1)
  for (let row = 0; row < labels.length; row++) {
    const chance = 1 / (1 + Math.exp(-logitOf(rows, at, row)))
    const [off, weight] = [chance - (labels[row] as number), Math.max(chance * (1 - chance), 1e-9)]
    // Ascending, the base last: only the lower triangle is filled.
    for (let feature = 0; feature < features; feature++) cells[feature] = bins[row * features + feature] as number
    cells[features] = size - 1
    for (let i = 0; i <= features; i++) {
      const cell = cells[i] as number
      gradient[cell] = (gradient[cell] as number) + off
      for (let j = 0; j <= i; j++) {
        const place = cell * size + (cells[j] as number)
        second[place] = (second[place] as number) + weight
      }
    }
  }
  const add = (i: number, j: number, value: number): void => {
    second[i * size + j] = (second[i * size + j] as number) + value
  }
  for (const [i, neighbour] of next.entries()) {
    gradient[i] = (gradient[i] as number) + ridge * (at[i] as number)
    add(i, i, ridge)
    if (neighbour < 0) continue
    const pull = smooth * ((at[i] as number) - (at[neighbour] as number))
    gradient[i] = (gradient[i] as number) + pull
    gradient[neighbour] = (gradient[neighbour] as number) - pull
    add(i, i, smooth)
    add(neighbour, neighbour, smooth)
    add(neighbour, i, -smooth)
  }
  return solve(second, gradient)
}

/** Solves a symmetric positive definite system from the lower triangle of the matrix, which is overwritten (Cholesky). */
const solve = (matrix: Float64Array, right: Float64Array): Float64Array => {
  const size = right.length
  const get = (i: number, j: number): number => matrix[i * size + j] as number
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let sum = get(i, j)
      for (let k = 0; k < j; k++) sum -= get(i, k) * get(j, k)
      matrix[i * size + j] = i === j ? Math.sqrt(sum) : sum / get(j, j)
    }
  const answer = right.slice()
  for (let i = 0; i < size; i++) {
    let sum = answer[i] as number
    for (let k = 0; k < i; k++) sum -= get(i, k) * (answer[k] as number)
    answer[i] = sum / get(i, i)
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = answer[i] as number
    for (let k = i + 1; k < size; k++) sum -= get(k, i) * (answer[k] as number)
    answer[i] = sum / get(i, i)
  }
  return answer
}
