// The rows of a creator (schemas/creator-state.avsc), and the sums over them.
import { type Amount, add } from '../../schemas/amount.ts'
import { comparePositions, type PositionInChain } from '../../schemas/position.ts'
import type { CreatorCountRow, CreatorDayRow, CreatorFiguresRow, CreatorLaunchRow, CreatorSellRow } from '../../schemas/types.ts'
import type { Context } from '../contract.ts'
import { firstDayOf } from './horizon.ts'

/** Name of the processor: mints send messages about their creator to it. */
export const CREATOR = 'creator'

/**
 * Rows of a creator by kind. figures is single; launches are keyed by mint, days by UTC day, sells by their number % 1,000, changes % 32.
 */
export type CreatorRows = {
  launches: CreatorLaunchRow
  days: CreatorDayRow
  sells: CreatorSellRow
  changes: CreatorCountRow
  figures: CreatorFiguresRow
}
/** The creator emits nothing to the log: it only answers the processor of its launches. */
export type CreatorSent = 'prior' | 'funderPrior'
export type CreatorContext = Context<CreatorRows, never, CreatorSent>

/** What a creator did within the horizon. Outcomes are counted of resolved launches: settled, with both labels known. */
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

/** The median: the middle value, or the mean of the two middle ones; null without values. */
export const medianOf = (values: readonly number[]): number | null => {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  const upper = sorted[half] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2
}

/** Sums up the rows for a request at `asOf` (unix seconds). */
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

/** The counts without the changes at or after a place. Only the newest changes are kept, so older ones cannot be subtracted. */
export const countsBefore = (
  { launches, resolved, rugged }: Pick<CreatorFigures, 'launches' | 'resolved' | 'rugged'>,
  changes: Iterable<Readonly<CreatorCountRow>>,
  place: PositionInChain,
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
