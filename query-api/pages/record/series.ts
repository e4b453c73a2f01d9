// The trades of one launch in time buckets, for its record.
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { QueryResult, SeriesPoint } from '../../../topology/ports/history.ts'
import { NO_HISTORY } from '../../answers/cards/base-rates.ts'
import type { Service } from '../../answers/service.ts'

/** Buckets of a record, at most. */
const BUCKETS = 180

/** The quote currency of a chain, with its conversions. */
export interface Money {
  /** `SOL`. */
  readonly name: string
  inWhole(quoteUnits: Amount): number
  /** The price of a million tokens, in whole quote units. */
  priceOf(quoteUnits: Amount, tokenUnits: Amount): number
}

/** One bucket; `reserve` and `price` are those after its last trade, null if not known. */
export interface Step {
  /** Seconds after the launch. */
  readonly ageS: number
  readonly buys: number
  readonly sells: number
  readonly bought: number
  readonly sold: number
  readonly reserve: number | null
  readonly price: number | null
  readonly isInPool: boolean
}

export interface Series {
  /** Buckets with a trade, oldest first. */
  readonly steps: readonly Step[]
  readonly stepS: number
  /** End of the series, seconds after the launch. */
  readonly endS: number
  readonly money: Money
}

export interface SeriesOf {
  readonly mint: Key
  readonly pool: Key | null
  /** Time of the launch and of the last trade that may be shown, unix seconds. */
  readonly launchAt: number
  readonly until: number
  readonly money: Money
}

/** Queries the history; never rejects. */
export const seriesOf = async (
  { options: { history } }: Service,
  { mint, pool, launchAt, until, money }: SeriesOf,
): Promise<QueryResult<Series>> => {
  if (history === undefined) return { ok: false, reason: NO_HISTORY }
  const endS = Math.max(1, until - launchAt)
  const stepS = Math.ceil((endS + 1) / BUCKETS)
  const asked = await history.series({ mint, pool, from: launchAt, until, stepS })
  if (!asked.ok) return asked
  return { ok: true, value: { steps: asked.value.map((point) => stepOf(point, launchAt, money)), stepS, endS, money } }
}

const stepOf = (point: SeriesPoint, launchAt: number, money: Money): Step => ({
  ageS: point.at - launchAt,
  buys: point.buys,
  sells: point.sells,
  bought: money.inWhole(point.boughtUnits),
  sold: money.inWhole(point.soldUnits),
  reserve: point.reserveUnits === null ? null : money.inWhole(point.reserveUnits),
  price: Number(point.price.tokenUnits) > 0 ? money.priceOf(point.price.quoteUnits, point.price.tokenUnits) : null,
  isInPool: point.isInPool,
})

/** Merges neighbouring buckets into at most `most`; reserve and price are those of the last merged bucket. */
export const coarser = ({ steps, stepS, endS, money }: Series, most: number): Series => {
  const wide = stepS * Math.max(1, Math.ceil(endS / stepS / most))
  const sums = new Map<number, Step>()
  for (const step of steps) {
    const ageS = Math.floor(step.ageS / wide) * wide
    const before = sums.get(ageS)
    sums.set(ageS, before === undefined ? { ...step, ageS } : added(before, step))
  }
  return { steps: [...sums.values()], stepS: wide, endS, money }
}

const added = (a: Step, b: Step): Step => ({
  ...b,
  ageS: a.ageS,
  buys: a.buys + b.buys,
  sells: a.sells + b.sells,
  bought: a.bought + b.bought,
  sold: a.sold + b.sold,
  reserve: b.reserve ?? a.reserve,
  price: b.price ?? a.price,
})
