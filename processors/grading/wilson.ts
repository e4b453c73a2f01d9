// Confidence interval of a share that was counted in a sample.

/** 97.5 % quantile of the normal distribution: two-sided 95 %. */
const Z_95 = 1.959963984540054

export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * Wilson's score interval (Wilson 1927, "Probable inference, the law of succession, and statistical inference") for `hits` of `n`, both
 * whole numbers. 95 % unless another `z` is given. Between 0 and 1; null where n is 0.
 */
export const wilsonInterval = (hits: number, n: number, z = Z_95): Interval | null => {
  if (n === 0) return null
  const share = hits / n
  const squared = (z * z) / n
  const middle = (share + squared / 2) / (1 + squared)
  const half = (z * Math.sqrt((share * (1 - share)) / n + squared / (4 * n))) / (1 + squared)
  return { low: hits === 0 ? 0 : Math.max(0, middle - half), high: hits === n ? 1 : Math.min(1, middle + half) }
}
