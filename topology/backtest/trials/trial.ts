// One launch during a backtest: what was flagged of it, and what its judgement needs. A few hundred bytes, until it is judged and silent.
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Reserves } from './market.ts'

/** What was known of its creator at the launch, from launches of the same run. */
export const CREATOR_KINDS = ['first launch seen', 'launched before', 'rugged before'] as const
export type CreatorKind = (typeof CREATOR_KINDS)[number]

/** Where a candidate fired first. */
export interface Firing {
  /** Unix seconds of the cause. */
  readonly at: number
  /** How many events of the launch there had been, this one included. */
  readonly events: number
  readonly place: { readonly number: number; readonly tx: number; readonly outer: number; readonly inner: number; readonly hash8: string }
}

export interface Trial {
  readonly mint: Key
  readonly creator: Key
  readonly creatorKind: CreatorKind
  /** Launch, unix seconds. */
  readonly launchedAt: number
  events: number
  /** Unix seconds of the first event of each class of counts: see `classOf`. */
  readonly reachedAt: number[]
  lastAt: number
  peakUnits: Amount
  /** By candidate. */
  readonly fired: (Firing | undefined)[]
  /** Of the profit column: the curve when the buyer buys, and when it sells. */
  entry: Reserves | null
  exit: Reserves | null
  isJudged: boolean
}

/** Classes of counts of events: 1, 2, 3, 4, 6, 8, 12, 16, 24 and so on. */
export const classOf = (events: number): number => {
  if (events < 2) return 0
  const power = 31 - Math.clz32(events)
  return 2 * power - 1 + (events >= 1.5 * 2 ** power && power > 0 ? 1 : 0)
}
