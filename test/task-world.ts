// Tasks of one chain over in-memory logs, driven step by step: the test chooses which task folds, reads, commits or dies next. Simulates
// the log's atomic commits and compaction by key; no reader lag, no failing commit.
import type { FrameHeader } from '../processors/contract.ts'
import type { Topic } from '../schemas/topics.ts'
import type { Input, TaskDefinition } from '../topology/engine/definition.ts'
import { type Outlet, readExchange } from '../topology/engine/exchange/exchange-record.ts'
import type { EngineLimits } from '../topology/engine/limits.ts'
import { createPartitioner } from '../topology/engine/partition.ts'
import { Task } from '../topology/engine/task.ts'
import { foreseen } from '../topology/engine/undo/foreseen.ts'
import type { PageStore } from '../topology/ports/keyed-pages.ts'
import type { LogRecord } from '../topology/ports/log.ts'

export type Action = 'fold' | 'exchange' | 'commit' | 'restart'

interface Seat<Event, Header extends FrameHeader> {
  task: Task<Event, Header>
  input: number
  /** Next offset of each partition. */
  readonly exchange: number[]
  readonly committed: Map<string, number>
}

const READ_RECORDS = 100

export interface WorldOptions {
  readonly partitions: number
  readonly limits: EngineLimits
  /** Tasks hand batches over as within one process; otherwise only through the log. */
  readonly handsOver: boolean
  /** For evicted rows; in memory by default. */
  readonly pages?: PageStore
}

export class TaskWorld<Event, Header extends FrameHeader> {
  readonly #definition: TaskDefinition<Event, Header>
  readonly #options: WorldOptions
  readonly #logs = new Map<string, LogRecord[]>()
  readonly #seats: Seat<Event, Header>[]

  /** `keysOf` gives the key that decides an event's partition. */
  constructor(
    definition: TaskDefinition<Event, Header>,
    options: WorldOptions,
    inputs: readonly Input<Event, Header>[],
    keysOf: (event: Event) => string,
    encode: (input: Input<Event, Header>) => string | Uint8Array = JSON.stringify,
  ) {
    this.#definition = definition
    this.#options = options
    const partitionOf = createPartitioner(options.partitions, (key) => key)
    for (const input of inputs)
      for (let partition = 0; partition < options.partitions; partition++)
        this.#append(definition.input, partition, 'k', encode(partOf(input, (event) => partitionOf(keysOf(event)) === partition)))
    this.#seats = Array.from({ length: options.partitions }, (_, partition) => this.#seat(partition, new Map()))
  }
  /** Does one action of one task; false if there was nothing to do. */
  act(partition: number, action: Action): boolean {
    const seat = this.#seats[partition] as Seat<Event, Header>
    if (action === 'fold') return this.#fold(seat, partition)
    if (action === 'exchange') return this.#readExchange(seat)
    if (action === 'commit') this.#commit(seat)
    else this.#seats[partition] = this.#seat(partition, seat.committed)
    return true
  }
  /** Runs all tasks until nothing is left to fold, and commits. */
  finish(): void {
    for (let busy = true; busy; ) {
      busy = false
      for (const [partition, seat] of this.#seats.entries()) {
        while (this.#fold(seat, partition)) busy = true
        this.#commit(seat)
        while (this.#readExchange(seat)) busy = true
      }
    }
    for (const [partition, { input }] of this.#seats.entries())
      if (input < this.#log(this.#definition.input, partition).length) throw new Error(`task ${partition} is stuck at offset ${input}`)
  }
  task(partition: number): Task<Event, Header> {
    return (this.#seats[partition] as Seat<Event, Header>).task
  }
  /** Records of a topic, partition by partition. */
  records(topic: Topic): readonly (readonly LogRecord[])[] {
    return Array.from({ length: this.#options.partitions }, (_, partition) => this.#log(topic, partition))
  }
  /** Texts on a topic, partition by partition. */
  texts(topic: Topic): string[][] {
    return this.records(topic).map((records) => records.map(({ value }) => Buffer.from(value ?? []).toString()))
  }
  /** Rows of a processor in all tasks, by raw key. */
  rows(processor: string): string[] {
    return this.#seats
      .flatMap(({ task }) => task.store(processor).snapshot())
      .map(({ key, value }) => `${key.toString('hex')} ${value?.toString('hex')}`)
      .sort()
  }
  #seat(partition: number, committed: Map<string, number>): Seat<Event, Header> {
    const { limits, handsOver, pages } = this.#options
    const handOver: Outlet['handOver'] = (batch, to) => {
      if (handsOver) this.#seats[to]?.task.exchange?.offer(batch)
    }
    const task = new Task(this.#definition, partition, limits, { handOver }, pages)
    const input = committed.get(`${this.#definition.input.name}/${partition}`) ?? 0
    const own = committed.get(`${this.#definition.exchange?.topic.name}/${partition}`) ?? 0
    for (const topic of task.changelogs) {
      const newest = new Map(this.#log(topic, partition).map((record) => [Buffer.from(record.key).toString('hex'), record]))
      task.restore(topic, newest.values())
    }
    task.begin({ input, exchange: own })
    const exchange = Array.from({ length: this.#options.partitions }, (_, from) => (from === partition ? own : 0))
    return { task, input, exchange, committed }
  }
  #fold(seat: Seat<Event, Header>, partition: number): boolean {
    // As after a read of so many records.
    const read = this.#log(this.#definition.input, partition).slice(seat.input, seat.input + READ_RECORDS)
    const [record] = foreseen(read, this.#definition)
    if (record === undefined || !seat.task.step(record)) return false
    seat.input++
    return true
  }
  /** One record, of the partition with the most unread records. */
  #readExchange(seat: Seat<Event, Header>): boolean {
    const topic = this.#definition.exchange?.topic
    if (topic === undefined) return false
    const unread = seat.exchange.map((offset, from) => this.#log(topic, from).length - offset)
    const from = unread.indexOf(Math.max(...unread))
    const record = this.#log(topic, from)[seat.exchange[from] as number]
    if (record === undefined) return false
    seat.task.stepExchange(readExchange(from, record))
    seat.exchange[from] = record.offset + 1
    return true
  }
  #commit({ task, committed }: Seat<Event, Header>): void {
    const { outputs, inputs } = task.takeCommit()
    for (const { topic, partition, key, value } of outputs) this.#append(topic, partition, key, value)
    for (const [name, offset] of inputs) committed.set(name, offset)
  }
  #append(topic: Topic, partition: number, key: Uint8Array | string, value: Uint8Array | string | null): void {
    const log = this.#log(topic, partition)
    log.push({ offset: log.length, key: Buffer.from(key), value: value === null ? null : Buffer.from(value) })
  }
  #log(topic: Topic, partition: number): LogRecord[] {
    const name = `${topic.name}/${partition}`
    const log = this.#logs.get(name) ?? []
    this.#logs.set(name, log)
    return log
  }
}

const partOf = <Event, Header extends FrameHeader>(input: Input<Event, Header>, isHere: (event: Event) => boolean): Input<Event, Header> =>
  input.type === 'frame' ? { type: 'frame', frame: { header: input.frame.header, events: input.frame.events.filter(isHere) } } : input
