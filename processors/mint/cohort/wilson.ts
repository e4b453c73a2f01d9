// How sure a share of few is.

/** Square of the standard normal's 97.5 % quantile. Also in views/93-cohorts.sql. */
const ZZ = 3.841458820694124

/**
 * Wilson's interval of a share, 95 %: score test inverted, so that it stays within 0 and 1 and is no point where all or none hit
 * (E. B. Wilson, Journal of the American Statistical Association 22, 1927). `n` is at least 1, `hits` at most `n`.
 */
export const wilsonOf = (hits: number, n: number): { readonly low: number; readonly high: number } => {
  const half = Math.sqrt(ZZ * (ZZ + (4 * hits * (n - hits)) / n))
  const [middle, whole] = [2 * hits + ZZ, 2 * (n + ZZ)]
  return { low: Math.max(0, (middle - half) / whole), high: Math.min(1, (middle + half) / whole) }
}
