// The interval in which the count of independent events lies if their probabilities are right.

/** 99.5 % quantile of the normal distribution: two-sided 99 %. */
const Z_99 = 2.5758293035489004
const TAIL = 0.005
/** From this variance on the skew of the count is below 0.1, and the normal approximation with continuity correction is used. */
const NORMAL_VARIANCE = 100

export interface CountInterval {
  readonly expected: number
  /** Both ends are included. */
  readonly low: number
  readonly high: number
}

/**
 * The central 99 % interval of the number of events with these probabilities (0 to 1): the count is below `low` with a probability of
 * at most 0.5 %, and above `high` likewise. Exact for few events: their distribution is built by adding one event after the other.
 */
export const expectedCount = (probabilities: Float64Array): CountInterval => {
  let [expected, variance] = [0, 0]
  for (const probability of probabilities) {
    expected += probability
    variance += probability * (1 - probability)
  }
  if (variance < NORMAL_VARIANCE) return { expected, ...exact(probabilities) }
  const half = Z_99 * Math.sqrt(variance) + 0.5
  return { expected, low: Math.ceil(expected - half), high: Math.floor(expected + half) }
}

const exact = (probabilities: Float64Array): Pick<CountInterval, 'low' | 'high'> => {
  const chances = distribution(probabilities)
  let [low, high] = [0, chances.length - 1]
  for (let below = chances[0] as number; below <= TAIL && low < high; below += chances[low] as number) low += 1
  for (let above = chances[high] as number; above <= TAIL && low < high; above += chances[high] as number) high -= 1
  return { low, high }
}

/** Distribution of the count: values below 1e-18 are dropped, so for 2,000 events only a few hundred counts are tracked. */
const distribution = (probabilities: Float64Array): Float64Array => {
  const chances = new Float64Array(probabilities.length + 1)
  chances[0] = 1
  let [first, last] = [0, 0]
  for (const probability of probabilities) {
    chances[last + 1] = 0
    for (let count = last + 1; count > first; count--)
      chances[count] = (chances[count] as number) * (1 - probability) + (chances[count - 1] as number) * probability
    chances[first] = (chances[first] as number) * (1 - probability)
    last += 1
    while (first < last && (chances[first] as number) < NOTHING) chances[first++] = 0
    while (last > first && (chances[last] as number) < NOTHING) chances[last--] = 0
  }
  return chances
}
const NOTHING = 1e-18
