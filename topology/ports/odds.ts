// The API's read port for odds: the newest logged value of each head for each mint, and whether a head's values may be shown.

import type { OddsHead } from '../../processors/odds/heads.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Conclusion } from '../../schemas/types.ts'

/** A value of the current model, as it was logged: immutable, but a reorg may retract it. */
export interface LoggedOdds {
  /** Id of the record on the topic `odds`. */
  readonly id: string
  readonly head: OddsHead
  /** 0 to 1, in steps of a millionth. */
  readonly probability: number
  readonly modelId: string
  /** Tick time of the evaluation, unix seconds. */
  readonly at: number
  /** Age of the mint at the evaluation, seconds. */
  readonly ageS: number
}

/** Whether values of a head may be shown now. A value that may not be shown is returned as null with `reason`. */
export interface HeadState {
  readonly head: OddsHead
  /** False while the log is still being read at process start: `isShown` is then false regardless of the odds. */
  readonly isKnown: boolean
  readonly isShown: boolean
  /** Why values are not shown, as text for a card; null if they are. */
  readonly reason: string | null
  /** Null before the first model. */
  readonly modelId: string | null
  /** Stream time since which `isShown` has its value, unix seconds; null before the first model. */
  readonly since: number | null
}

export interface OddsView {
  /** Newest value of the current model for each head; undefined if none was logged. `headState` decides whether it may be shown. */
  of(mint: Key): Readonly<Partial<Record<OddsHead, LoggedOdds>>>
  headState(head: OddsHead): HeadState
  /**
   * Seconds of stream time between `from` and `to` (unix seconds) in which values of the head were withdrawn after having been shown. Time
   * before the first value was shown does not count. Known as far back as the log keeps odds and outcomes (7 days); callers sum up more.
   */
  withheldS(head: OddsHead, from: number, to: number): number
}

/** A record of the topic `odds` and its position in the log. */
export interface OddsRecord {
  readonly partition: number
  readonly offset: number
  /** Odds, or the retraction of odds that a reorg undid. */
  readonly conclusion: Conclusion
}

/** The topic `odds` for a durable consumer: alerts store their own offsets. */
export interface OddsFeed {
  readonly partitions: number
  /** Offset after the newest record. */
  end(partition: number): number
  /** First retained offset. */
  start(partition: number): number
  /**
   * At most `recordsMax` records from `offset` on, oldest first; none at the end. If retention deleted the record at `offset`, reads from
   * the first retained one and raises the notice `alert_odds_lost`.
   */
  read(partition: number, offset: number, recordsMax: number): Promise<readonly OddsRecord[]>
  /** Calls the listener when new records can be read. Returns the unsubscribe function. Listeners must not throw. */
  onNew(listener: () => void): () => void
}
