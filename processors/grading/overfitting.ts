// Estimates how often the best of many settings was best by chance.
import { assert } from '../../schemas/errors.ts'

/** The largest number of groups: it gives 184,756 combinations. */
const GROUPS_MAX = 20

/** The performance of a setting over some blocks of time: higher is better; finite. */
export type Metric = (values: readonly number[]) => number

export interface Overfitting {
  /** Share of the combinations in which the best setting in sample is below the median out of sample. */
  readonly probability: number
  /**
   * One per combination: ln(w / (1 - w)), where w is the out-of-sample rank of the setting that is best in sample (1 for the worst),
   * divided by the number of settings + 1.
   */
  readonly logits: readonly number[]
  /** For the best setting of each combination: performance in sample, and out of sample. */
  readonly best: readonly { readonly inSample: number; readonly outOfSample: number }[]
  /** Least-squares slope of out-of-sample over in-sample performance; null where the latter is constant. */
  readonly slope: number | null
}

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation (Bailey, Borwein, Lopez de Prado and Zhu 2017, "The
 * probability of backtest overfitting"). `blocks` has a row for each block of time, in order, with the performance of each setting. The
 * rows are divided into `groups` of neighbours (an even number; where rows do not divide evenly, the first groups have one more); each half
 * of the groups in turn is out of sample, in lexicographic order. Among equals the first is best in sample; equals out of sample have the
 * mean of their ranks; a rank at the median does not count as overfit. Values that differ only by rounding count as different. All of this,
 * and the slope, as `probability_of_backtest_overfitting` of PyPI `purgedcv`.
 */
export const overfitting = (blocks: readonly (readonly number[])[], groups: number, metric: Metric = mean): Overfitting => {
  const settings = blocks[0]?.length ?? 0
  assert(groups % 2 === 0 && groups >= 2 && groups <= GROUPS_MAX, `the number of groups must be even, from 2 to ${GROUPS_MAX}`)
  assert(blocks.length >= groups && settings >= 2, 'at least one block per group and two settings are needed')
  const groupOf = groupsOf(blocks.length, groups)
  const columns = Array.from({ length: settings }, (_, setting) => blocks.map((row) => row[setting] as number))
  const logits: number[] = []
  const best: { inSample: number; outOfSample: number }[] = []
  for (const out of halves(groups)) {
    const isOut = groupOf.map((group) => out.has(group))
    const inSample = columns.map((column) => metric(column.filter((_, at) => !isOut[at])))
    const outOfSample = columns.map((column) => metric(column.filter((_, at) => isOut[at])))
    const chosen = inSample.indexOf(Math.max(...inSample))
    const share = rankOf(outOfSample, chosen) / (settings + 1)
    logits.push(Math.log(share / (1 - share)))
    best.push({ inSample: inSample[chosen] as number, outOfSample: outOfSample[chosen] as number })
  }
  return { probability: logits.filter((logit) => logit < 0).length / logits.length, logits, best, slope: slopeOf(best) }
}

export const mean: Metric = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Mean over sample standard deviation (Sharpe 1966); 0 where all values are the same, so such a setting is never best. */
export const sharpeRatio: Metric = (values) => {
  if (values.every((value) => value === values[0])) return 0
  const middle = mean(values)
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
  return variance === 0 ? 0 : middle / Math.sqrt(variance)
}

/** Group of each row. */
const groupsOf = (rows: number, groups: number): readonly number[] => {
  const [size, longer] = [Math.floor(rows / groups), rows % groups]
  return Array.from({ length: groups }, (_, group) => new Array<number>(size + (group < longer ? 1 : 0)).fill(group)).flat()
}

/** Every choice of half of the groups, in lexicographic order. */
function* halves(groups: number): Generator<ReadonlySet<number>> {
  const chosen = Array.from({ length: groups / 2 }, (_, at) => at)
  for (;;) {
    yield new Set(chosen)
    let at = chosen.length - 1
    while (at >= 0 && chosen[at] === groups - chosen.length + at) at--
    if (at < 0) return
    const next = (chosen[at] as number) + 1
    for (let after = at; after < chosen.length; after++) chosen[after] = next + after - at
  }
}

/** From 1 for the lowest; equals share the mean of their ranks. */
const rankOf = (values: readonly number[], index: number): number => {
  const value = values[index] as number
  const below = values.filter((other) => other < value).length
  const equal = values.filter((other) => other === value).length
  return below + (equal + 1) / 2
}

const slopeOf = (best: Overfitting['best']): number | null => {
  const [x, y] = [mean(best.map(({ inSample }) => inSample)), mean(best.map(({ outOfSample }) => outOfSample))]
  let [variance, covariance] = [0, 0]
  for (const { inSample, outOfSample } of best) {
    variance += (inSample - x) ** 2
    covariance += (inSample - x) * (outOfSample - y)
  }
  return variance > 0 ? covariance / variance : null
}
