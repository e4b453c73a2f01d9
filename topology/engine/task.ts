// A task: one processor over one partition. `step` folds a record, `takeCommit` gives what there is to commit; no I/O, no clock.
import type { At, FrameHeader, Processor, RowKinds } from '../../processors/contract.ts'
import { assert, type Parsed } from '../../schemas/errors.ts'
import { type Position, tickOf } from '../../schemas/position.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { LogRecord, OutRecord } from '../ports/log.ts'
import { TaskContext } from './context.ts'
import type { EngineLimits } from './limits.ts'
import type { StateType } from './state-type.ts'
import { Store } from './store.ts'
import { TimerHeap } from './timers.ts'

/** A frame as a task sees it: its header, and its events in position order. */
export interface FrameBatch<Event, Header extends FrameHeader> {
  readonly header: Header
  readonly events: readonly Event[]
}

/** Turns records into frames. One that needs several records for a frame answers undefined until it has them all. */
export type FrameReader<Event, Header extends FrameHeader> = (record: LogRecord) => Parsed<FrameBatch<Event, Header>> | undefined

/** What a processor said in a frame, with where it said it. `n` counts the outputs of one key at one position. */
export interface Said<Output> {
  readonly position: Position
  readonly key: string
  readonly n: number
  readonly output: Output
}

/** All that makes a task: data and pure functions. */
export interface TaskDefinition<Rows extends RowKinds, Event, Output, Header extends FrameHeader> {
  readonly processor: Processor<Rows, Event, Output, Header>
  readonly state: StateType
  readonly input: Topic
  readonly changelog: Topic
  /** A fresh reader; a task has one for its life. */
  open(): FrameReader<Event, Header>
  positionOf(event: Event, header: Header): Position
  /** Records for what was said in a frame, ticks included. `partition` is the task's own. */
  collect(header: Header, said: readonly Said<Output>[], partition: number): readonly OutRecord[]
  /** Records for an input that could not be read. */
  reject(record: LogRecord, code: string, reason: string): readonly OutRecord[]
  /** The record that tells views how far the task is; absent for tasks without views. */
  progress?(header: Header, partition: number): OutRecord
}

/** What a commit will hold. */
export interface Pending {
  readonly outputs: readonly OutRecord[]
  /** Next input offset. */
  readonly offset: number
  readonly events: number
}

/** Runs one processor over one partition. Callers: `restore` first, then `step` in offset order; `takeCommit` between steps. */
export class Task<Rows extends RowKinds, Event, Output, Header extends FrameHeader> {
  readonly id: string
  readonly partition: number
  readonly store: Store
  readonly #definition: TaskDefinition<Rows, Event, Output, Header>
  readonly #limits: EngineLimits
  readonly #timers = new TimerHeap()
  readonly #context: TaskContext<Rows, Output>
  readonly #read: FrameReader<Event, Header>
  #said: Said<Output>[] = []
  readonly #counts = new Map<string, number>()
  #counted: Position | undefined
  #at!: At<Header>
  #outputs: OutRecord[] = []
  #header: Header | undefined
  #offset = 0
  #moved = false
  #events = 0
  #conclusions = 0

  constructor(definition: TaskDefinition<Rows, Event, Output, Header>, partition: number, limits: EngineLimits) {
    this.id = `${definition.processor.name}-${partition}`
    this.partition = partition
    this.store = new Store(definition.state, limits.undoFramesMax)
    this.#definition = definition
    this.#limits = limits
    this.#read = definition.open()
    this.#context = new TaskContext<Rows, Output>(this.store, this.#timers, (key, output) => this.#say(key, output))
  }
  get definition(): TaskDefinition<Rows, Event, Output, Header> {
    return this.#definition
  }
  /** Events folded since the last commit. */
  get pendingEvents(): number {
    return this.#events
  }
  /** True when something worth telling was said since the last commit. */
  get hasConclusions(): boolean {
    return this.#conclusions > 0
  }
  /** True when there is anything to commit. */
  get isDirty(): boolean {
    return this.#moved
  }
  /** Puts rows back, in changelog order. Call `begin` after the last. */
  restore(records: Iterable<Pick<LogRecord, 'key' | 'value'>>): void {
    for (const record of records) this.store.restore(record)
  }
  /** Starts at an input offset: the timers of the rows are wound up. */
  begin(offset: number): void {
    this.#timers.rebuild(this.store.timers())
    this.#offset = offset
  }
  /** Folds one record. Bad data becomes a dead letter; a throw is a bug and ends the task. */
  step(record: LogRecord): void {
    const read = this.#read(record)
    if (read === undefined) return
    this.#offset = record.offset + 1
    this.#moved = true
    if (!read.ok) this.#outputs.push(...this.#definition.reject(record, read.code, read.reason))
    else this.fold(read.value)
  }
  /** What was said since the last call, without rows: for drivers that keep no changelog. */
  takeSaid(): readonly OutRecord[] {
    this.store.dropDirty()
    return this.#take()
  }
  /** What was written since the last call, as one unit. Call between steps. */
  takeCommit(): Pending {
    const pages = this.store.takeDirty()
    const events = this.#events
    const outputs = this.#take()
    for (const { key, value } of pages) outputs.push({ topic: this.#definition.changelog, partition: this.partition, key, value })
    if (this.#header !== undefined && this.#definition.progress) outputs.push(this.#definition.progress(this.#header, this.partition))
    return { outputs, offset: this.#offset, events }
  }
  /** Takes back the newest frame's rows (a fork); its sequence, or undefined when it can no longer be undone. */
  undoFrame(): number | undefined {
    const sequence = this.store.undo()
    this.#timers.rebuild(this.store.timers())
    this.#moved = true
    return sequence
  }

  /** Folds one frame: for drivers that have frames rather than records. */
  fold({ header, events }: FrameBatch<Event, Header>): void {
    this.#moved = true
    assert(this.#header === undefined || header.time >= this.#header.time, `tick time fell at ${header.chain}:${header.number}`)
    this.#header = header
    this.#said = []
    this.store.beginFrame(header.sequence, header.final)
    const { processor } = this.#definition
    for (const event of events) {
      this.#at = { position: this.#definition.positionOf(event, header), header }
      processor.apply(this.#context.point(processor.keyOf(event)), event, this.#at)
    }
    this.#tick(header)
    this.#events += events.length
    this.#conclusions += this.#said.length
    for (const record of this.#definition.collect(header, this.#said, this.partition)) this.#outputs.push(record)
  }
  #take(): OutRecord[] {
    const outputs = this.#outputs
    this.#outputs = []
    this.#events = 0
    this.#conclusions = 0
    this.#moved = false
    return outputs
  }
  #tick(header: Header): void {
    this.#at = { position: tickOf(header.chain, header.number), header }
    for (let fired = 0; ; ) {
      const timer = this.#timers.popDue(header.time)
      if (timer === undefined) return
      const aggregate = this.store.find(timer.key)
      const row = aggregate && this.store.read(aggregate, this.store.type.timers, timer.name)
      if (aggregate === undefined || row?.due !== timer.due) continue
      assert(fired++ < this.#limits.timersPerTickMax, `timers of ${timer.key} fire without end at ${header.number}`)
      this.store.remove(aggregate, this.store.type.timers, timer.name)
      this.#definition.processor.onTime(this.#context.point(timer.key), timer.name, this.#at)
    }
  }
  #say(key: string, output: Output): void {
    const { position } = this.#at
    if (position !== this.#counted) {
      this.#counted = position
      this.#counts.clear()
    }
    const n = this.#counts.get(key) ?? 0
    this.#counts.set(key, n + 1)
    this.#said.push({ position, key, n, output })
  }
}
