// What a task is made of: data and pure functions.

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

/** How sure the chain is of the frames so far. */
export interface Finality {
  readonly chain: Chain
  readonly sequence: number
  readonly confirmed: number
  readonly finalized: number
}

/** One step of a task's input. */
export type Input<Event, Header extends FrameHeader> =
  | { readonly type: 'frame'; readonly frame: FrameBatch<Event, Header> }
  | { readonly type: 'revert'; readonly revert: Revert }
  | { readonly type: 'finality'; readonly finality: Finality }

/** Turns records into inputs. One that needs several records for a frame answers undefined until it has them all. */
export type InputReader<Event, Header extends FrameHeader> = (record: LogRecord) => Parsed<Input<Event, Header>> | undefined

/** A frame that was taken back, with the names of the topics on which something was said in it. */
export interface DeadFrame extends FrameName {
  readonly time: number
  readonly topics: readonly string[]
}

/** How far a task is. */
export interface TaskProgress {
  readonly cursor: Readonly<CursorRow>
  readonly standing: Readonly<StandingRow>
}

export interface TaskDefinition<Event, Header extends FrameHeader> {
  /** With the partition it names the task. */
  readonly name: string
  readonly folds: readonly AnyFold<Event, Header>[]
  readonly input: Topic
  /** Where the task keeps its own rows and its undo. */
  readonly changelog: Topic
  /** What the functions below write records of. */
  readonly writes: readonly Topic[]
  /** Where programs before kept them, in the same partition: they move at the first restore. */
  readonly formerChangelog?: Topic
  /** Where the task copies its rows to now and then; absent: it does not. */
  readonly bases?: Topic | undefined
  /** Absent for processors that tell each other nothing. */
  readonly exchange?: ExchangeDefinition
  /** A fresh reader; a task has one for its life. */
  open(): InputReader<Event, Header>
  positionOf(event: Event, header: Header): Position
  /** Records for an input that could not be read; `from`: the partition where it lies. */
  reject(record: LogRecord, fault: BadData, from: TopicPartition): readonly OutRecord[]
  /** Records for a fork; frames newest first, none when the newest frame was named. */
  retract(revert: Revert, dead: readonly DeadFrame[], partition: number): readonly OutRecord[]
  /** Records that pass finality on. */
  passOn?(finality: Finality, partition: number): readonly OutRecord[]
  /** The record that tells views how far the task is; absent for tasks without views. */
  progress?(progress: TaskProgress, partition: number): OutRecord
}

/** A partition of a topic. */
export interface TopicPartition {
  readonly topic: Topic
  readonly partition: number
}

/** What a commit will hold. */
export interface Pending {
  readonly outputs: readonly OutRecord[]
  /** Next offset of each input partition. */
  readonly inputs: ReadonlyMap<string, number>
  readonly events: number
}

/** Where a task goes on in its inputs. */
export interface Offsets {
  readonly input: number
  readonly exchange: number
  /** Where its partition of the exchange ended when it was taken over. */
  readonly exchangeEnd?: number | undefined
  /** Turn of the newest copy of the rows. */
  readonly baseTurn?: number | undefined
}

/** What a task waits for at the barrier. */
export interface Waits {
  /** Partitions whose tasks have not told what the next frame needs. */
  readonly writers: readonly number[]
  readonly ms: number
}
