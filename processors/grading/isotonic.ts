// Isotonic regression: the rising step function nearest to the observed rates.

/**
 * The fit of one sample, as blocks of neighbouring groups with one rate each, strictly rising from block to block. Its arrays are allocated
 * once for the largest sample and reused by each fit; entries from `blocks` on are undefined.
 */
export class IsotonicFit {
  blocks = 0
  /** First and last group of each block that has any weight. */
  readonly first: Uint32Array
  readonly last: Uint32Array
  readonly weight: Float64Array
  readonly sum: Float64Array

  constructor(groupsMax: number) {
    this.first = new Uint32Array(groupsMax)
    this.last = new Uint32Array(groupsMax)
    this.weight = new Float64Array(groupsMax)
    this.sum = new Float64Array(groupsMax)
  }
  /**
   * Pool adjacent violators (Ayer et al. 1955; Barlow et al. 1972): least squares among all rising functions. `weights` and `sums` are of
   * each group, in ascending order of the predictor; groups without weight are skipped. Compares products of sums and weights, which are
   * exact for counts up to 2^26.
   */
  fit(weights: Float64Array, sums: Float64Array): this {
    const { first, last, weight, sum } = this
    let top = -1
    for (let group = 0; group < weights.length; group++) {
      let heavy = weights[group] as number
      if (heavy === 0) continue
      let high = sums[group] as number
      let from = group
      while (top >= 0 && (sum[top] as number) * heavy >= high * (weight[top] as number)) {
        heavy += weight[top] as number
        high += sum[top] as number
        from = first[top] as number
        top--
      }
      top++
      first[top] = from
      last[top] = group
      weight[top] = heavy
      sum[top] = high
    }
    this.blocks = top + 1
    return this
  }
  rate(block: number): number {
    return (this.sum[block] as number) / (this.weight[block] as number)
  }
}

/**
 * The fitted curve at `points` (ascending), written to `values`: the rate of the block in which a point lies, linear between two blocks,
 * and flat beyond the first and the last, as `IsotonicRegression(out_of_bounds="clip")` of scikit-learn. `positions` has the position of
 * each group.
 */
export const curveAt = (fit: IsotonicFit, positions: Float64Array, points: Float64Array, values: Float64Array): void => {
  const from = (block: number): number => positions[fit.first[block] as number] as number
  let block = 0
  for (let at = 0; at < points.length; at++) {
    const point = points[at] as number
    while (block + 1 < fit.blocks && from(block + 1) <= point) block++
    const end = positions[fit.last[block] as number] as number
    const [rate, next] = [fit.rate(block), block + 1]
    const isBetween = point > end && next < fit.blocks
    values[at] = isBetween ? rate + ((point - end) / (from(next) - end)) * (fit.rate(next) - rate) : rate
  }
}
