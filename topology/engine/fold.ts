// Runs one processor in a task: its rows, and its outputs for the current frame.
import type { At, FactBody, FactType, FrameHeader, Processor, RowKinds } from '../../processors/contract.ts'
import { assert } from '../../schemas/errors.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Position } from '../../schemas/position.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Fact } from '../../schemas/types.ts'
import type { OutRecord } from '../ports/log.ts'
import { TaskContext } from './context.ts'
import type { StateType } from './rows/state-type.ts'
import { Store, type StoreParts } from './rows/store.ts'
import type { Timer, TimerHeap } from './timers.ts'

/** An output of a processor, with its position. `n` counts the outputs of one key at one position. */
export interface FoldedOutput<Output> {
  readonly position: Position
  readonly key: string
  readonly n: number
  readonly output: Output
}

type Sends = Readonly<Partial<Record<FactType, string>>>

/** A processor, its changelog and its outputs. */
export interface FoldDefinition<Rows extends RowKinds, Event, Output, Header extends FrameHeader> {
  readonly processor: Processor<Rows, Event, Output, Header>
  readonly state: StateType
  readonly changelog: Topic
  /** Topics that `collect` writes to. */
  readonly writes: readonly Topic[]
  /** Records for the outputs of a frame, its tick included. `partition` is the task's own. */
  collect(header: Header, outputs: readonly FoldedOutput<Output>[], partition: number): readonly OutRecord[]
}
/** Any processor over these events. */
export type AnyFold<Event, Header extends FrameHeader> = FoldDefinition<RowKinds, Event, unknown, Header>

/** Parts shared by the folds of a task. */
export interface FoldParts {
  readonly stored: StoreParts
  readonly timers: TimerHeap
  send(fact: Fact): void
}

/** Runs one processor; the task calls it in position order. */
export class Fold<Event, Header extends FrameHeader> {
  readonly store: Store
  readonly definition: AnyFold<Event, Header>
  readonly #context: TaskContext<RowKinds, unknown>
  readonly #sends: Sends
  readonly #outputs = new Counter()
  readonly #facts = new Counter()
  readonly #deliver: (fact: Fact) => void
  #emitted: FoldedOutput<unknown>[] = []
  #position!: Position

  constructor(definition: AnyFold<Event, Header>, { stored, timers, send }: FoldParts) {
    this.definition = definition
    this.store = new Store(definition.processor.name, definition.state, stored)
    this.#deliver = send
    this.#sends = definition.processor.sends
    this.#context = new TaskContext<RowKinds, unknown>(
      this.store,
      timers,
      (key, output) => this.#emit(key, output),
      (key, toKey, body) => this.#send(key, toKey, body),
    )
  }
  /** `isFurther`: the slot or block number is higher than that of the previous frame. */
  beginFrame(isFurther: boolean): void {
    this.#emitted = []
    this.store.beginFrame()
    if (isFurther) this.store.rest()
  }
  apply(event: Event, at: At<Header>): void {
    const { processor } = this.definition
    const key = processor.keyOf?.(event)
    if (key === undefined) return
    this.#position = at.position
    processor.apply?.(this.#context.point(key), event, at)
  }
  onFact(fact: Fact, at: At<Header>): void {
    this.#position = at.position
    this.definition.processor.onFact?.(this.#context.point(fact.toKey), fact, at)
  }
  /** Returns false if the timer is no longer valid: it was moved, removed or rolled back. */
  onTime({ key, name, due }: Timer, at: At<Header>): boolean {
    const aggregate = this.store.find(key)
    const row = aggregate && this.store.read(aggregate, this.store.type.timers, name)
    if (aggregate === undefined || row?.due !== due) return false
    this.store.remove(aggregate, this.store.type.timers, name)
    this.#position = at.position
    this.definition.processor.onTime(this.#context.point(key), name, at)
    return true
  }
  /** Number of outputs since `beginFrame`. */
  get outputCount(): number {
    return this.#emitted.length
  }
  collect(header: Header, partition: number): readonly OutRecord[] {
    return this.definition.collect(header, this.#emitted, partition)
  }
  #emit(key: string, output: unknown): void {
    this.#emitted.push({ position: this.#position, key, n: this.#outputs.next(this.#position, key), output })
  }
  #send(key: string, toKey: string, body: FactBody): void {
    const to = this.#sends[body.type]
    assert(to !== undefined, `${this.store.name} names the receiver of its ${body.type}`)
    const { number, tx, outer, inner } = this.#position
    const n = this.#facts.next(this.#position, key)
    this.#deliver({ number, tx, outer, inner, from: this.store.name, fromKey: key as Key, n, to, toKey: toKey as Key, body })
  }
}

/** Numbers the outputs of each key at one position, from 0. */
class Counter {
  /** A new map for each position; clearing the old one would keep its memory (see `ShortLivedMap`). */
  #counts = new Map<string, number>()
  #position: Position | undefined

  next(position: Position, key: string): number {
    if (position !== this.#position) {
      this.#position = position
      this.#counts = new Map()
    }
    const n = this.#counts.get(key) ?? 0
    this.#counts.set(key, n + 1)
    return n
  }
}
