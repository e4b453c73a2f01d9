// The interface of a processor, and the context through which alone it reads and writes. The engine implements Context; folds and tests use
// it.
import type { Position } from '../schemas/position.ts'
import type { Chain, Fact } from '../schemas/types.ts'

/** A message from one key to another (schemas/exchange.avsc). */
export type FactBody = Fact['body']
export type FactType = FactBody['type']

/** The header of every frame; a tape adds its own fields (gaps, vouched). */
export interface FrameHeader {
  readonly chain: Chain
  readonly number: number
  readonly hash8: string
  /** Capture's number of the frame: partitions are merged in its order. Never part of an output. */
  readonly sequence: number
  /** Tick time in unix seconds; never falls from one frame to the next. */
  readonly time: number
  /** Neither this frame nor any before it can be rolled back by a fork. */
  readonly final: boolean
  /** The newest range of numbers that was not completely delivered, where the input knows one. */
  readonly gapFrom?: number | null
  readonly gapTo?: number | null
}

/** Where and when a call happens. */
export interface At<Header extends FrameHeader = FrameHeader> {
  readonly position: Position
  readonly header: Header
  /** Tick time of the first frame that the rows cover, unix seconds: nothing earlier is known. */
  readonly since: number
}

/** A row: numbers, booleans, text and null only, so a shallow copy is a full copy. */
type Row = object
/** Rows of one aggregate by kind: `curve: CurveRow`. A single kind has one row; other kinds have many, each with an id. */
export type RowKinds = Record<string, Row>

/**
 * A processor's rows of the aggregate that the event's key names (a mint with its holders), and the calls that the engine offers. Change
 * rows in place, and only through `edit` and `remove`: they tell the engine's journal which rows to write to the changelog, and copy the
 * values that a rollback restores.
 */
export interface Context<Rows extends RowKinds, Output, Sent extends FactType = never> {
  /** Key of the aggregate. */
  readonly key: string
  /** The row, or undefined. Read only: a write to it would bypass the journal. `id` is for kinds with many rows. */
  read<Kind extends keyof Rows & string>(kind: Kind, id?: string | number): Readonly<Rows[Kind]> | undefined
  /**
   * The row to change in place, journalled once a frame; created from `initial` where absent. @throws (a bug) when absent and without
   * `initial`
   */
  edit<Kind extends keyof Rows & string>(kind: Kind, id?: string | number, initial?: () => Rows[Kind]): Rows[Kind]
  /** Removes the row, if there is one. */
  remove<Kind extends keyof Rows & string>(kind: Kind, id?: string | number): void
  /** Rows of a kind with many. The order is undefined: results must not depend on it. */
  rows<Kind extends keyof Rows & string>(kind: Kind): Iterable<Readonly<Rows[Kind]>>
  count<Kind extends keyof Rows & string>(kind: Kind): number
  /** Emits an output: committed with the rows, in the order of the calls. */
  emit(output: Output): void
  /**
   * Sends a message to a key; `sends` names the receiving processor for each type of message. `onFact` is called for that key at the tick
   * that ends the epoch after this frame's (an epoch is a few frames), in whichever task it lives. Keys of the same task get it no sooner.
   */
  send(toKey: string, body: Extract<FactBody, { type: Sent }>): void
  /**
   * Calls `onTime` with `name` once, at the first tick with time >= `due` (unix seconds). A second call with the same name moves the timer.
   */
  schedule(name: string, due: number): void
  /** Drops all rows and timers of the aggregate, except rows of the kinds in `keep`. */
  forget(keep?: readonly (keyof Rows & string)[]): void
}

/** All rows of an aggregate by kind: a row or null for single kinds, a list for kinds with many. */
export type AllRows = Readonly<Record<string, unknown>>

/** A frame of the tape. */
export interface FramePlace {
  readonly number: number
  /** Tick time, unix seconds. */
  readonly time: number
}

/**
 * One keyed fold. Pure in effect: the same calls give the same rows and outputs; it does no I/O and uses no clock, randomness or
 * environment. Raise `version` when rows or outputs would differ for the same tape: the stores are then rebuilt, from a copy of their rows
 * and the tape since. Events older than the tape are not applied again: only `migrate` can change what they left in the rows.
 */
export interface Processor<Rows extends RowKinds, Event, Output, Header extends FrameHeader = FrameHeader, Sent extends FactType = never> {
  readonly name: string
  readonly version: number
  /**
   * The variant, for a processor whose results depend on configuration, such as contract addresses: null for the default configuration,
   * else a digest of it. Stored next to the name (`name@make`): stores of another `make` are rebuilt, like stores of another version.
   */
  make?(): string | null
  /** Every type of message that it sends, with the processor that receives it. */
  readonly sends: Readonly<Record<Sent, string>>
  /**
   * Converts rows that an older version wrote to the current shape; fields that the schema gained have their defaults already. Absent: rows
   * are kept as they are.
   */
  migrate?(rows: AllRows, from: number): AllRows
  /**
   * Whether rows cover frames before `first`. A rebuild without a copy can start only at `first` and keeps such rows. Absent: it keeps
   * none.
   */
  isOlder?(rows: AllRows, first: FramePlace): boolean
  /** Key of the aggregate that the event belongs to; undefined when the processor ignores the event. Absent: it reads no events. */
  keyOf?(event: Event): string | undefined
  /** Applies one event that has a key, in position order. */
  apply?(ctx: Context<Rows, Output, Sent>, event: Event, at: At<Header>): void
  /**
   * Called for a timer that is due, at the position of the frame's tick, after the frame's events. Order: due time, processor, key, name.
   */
  onTime(ctx: Context<Rows, Output, Sent>, name: string, at: At<Header>): void
  /**
   * Called for a message to this key, at the position of the tick where it applies; the message's own position is where it was sent. Runs
   * before the timers of the tick, in the order of sending position, sending processor, its key, and the message's `n`.
   */
  onFact?(ctx: Context<Rows, Output, Sent>, fact: Fact, at: At<Header>): void
}
