// The rows of a creator (schemas/creator-state.avsc), and the figures they add up to.
import { type Amount, add } from '../../schemas/amount.ts'
import { comparePositions, type Place } from '../../schemas/position.ts'
import type { CreatorCountRow, CreatorDayRow, CreatorFiguresRow, CreatorLaunchRow, CreatorSellRow } from '../../schemas/types.ts'
import type { Context } from '../contract.ts'
import { firstDayOf } from './horizon.ts'

/** Name of the processor: where mints send what concerns their creator. */
export const CREATOR = 'creator'

/** Rows of a creator by kind. figures is single; launches go by mint, days by UTC day, sells by their number % 1,000, changes % 32. */
export type CreatorRows = {
  launches: CreatorLaunchRow
  days: CreatorDayRow
  sells: CreatorSellRow
  changes: CreatorCountRow
  figures: CreatorFiguresRow
}
/** The creator says nothing to the log: it answers mints. */
export type CreatorSent = 'prior' | 'funderPrior'
export type CreatorContext = Context<CreatorRows, never, CreatorSent>

/** What a creator did within the horizon. Counts of outcomes are of resolved launches: settled with both labels. */
export interface CreatorFigures {
  readonly launches: number
  readonly resolved: number
  readonly graduated: number
  readonly rugged: number
  /** Of settled launches on SOL curves. */
  readonly devBuyLamports: Amount
  /** Null where the dev set sold in none of the resolved launches. */
  readonly medianDevSellS: number | null
}

/** The middle one, or between the two in the middle; null of none. */
export const medianOf = (values: readonly number[]): number | null => {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  const upper = sorted[half] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2
}

/** Adds up the rows for who asks at `asOf` (unix seconds). */
export const figuresOf = (
  days: Iterable<Readonly<CreatorDayRow>>,
  sells: Iterable<Readonly<CreatorSellRow>>,
  asOf: number,
): CreatorFigures => {
  const first = firstDayOf(asOf)
  const sum = { launches: 0, resolved: 0, graduated: 0, rugged: 0, devBuyLamports: 0 as Amount }
  for (const row of days) {
    if (row.day < first) continue
    sum.launches += row.launches
    sum.resolved += row.resolved
    sum.graduated += row.graduated
    sum.rugged += row.rugged
    sum.devBuyLamports = add(sum.devBuyLamports, row.devBuyLamports)
  }
  const counted = Array.from(sells).filter(({ day }) => day >= first)
  return { ...sum, medianDevSellS: medianOf(counted.map(({ dtS }) => dtS)) }
}

/** Counts without what was said at a place or after it, of the newest changes alone. */
export const countsBefore = (
  { launches, resolved, rugged }: Pick<CreatorFigures, 'launches' | 'resolved' | 'rugged'>,
  changes: Iterable<Readonly<CreatorCountRow>>,
  place: Place,
): Pick<CreatorFigures, 'launches' | 'resolved' | 'rugged'> => {
  const counts = { launches, resolved, rugged }
  for (const change of changes) {
    if (comparePositions(change, place) < 0) continue
    counts.launches -= change.launches
    counts.resolved -= change.resolved
    counts.rugged -= change.rugged
  }
  return counts
}
