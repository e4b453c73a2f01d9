// How the records of a chain are written: every chain has keys of its length and events of its own, in records of one shape.
import type { Codec } from './codecs.ts'
import type { Key } from './keys.ts'
import type { Conclusion, TapeBatch, TapeFinality, TapeRevert } from './types.ts'

/** What events of all chains have: their type, and their place in the frame. */
export interface ChainEvent {
  readonly type: string
  readonly tx: number
  readonly outer: number
  readonly inner: number
}

/** All events of one frame for one partition. */
export type BatchOf<Event> = Omit<TapeBatch, 'events'> & { events: Event[] }
export type TapeRecordOf<Event> = BatchOf<Event> | TapeRevert | TapeFinality

/** What was found or became of something, on the topics of conclusions. */
export interface ConclusionForm {
  readonly schema: string
  readonly codec: Codec<Conclusion>
}

export interface TapeForm<Event extends ChainEvent = ChainEvent> {
  /** Name of the schema of a record (schemas/<schema>.avsc). */
  readonly schema: string
  readonly codec: Codec<TapeRecordOf<Event>>
  /** Whose event it is: the tape is partitioned by that. */
  keyOf(event: Event): Key
}
