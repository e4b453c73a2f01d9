// The record formats of a chain: each chain has its own key length and events, in records of the same shape.
import type { Codec } from './codecs.ts'
import type { Key } from './keys.ts'
import type { Conclusion, TapeBatch, TapeFinality, TapeRevert } from './types.ts'

/** The common fields of all chains' events: their type, and their place in the frame. */
export interface ChainEvent {
  readonly type: string
  readonly tx: number
  readonly outer: number
  readonly inner: number
}

/** All events of one frame for one partition. */
export type BatchOf<Event> = Omit<TapeBatch, 'events'> & { events: Event[] }
export type TapeRecordOf<Event> = BatchOf<Event> | TapeRevert | TapeFinality

/** The format of conclusions: findings, outcomes and other results, on the topics of conclusions. */
export interface ConclusionForm {
  readonly schema: string
  readonly codec: Codec<Conclusion>
}

export interface TapeForm<Event extends ChainEvent = ChainEvent> {
  /** Name of the schema of a record (schemas/<schema>.avsc). */
  readonly schema: string
  readonly codec: Codec<TapeRecordOf<Event>>
  /** The key by which the tape is partitioned. */
  keyOf(event: Event): Key
}
