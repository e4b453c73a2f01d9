// The definition of a task: data and pure functions.

import type { FrameHeader } from '../../processors/contract.ts'
import type { BadData, Parsed } from '../../schemas/errors.ts'
import type { Position } from '../../schemas/position.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Chain, CursorRow, StandingRow } from '../../schemas/types.ts'
import type { LogRecord, OutRecord } from '../ports/log.ts'
import type { ExchangeDefinition } from './exchange/exchange.ts'
import type { AnyFold } from './fold.ts'
import type { FrameName, Revert } from './undo/journal.ts'

/** A frame as a task sees it: its header, and its events in position order. */
export interface FrameBatch<Event, Header extends FrameHeader> {
  readonly header: Header
  readonly events: readonly Event[]
}

/** Finality of the chain at one point of the stream. */
export interface FinalityUpdate {
  readonly chain: Chain
  readonly sequence: number
  readonly confirmed: number
  readonly finalized: number
}

/** One step of a task's input. */
export type Input<Event, Header extends FrameHeader> =
  | { readonly type: 'frame'; readonly frame: FrameBatch<Event, Header> }
  | { readonly type: 'revert'; readonly revert: Revert }
  | { readonly type: 'finality'; readonly finality: FinalityUpdate }

/** Turns records into inputs. A reader that needs several records for a frame returns undefined until it has them all. */
export type InputReader<Event, Header extends FrameHeader> = (record: LogRecord) => Parsed<Input<Event, Header>> | undefined

/** A frame that was rolled back, with the topics to which it had written. */
export interface DeadFrame extends FrameName {
  readonly time: number
  readonly topics: readonly string[]
}

/** Progress of a task. */
export interface TaskProgress {
  readonly cursor: Readonly<CursorRow>
  readonly standing: Readonly<StandingRow>
}

export interface TaskDefinition<Event, Header extends FrameHeader> {
  /** Together with the partition it identifies the task. */
  readonly name: string
  readonly folds: readonly AnyFold<Event, Header>[]
  readonly input: Topic
  /** Topic of the task's own rows and its undo. */
  readonly changelog: Topic
  /** Topics that the functions below write to. */
  readonly writes: readonly Topic[]
  /** Topic in which older versions stored these rows and the undo, same partition: they are moved to `changelog` at the first restore. */
  readonly formerChangelog?: Topic
  /** Topic for periodic copies of the rows; absent: no copies. */
  readonly bases?: Topic | undefined
  /** Absent for processors that exchange no facts. */
  readonly exchange?: ExchangeDefinition
  /** Creates a reader; a task uses one for its whole life. */
  open(): InputReader<Event, Header>
  positionOf(event: Event, header: Header): Position
  /** Records for an input that cannot be read; `from` is its partition. */
  reject(record: LogRecord, fault: BadData, from: TopicPartition): readonly OutRecord[]
  /** Records for a fork; `dead` is newest first, and empty if nothing was rolled back. */
  retract(revert: Revert, dead: readonly DeadFrame[], partition: number): readonly OutRecord[]
  /**
   * What a record states about finality: the number up to which earlier frames are final; -1 if it is a frame, or part of one; null if it
   * is a fork or unreadable. Absent: no frame is known to be final before the task has read that.
   */
  readonly finalityIn?: ((record: LogRecord) => number | null) | undefined
  /** Records that forward finality. */
  passOn?(finality: FinalityUpdate, partition: number): readonly OutRecord[]
  /** The record that reports the task's progress to views; absent for tasks without views. */
  progress?(progress: TaskProgress, partition: number): OutRecord
}

/** A partition of a topic. */
export interface TopicPartition {
  readonly topic: Topic
  readonly partition: number
}

/** The contents of a commit. */
export interface Pending {
  readonly outputs: readonly OutRecord[]
  /** Next offset of each input partition. */
  readonly inputs: ReadonlyMap<string, number>
  readonly events: number
}

/** Offsets at which a task continues reading its inputs. */
export interface Offsets {
  readonly input: number
  readonly exchange: number
  /** End of the task's partition of the exchange when the task was taken over. */
  readonly exchangeEnd?: number | undefined
  /** Turn of the newest copy of the rows: stream time divided by the interval of copies. */
  readonly baseTurn?: number | undefined
  /** Live records of each changelog, by name of the topic; a changelog without a count is not checked. */
  readonly records?: ReadonlyMap<string, number>
}

/** What a task waits for at the epoch barrier. */
export interface Waits {
  /** Partitions whose tasks have not sent the facts that the next frame needs. */
  readonly writers: readonly number[]
  readonly ms: number
}
