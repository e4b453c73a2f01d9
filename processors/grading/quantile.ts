// Quantiles of a sample.
import type { Interval } from './wilson.ts'

/** Both tails of 95 %. */
const TAILS = [0.025, 0.975] as const

/**
 * The `share` quantile (0 to 1) of values in ascending order, at least one: linear between the two nearest ranks, type 7 of Hyndman and Fan
 * 1996 ("Sample quantiles in statistical packages"), the default of numpy.
 */
export const quantile = (sorted: ArrayLike<number>, share: number): number => {
  const rank = share * (sorted.length - 1)
  const below = Math.floor(rank)
  const low = sorted[below] as number
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number
  return low + (rank - below) * (high - low)
}

/** 95 % percentile interval (Efron 1979) of the values of resamples, which it sorts in place. */
export const intervalOf = (column: Float64Array): Interval => {
  column.sort()
  return { low: quantile(column, TAILS[0]), high: quantile(column, TAILS[1]) }
}
