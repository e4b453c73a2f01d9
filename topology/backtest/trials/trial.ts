// One launch during a backtest: its flags, and what judging it needs. A few hundred bytes, kept until the launch has no events for 8 h.
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Reserves } from './market.ts'

/** The creator's record at the launch, from launches of the same run. */
export const CREATOR_KINDS = ['first launch seen', 'launched before', 'rugged before'] as const
export type CreatorKind = (typeof CREATOR_KINDS)[number]

/** The first firing of a candidate. */
export interface Firing {
  /** Time of the event or tick at which it fired, unix seconds. */
  readonly at: number
  /** Number of events of the launch so far, including this one. */
  readonly events: number
  readonly position: {
    readonly number: number
    readonly tx: number
    readonly outer: number
    readonly inner: number
    readonly hash8: string
  }
}

export interface Trial {
  readonly mint: Key
  readonly creator: Key
  readonly creatorKind: CreatorKind
  /** Launch, unix seconds. */
  readonly launchedAt: number
  events: number
  /** Unix seconds of the first event of each class of event counts: see `classOf`. */
  readonly reachedAt: number[]
  lastAt: number
  peakUnits: Amount
  /** By the candidate's index. */
  readonly fired: (Firing | undefined)[]
  /** For the profit column: the curve's reserves when the buyer buys, and when it sells. */
  entry: Reserves | null
  exit: Reserves | null
  isJudged: boolean
}

/** Classes of event counts: 1, 2, 3, 4, 6, 8, 12, 16, 24 and so on. */
export const classOf = (events: number): number => {
  if (events < 2) return 0
  const power = 31 - Math.clz32(events)
  return 2 * power - 1 + (events >= 1.5 * 2 ** power && power > 0 ? 1 : 0)
}
