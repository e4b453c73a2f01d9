// Estimates the ratio of two commits from pairs of runs: machines change speed within the hour, but little between neighbouring runs.

/** One of the two that are compared: `here` is the working tree, `there` the other commit. */
export type Side = 'here' | 'there'

/** Fewer pairs give no useful interval. */
export const PAIRS_MIN = 5
export const PAIRS_MAX = 101
/** The interval contains the true median with at least this probability if there are enough pairs; otherwise it is the whole range. */
const CONFIDENCE = 0.9

/** The order of runs: ABBA, so that a steadily changing speed of the machine favours neither side. */
export const runOrder = (pairs: number): readonly Side[] =>
  Array.from({ length: pairs }, (_, pair): readonly Side[] => (pair % 2 === 0 ? ['here', 'there'] : ['there', 'here'])).flat()

/** Values of one bench, in the order of their runs. */
export interface Values {
  readonly here: readonly number[]
  readonly there: readonly number[]
}

export interface Ratio {
  /** Median of here / there over the pairs. */
  readonly ratio: number
  /** Bounds of the confidence interval of the median by order statistics (binomial), at least 90 %. */
  readonly low: number
  readonly high: number
}

/** The n-th values of the two sides form a pair. Values must be positive. */
export const ratioOf = ({ here, there }: Values): Ratio => {
  const ratios = here.map((value, pair) => value / (there[pair] ?? Number.NaN)).sort((a, b) => a - b)
  const [middle, skip] = [ratios.length / 2, outside(ratios.length)]
  const median = ((ratios[Math.ceil(middle) - 1] as number) + (ratios[Math.floor(middle)] as number)) / 2
  return { ratio: rounded(median), low: rounded(ratios[skip] as number), high: rounded(ratios[ratios.length - 1 - skip] as number) }
}

/** Number of values that the interval omits at each end of `count` sorted values. */
const outside = (count: number): number => {
  let skip = 0
  let choices = 1
  let missed = choices / 2 ** count
  for (;;) {
    choices = (choices * (count - skip)) / (skip + 1)
    missed += choices / 2 ** count
    if (1 - 2 * missed < CONFIDENCE) return skip
    skip++
  }
}

const rounded = (ratio: number): number => Number(ratio.toPrecision(4))
