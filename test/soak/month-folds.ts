// The production folds and the API's view over days of a tape, at full speed, with rollback data, finality, commits and the exchange as
// when live.

import type { TapeHeader } from '../../processors/tape.ts'
import { type Key, toBase58 } from '../../schemas/keys.ts'
import { tapeKeyOf } from '../../schemas/tape-key.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { TapeBatch, TapeEvent } from '../../schemas/types.ts'
import { readExchange } from '../../topology/engine/exchange/exchange-record.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { createPartitioner } from '../../topology/engine/partition.ts'
import { Task } from '../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { Log, LogRecord, OutRecord, TaskOwner } from '../../topology/ports/log.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { collect } from '../tools/memory.ts'
import { FRAMES_PER_DAY, type MonthLoad, MonthTape } from './month-tape.ts'

interface Passing {
  end: number
  records: LogRecord[]
}

const nameOf = (topic: Topic, partition: number): string => `${topic.name}/${partition}`

class PassingLog implements Log {
  readonly #count: number
  readonly #partitions = new Map<string, Passing>()
  readonly #listeners = new Set<(topics: ReadonlySet<string>) => void>()

  constructor(partitions: number) {
    this.#count = partitions
  }
  /** Appends the records of a commit and notifies the listeners. */
  append(outputs: readonly OutRecord[]): void {
    const answer = Buffer.allocUnsafeSlow(outputs.reduce((bytes, { value }) => bytes + (value?.length ?? 0), 0))
    let at = 0
    for (const { topic, partition, key, value } of outputs) {
      const into = this.#partitions.get(nameOf(topic, partition))
      if (value !== null) answer.set(value, at)
      const end = at + (value?.length ?? 0)
      into?.records.push({ offset: into.end++, key, value: value && answer.subarray(at, end) })
      at = end
    }
    const topics = new Set(outputs.map(({ topic }) => topic.name))
    for (const listener of this.#listeners) listener(topics)
  }
  partitions({ partitions }: Topic): number {
    return partitions === 'one' ? 1 : this.#count
  }
  async read(topic: Topic, partition: number, offset: number): Promise<readonly LogRecord[]> {
    const from = this.#at(topic, partition)
    const records = from.records.filter((record) => record.offset >= offset)
    from.records = []
    return records
  }
  start(): number {
    return 0
  }
  end(topic: Topic, partition: number): number {
    return this.#at(topic, partition).end
  }
  tombstoneFloor(): number {
    return 0
  }
  async decidedEnd(topic: Topic, partition: number): Promise<number> {
    return this.end(topic, partition)
  }
  async refresh(): Promise<void> {}
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  own(): Promise<TaskOwner> {
    throw new Error('tasks commit to this log without an owner')
  }
  async trim(): Promise<void> {}
  async close(): Promise<void> {}

  #at(topic: Topic, partition: number): Passing {
    const name = nameOf(topic, partition)
    let passing = this.#partitions.get(name)
    if (passing === undefined) {
      passing = { end: 0, records: [] }
      this.#partitions.set(name, passing)
    }
    return passing
  }
}

const PARTITIONS = 2
/** Slots until a frame is final: 32 frames of the tape, the maximal depth of a fork on the chain. */
const FINAL_AFTER_SLOTS = 160
/** The view reads several commits at once, as it does in real time. */
const VIEW_EVERY_FRAMES = 4

/** Number of keys in the folds, cached or evicted. */
interface LiveKeys {
  readonly creators: number
  readonly mints: number
  readonly wallets: number
}

class MonthChain {
  readonly #tasks: readonly Task<TapeEvent, TapeHeader>[]
  readonly #partitionOf = createPartitioner(PARTITIONS, (key) => toBase58(key as Key))
  readonly #log = new PassingLog(PARTITIONS)
  readonly #exchanged = new Array<number>(PARTITIONS).fill(0)
  readonly view = new LogMintView(this.#log, LAUNCH_RISK, { tip: () => null })
  #pending: OutRecord[] = []
  #frames = 0

  constructor() {
    const tasks: Task<TapeEvent, TapeHeader>[] = Array.from(
      { length: PARTITIONS },
      (_, partition) =>
        new Task(LAUNCH_RISK.folds(PARTITIONS), partition, DEFAULT_LIMITS, { handOver: (batch, to) => tasks[to]?.exchange?.offer(batch) }),
    )
    for (const task of tasks) task.begin({ input: 0, exchange: 0 })
    this.#tasks = tasks
  }
  start(): Promise<void> {
    return this.view.start()
  }
  async take(tape: TapeBatch): Promise<void> {
    const { chain, number, sequence } = tape
    const parts: TapeEvent[][] = this.#tasks.map(() => [])
    for (const event of tape.events) parts[this.#partitionOf(tapeKeyOf(event))]?.push(event)
    for (const [partition, task] of this.#tasks.entries()) {
      task.take({ type: 'frame', frame: { header: tape, events: parts[partition] ?? [] } })
      const finalized = number - FINAL_AFTER_SLOTS
      task.take({ type: 'finality', finality: { chain, sequence, confirmed: number, finalized } })
      this.#commit(task)
    }
    this.#frames += 1
    if (this.#frames % VIEW_EVERY_FRAMES !== 0) return
    this.#log.append(this.#pending)
    this.#pending = []
    await this.view.caughtUp()
  }
  keys(): LiveKeys {
    const sizeOf = (name: string): number => this.#tasks.reduce((size, task) => size + task.store(name).size, 0)
    return { creators: sizeOf('creator'), mints: sizeOf('mint'), wallets: sizeOf('wallet') }
  }

  #commit(task: Task<TapeEvent, TapeHeader>): void {
    for (const record of task.takeCommit().outputs)
      if (record.topic === TOPICS.exchange) this.#exchange(record)
      else if (record.topic !== TOPICS.taskChangelog) this.#pending.push(record)
  }
  #exchange({ partition, key, value }: OutRecord): void {
    const offset = this.#exchanged[partition] as number
    this.#exchanged[partition] = offset + 1
    const read = readExchange(partition, { offset, key, value })
    for (const task of this.#tasks) task.stepExchange(read)
  }
}

export interface MonthPlan extends MonthLoad {
  readonly days: number
}

/** The end of a simulated day, after a collection. */
export interface Day extends LiveKeys {
  readonly day: number
  readonly launches: number
  readonly heapMB: number
  /** Heap size as committed by the collector, including free space. */
  readonly heapKeptMB: number
  readonly externalMB: number
  readonly arrayBuffersMB: number
  readonly rssMB: number
  /** Mints in the view. */
  readonly viewMints: number
  /** Seconds that simulating the day took. */
  readonly tookS: number
}

const MB = 1e6
const inMb = (bytes: number): number => Math.round(bytes / 1e5) / (MB / 1e5)

/** Simulates the days; `onDay` is called at the end of each. */
export const simulateDays = async (plan: MonthPlan, onDay: (day: Day) => void): Promise<void> => {
  const [tape, chain] = [new MonthTape(plan), new MonthChain()]
  await chain.start()
  for (let day = 1; day <= plan.days; day++) {
    const started = performance.now()
    for (let frame = 0; frame < FRAMES_PER_DAY; frame++) await chain.take(tape.next())
    const tookS = Math.round((performance.now() - started) / 100) / 10
    onDay({ day, launches: tape.launches, ...memoryNow(), ...chain.keys(), viewMints: chain.view.status().tracked, tookS })
  }
}

const memoryNow = (): Pick<Day, 'heapMB' | 'heapKeptMB' | 'externalMB' | 'arrayBuffersMB' | 'rssMB'> => {
  collect()
  const { heapUsed, heapTotal, external, arrayBuffers, rss } = process.memoryUsage()
  return {
    heapMB: inMb(heapUsed),
    heapKeptMB: inMb(heapTotal),
    externalMB: inMb(external),
    arrayBuffersMB: inMb(arrayBuffers),
    rssMB: inMb(rss),
  }
}
