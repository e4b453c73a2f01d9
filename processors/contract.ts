// What a processor is, and the only window it has on the world. The engine implements Context; folds and tests read this page.
import type { Position } from '../schemas/position.ts'
import type { Chain, Fact } from '../schemas/types.ts'

/** What one key may tell another (schemas/exchange.avsc). */
export type FactBody = Fact['body']
export type FactType = FactBody['type']

/** What every frame says of itself; a tape adds its own fields (gaps, who vouched). */
export interface FrameHeader {
  readonly chain: Chain
  readonly number: number
  readonly hash8: string
  /** Capture's number of the frame: merges inputs, never reaches an output. */
  readonly sequence: number
  /** Tick time in unix seconds; never falls from one frame to the next. */
  readonly time: number
  /** No fork can take the frame back, nor any before it. */
  readonly final: boolean
  /** The newest range of numbers of which not everything was delivered, where the input knows one. */
  readonly gapFrom?: number | null
  readonly gapTo?: number | null
}

/** Where and when a call happens. */
export interface At<Header extends FrameHeader = FrameHeader> {
  readonly position: Position
  readonly header: Header
  /** Tick time of the first frame that the rows rest on, unix seconds: nothing before is known. */
  readonly since: number
}

/** A row: numbers, booleans, text and null only, so that a shallow copy is a whole copy. */
type Row = object
/** Rows of one aggregate by kind: `curve: CurveRow`. Single kinds have one row, the others many, told apart by an id. */
export type RowKinds = Record<string, Row>

/**
 * A processor's own rows of the aggregate that the event's key names (a mint with its holders), and what it may ask of the engine.
 * Rows are changed in place, and only through `edit` and `remove`: the engine's journal then has `before`, the changelog and the undo.
 */
export interface Context<Rows extends RowKinds, Output, Sent extends FactType = never> {
  /** Key of the aggregate. */
  readonly key: string
  /** The row, or undefined. Read only: a write through it would escape the journal. `id` is for kinds with many rows. */
  read<Kind extends keyof Rows & string>(kind: Kind, id?: string | number): Readonly<Rows[Kind]> | undefined
  /** The row to change in place, journalled once a frame. Made from `initial` where absent. Throws (a bug) when absent and no `initial` is given. */
  edit<Kind extends keyof Rows & string>(kind: Kind, id?: string | number, initial?: () => Rows[Kind]): Rows[Kind]
  /** Removes the row; nothing happens when it is absent. */
  remove<Kind extends keyof Rows & string>(kind: Kind, id?: string | number): void
  /** Rows of a kind with many. No order is promised: results must not depend on it. */
  rows<Kind extends keyof Rows & string>(kind: Kind): Iterable<Readonly<Rows[Kind]>>
  count<Kind extends keyof Rows & string>(kind: Kind): number
  /** Says an output: committed with the rows, in the order of the calls. */
  emit(output: Output): void
  /**
   * Sends a fact to a key of the processor that `sends` names for it: its `onFact` is called at the tick that ends the epoch after this
   * frame's (an epoch is a few frames), wherever that key lives. There is no quicker way, not even to a key of the same task.
   */
  send(toKey: string, body: Extract<FactBody, { type: Sent }>): void
  /** Calls `onTime` with `name` at the first tick with time >= `due` (unix seconds), once. A second call with the same name moves it. */
  schedule(name: string, due: number): void
  /** Drops all rows and timers of the aggregate except the kinds named. */
  forget(keep?: readonly (keyof Rows & string)[]): void
}

/** All rows of an aggregate by kind: a row or null where it has one, a list where it has many. */
export type AllRows = Readonly<Record<string, unknown>>

/** A frame of the tape. */
export interface FramePlace {
  readonly number: number
  /** Tick time, unix seconds. */
  readonly time: number
}

/**
 * One keyed fold. Pure in effect: same calls, same rows, same outputs; it does no I/O and knows no clock, chance or environment.
 * `version` moves when rows or outputs would differ for the same tape: the stores are then rebuilt, from a copy of their rows and the tape
 * since. Rows that are older than the tape live on through `migrate` alone.
 */
export interface Processor<Rows extends RowKinds, Event, Output, Header extends FrameHeader = FrameHeader, Sent extends FactType = never> {
  readonly name: string
  readonly version: number
  /** Tells what it was given beside its code, where that may differ: stores of another make are rebuilt as those of another version. */
  make?(): string | null
  /** Every type of fact that it sends, with the processor that gets it. */
  readonly sends: Readonly<Record<Sent, string>>
  /**
   * Rows that an older version wrote, in this one's shape; fields that the schema gained have their defaults already. Absent: as they are.
   */
  migrate?(rows: AllRows, from: number): AllRows
  /** Whether rows rest on frames before `first`: a rebuild that can begin only there, for want of a copy, keeps them. Absent: none is kept. */
  isOlder?(rows: AllRows, first: FramePlace): boolean
  /** Key of the aggregate that the event belongs to; undefined when the processor has no use for it. Absent: it reads no events. */
  keyOf?(event: Event): string | undefined
  /** One event that has a key, in position order. */
  apply?(ctx: Context<Rows, Output, Sent>, event: Event, at: At<Header>): void
  /** A timer that was due, at the position of the frame's tick, after its events, by due time, then processor, then key, then name. */
  onTime(ctx: Context<Rows, Output, Sent>, name: string, at: At<Header>): void
  /**
   * A fact told to this key, at the position of the tick where it applies; its own position is where it was said. Before the timers of the
   * tick, in the order of where it was said, by whom, and n.
   */
  onFact?(ctx: Context<Rows, Output, Sent>, fact: Fact, at: At<Header>): void
}
