// What the API sees of the odds: the newest logged value of each head for each mint, and whether the model of a head may be shown.

import type { OddsHead } from '../../processors/odds/heads.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Conclusion } from '../../schemas/types.ts'

/** A value of the model in force, as it was logged: never changed later, except that a fork retracts it. */
export interface LoggedOdds {
  /** Id of the record on the topic `odds`. */
  readonly id: string
  readonly head: OddsHead
  /** 0 to 1: millionths. */
  readonly probability: number
  readonly modelId: string
  /** Tick time of the judgement, unix seconds. */
  readonly at: number
  /** Age of the mint at the judgement, seconds. */
  readonly ageS: number
}

/** Whether values of a head may be shown now. A value that may not be shown is null with `reason`. */
export interface HeadStanding {
  readonly head: OddsHead
  /** False while the log is still being read at the start of a process: `isShown` is false then, and tells nothing of the odds. */
  readonly isKnown: boolean
  readonly isShown: boolean
  /** Why not, in words for a card; null where it is shown. */
  readonly reason: string | null
  /** Null before the first model. */
  readonly modelId: string | null
  /** Stream time since which `isShown` holds, unix seconds; null before the first model. */
  readonly since: number | null
}

export interface OddsView {
  /** Newest value of the model in force for each head; undefined where none was logged. Whether it may be shown is `standing`'s to say. */
  of(mint: Key): Readonly<Partial<Record<OddsHead, LoggedOdds>>>
  standing(head: OddsHead): HeadStanding
  /**
   * Seconds of stream time from `from` to `to` (unix seconds) in which values of the head, shown before, were withdrawn. Time before the
   * first value was shown does not count. Known as far back as the log keeps odds and outcomes (7 days): whoever needs more adds it up.
   */
  withdrawnS(head: OddsHead, from: number, to: number): number
}

/** A record of the topic `odds` where it lies in the log. */
export interface OddsRecord {
  readonly partition: number
  readonly offset: number
  /** Odds, or the retraction of what a fork took back. */
  readonly conclusion: Conclusion
}

/** The topic `odds` as a durable follower reads it: alerts keep their own offsets. */
export interface OddsFeed {
  readonly partitions: number
  /** Offset after the newest record. */
  end(partition: number): number
  /** First offset still kept. */
  start(partition: number): number
  /**
   * At most `recordsMax` records from `offset` on, oldest first; none at the end. Where retention took the record at `offset`, from the
   * first that is kept, with the notice `alert_odds_lost`.
   */
  read(partition: number, offset: number, recordsMax: number): Promise<readonly OddsRecord[]>
  /** Called after new records can be read. Returns how to stop. Listeners must not throw. */
  onNew(listener: () => void): () => void
}
