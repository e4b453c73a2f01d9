// Area under the ROC curve with its 95 % interval (DeLong, DeLong and Clarke-Pearson 1988).

/** Standard errors on each side of a 95 % interval. */
const SIGMAS = 1.96

export interface Auc {
  readonly auc: number
  readonly low: number
  readonly high: number
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Variance of the mean of `values`. */
const varianceOfMean = (values: readonly number[]): number => {
  const center = mean(values)
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1) / values.length
}

/** For each of `values`: the share of `others` below it; equal ones count half. */
const sharesBelow = (values: readonly number[], others: readonly number[]): number[] => {
  const sorted = others.toSorted((a, b) => a - b)
  const countBelow = (limit: number, isBelow: (other: number, limit: number) => boolean): number => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBelow(sorted[middle] as number, limit)) low = middle + 1
      else high = middle
    }
    return low
  }
  return values.map((value) => {
    const below = countBelow(value, (other, limit) => other < limit)
    const belowOrEqual = countBelow(value, (other, limit) => other <= limit)
    return (below + belowOrEqual) / 2 / sorted.length
  })
}

/** Chance that a positive has a higher score than a negative. Both need at least two scores. */
export const aucOf = (positives: readonly number[], negatives: readonly number[]): Auc => {
  const above = sharesBelow(positives, negatives)
  const below = sharesBelow(negatives, positives)
  const auc = mean(above)
  const error = SIGMAS * Math.sqrt(varianceOfMean(above) + varianceOfMean(below))
  return { auc, low: Math.max(0, auc - error), high: Math.min(1, auc + error) }
}
