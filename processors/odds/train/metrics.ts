// Scores of a model on launches that it has not seen.
import { IsotonicFit } from '../../grading/isotonic.ts'
import { sampleOf } from '../../grading/sample.ts'
import { brierScore, ECE_BINS, scoresOf } from '../../grading/scores.ts'

/** Predictions with their labels; rows of one launch have one label and one number. */
export interface Predicted {
  readonly probabilities: Float64Array
  readonly labels: Uint8Array
  readonly launch: Float64Array
}
export type MetricValues = Readonly<Record<string, number | null>>

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 1e6) / 1e6)

/** `table`: predictions of base rates by age and flags for the same rows. Without rows only the counts. */
export const figuresOf = ({ probabilities, labels, launch }: Predicted, table?: Float64Array): MetricValues => {
  const n = labels.length
  const positives = labels.reduce((sum, label) => sum + label, 0)
  const counts = { n, launches: new Set(launch).size, positives }
  if (n === 0) return counts
  const [scores, base] = [scoredOf(probabilities, labels), positives / n]
  const shown: Record<string, number | null> = {
    ...{ base_rate: base, mean_p: probabilities.reduce((sum, p) => sum + p, 0) / n, brier: scores.brier, brier_skill: scores.brierSkill },
    ...{ ece: scores.ece, ece_by_chance: eceByChance({ probabilities, launch }) },
    ...{ miscalibration: scores.miscalibration, discrimination: scores.discrimination, uncertainty: scores.uncertainty },
    ...{ pr_auc: scores.prAuc, pr_auc_by_chance: base },
  }
  if (table !== undefined) {
    const beside = scoredOf(table, labels)
    Object.assign(shown, { table_brier_skill: beside.brierSkill, table_discrimination: beside.discrimination, table_pr_auc: beside.prAuc })
    shown.skill_against_table = (beside.brier ?? 0) > 0 ? 1 - (scores.brier as number) / (beside.brier as number) : null
  }
  return { ...counts, ...Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, rounded(value)])) }
}

const scoredOf = (probabilities: Float64Array, labels: Uint8Array) => {
  const sample = sampleOf(probabilities, labels)
  return scoresOf(sample.probabilities, sample, new IsotonicFit(sample.probabilities.length))
}

/** Brier skill of each UTC day of launches, by day. */
export const skillByDay = ({ probabilities, labels }: Predicted, t0: Float64Array): MetricValues => {
  const days = new Map<string, number[]>()
  for (const [row, at] of t0.entries()) {
    const day = dateOf(at)
    const rows = days.get(day) ?? []
    days.set(day, rows)
    rows.push(row)
  }
  return Object.fromEntries(
    [...days].sort().map(([day, rows]) => {
      const of = sampleOf(
        Float64Array.from(rows, (row) => probabilities[row] as number),
        Uint8Array.from(rows, (row) => labels[row] as number),
      )
      const base = of.positiveRows / rows.length
      const even = base * (1 - base)
      return [day, even === 0 ? null : rounded(1 - brierScore(of.probabilities, of) / even)]
    }),
  )
}

const DAY_S = 86_400
/** Days of the proleptic Gregorian calendar in 400 years, in four years without the leap day, in 100 years, and in one year. */
const [ERA_DAYS, FOUR_YEARS_DAYS, CENTURY_DAYS, YEAR_DAYS] = [146_097, 1_460, 36_524, 365]
/** Days from 1 March 0000 to 1 January 1970. */
const EPOCH_DAYS = 719_468

/** UTC date of unix seconds, as 2026-10-15, without a clock: years begin in March, so a leap day ends one (Hinnant 2013). */
export const dateOf = (atS: number): string => {
  const days = Math.floor(atS / DAY_S) + EPOCH_DAYS
  const era = Math.floor(days / ERA_DAYS)
  const day = days - era * ERA_DAYS
  const leap = Math.floor(day / FOUR_YEARS_DAYS) - Math.floor(day / CENTURY_DAYS) + Math.floor(day / (ERA_DAYS - 1))
  const year = Math.floor((day - leap) / YEAR_DAYS)
  const ofYear = day - (YEAR_DAYS * year + Math.floor(year / 4) - Math.floor(year / 100))
  const month = Math.floor((5 * ofYear + 2) / 153)
  const date = ofYear - Math.floor((153 * month + 2) / 5) + 1
  const [shownMonth, shownYear] = [month < 10 ? month + 3 : month - 9, year + era * 400 + (month < 10 ? 0 : 1)]
  return `${shownYear}-${String(shownMonth).padStart(2, '0')}-${String(date).padStart(2, '0')}`
}

/** Mean absolute value of a normal variable with standard deviation 1. */
const HALF_NORMAL = Math.sqrt(2 / Math.PI)

/**
 * The expected calibration error that a calibrated forecast of these probabilities has by chance, on average. Rows of one launch in one bin
 * share their label, so their errors are correlated.
 */
export const eceByChance = ({ probabilities, launch }: Pick<Predicted, 'probabilities' | 'launch'>): number => {
  const clusters = new Map<string, { bin: number; rows: number; sum: number }>()
  for (const [row, p] of probabilities.entries()) {
    const bin = Math.min(ECE_BINS - 1, Math.floor(p * ECE_BINS))
    const name = `${launch[row]} ${bin}`
    const cluster = clusters.get(name) ?? { bin, rows: 0, sum: 0 }
    clusters.set(name, cluster)
    cluster.rows++
    cluster.sum += p
  }
  const variance = new Float64Array(ECE_BINS)
  for (const { bin, rows, sum } of clusters.values()) variance[bin] = (variance[bin] as number) + sum * (rows - sum)
  return variance.reduce((total, of) => total + HALF_NORMAL * Math.sqrt(of), 0) / Math.max(1, probabilities.length)
}
