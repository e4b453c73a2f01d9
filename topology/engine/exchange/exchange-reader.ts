// Reads the exchange of a chain for the tasks of a thread: each partition once, each record decoded once and passed to all tasks.
import type { Log, LogRecord } from '../../ports/log.ts'
import { type EngineLimits, readLimitsOf } from '../limits.ts'
import type { ExchangeDefinition } from './exchange.ts'
import { type ExchangeRecord, readExchange } from './exchange-record.ts'
import { findStart } from './exchange-start.ts'
import { Members } from './members.ts'

/** A task that receives the records read. */
export interface Listener {
  readonly partition: number
  /** The task does not need epochs that frames before this one closed. */
  readonly oldestNeeded: number
  readonly hasRoom: boolean
  /** True while the task only waits for facts of other tasks. */
  readonly isWaiting: boolean
  receive(record: ExchangeRecord): void
  /** Called when all available records were delivered, or a read failed. */
  wake(): void
}

/** Number of partitions that a starting task reads concurrently. */
const AT_ONCE_MAX = 8

type Limits = Pick<EngineLimits, 'readRecordsMax' | 'readBytesMax'>

/** Counts the tasks of a chain that run in one thread. */
export const membersOf = ({ partitions }: Pick<ExchangeDefinition, 'partitions'>): Members => new Members(new Int32Array(partitions))

/** Shared by all tasks of a chain in a thread. A task that joins receives first those of its records that others already received. */
export class ExchangeReader {
  readonly #log: Log
  readonly #definition: ExchangeDefinition
  readonly #limits: Limits
  readonly #listeners = new Set<Listener>()
  /** Listeners, including those that are joining. */
  #users = 0
  #unsubscribe: () => void = () => {}
  /** Next offset of each partition; all listeners have received the records before it. */
  #next: number[] = []
  #isGrown = true
  readonly #members: Members
  /** Tasks of other processes are told facts ahead of their commit. */
  readonly isTold: boolean
  #joining = 0
  /** Reads shared by tasks that join at the same time: at process start all need the same records. Empty while no task joins. */
  readonly #shared = new Map<string, Promise<unknown>>()
  #reading: Promise<void> | undefined
  #delivered = 0

  /** `members`: the running tasks of the process. `isTold`: tasks of other processes are told facts ahead of their commit. */
  constructor(log: Log, definition: ExchangeDefinition, limits: Limits, members = membersOf(definition), isTold = false) {
    this.#log = log
    this.#definition = definition
    this.#limits = limits
    this.#members = members
    this.isTold = isTold
  }
  /** False if tasks elsewhere wait for the commits of those here. */
  get isPrompt(): boolean {
    return this.isTold || this.#members.isWhole
  }
  /** Counts delivered records. */
  get delivered(): number {
    return this.#delivered
  }
  /** True if `read` has something to do. */
  get hasMore(): boolean {
    return this.#isGrown && this.#hasRoom()
  }
  /**
   * Delivers to a restored task the older records it may need, then all new ones. `from`: offset at which it continues in its own
   * partition. Records that are not committed yet are delivered once they are committed: this waits neither for other tasks nor for their
   * open transactions. A task that is stopped meanwhile does not join.
   */
  async join(listener: Listener, from: number, isStopped: () => boolean): Promise<void> {
    if (this.#users++ === 0) this.#begin()
    this.#joining++
    try {
      const at = await this.#starts(listener, from)
      while (!isStopped() && at.some((offset, partition) => offset < this.#nextOf(partition)))
        await this.#inParts(async (partition) => {
          at[partition] = await this.#deliver(listener, partition, at[partition] as number)
        })
      if (isStopped()) return
      this.#listeners.add(listener)
      this.#members.join(listener.partition)
    } finally {
      if (--this.#joining === 0) this.#shared.clear()
      if (!this.#listeners.has(listener)) this.#leaveOne()
    }
  }
  /** No effect for a task that did not join. */
  leave(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return
    this.#members.leave(listener.partition)
    this.#leaveOne()
    // The listener that left may have been the one without room.
    this.#readOn()
  }
  /** True if all records of a partition below `end` were delivered. */
  hasTold(partition: number, end: number): boolean {
    return this.#nextOf(partition) >= end
  }
  /** Resolves when all available records were delivered, as far as all listeners have room. */
  read(): Promise<void> {
    this.#reading ??= this.#readAll().then(
      () => this.#ended(),
      (failure: unknown) => {
        this.#reading = undefined
        throw failure
      },
    )
    return this.#reading
  }

  #begin(): void {
    const { topic, partitions } = this.#definition
    const next = (partition: number): number => Math.max(this.#log.start(topic, partition), this.#log.end(topic, partition))
    this.#next = Array.from({ length: partitions }, (_, partition) => next(partition))
    this.#isGrown = true
    this.#unsubscribe = this.#log.onCommit((topics) => {
      if (topics.has(topic.name)) this.#grown()
    })
  }
  #leaveOne(): void {
    if (--this.#users === 0) this.#unsubscribe()
  }
  #grown(): void {
    this.#isGrown = true
    this.#readOn()
  }
  /** Starts the next read for records that arrived while this one was ending. */
  #ended(): void {
    this.#reading = undefined
    this.#readOn()
  }
  /** Reads at once for waiting listeners; the others read between two frames. A failure recurs at the next read and is reported there. */
  #readOn(): void {
    const isDue = this.#reading === undefined && this.hasMore && [...this.#listeners].some(({ isWaiting }) => isWaiting)
    if (isDue) this.read().catch(() => {})
  }
  #hasRoom(): boolean {
    for (const { hasRoom } of this.#listeners) if (!hasRoom) return false
    return true
  }
  async #readAll(): Promise<void> {
    try {
      while (this.hasMore) {
        this.#isGrown = false
        await this.#inParts((partition) => this.#readPartition(partition))
      }
    } catch (failure) {
      this.#isGrown = true
      throw failure
    } finally {
      for (const listener of this.#listeners) if (listener.isWaiting) listener.wake()
    }
  }
  async #readPartition(partition: number): Promise<void> {
    const { topic } = this.#definition
    const from = this.#nextOf(partition)
    if (from >= this.#log.end(topic, partition)) return
    const records = await this.#records(partition, from)
    for (const record of records) {
      const parsed = readExchange(partition, record)
      for (const listener of this.#listeners) listener.receive(parsed)
      this.#delivered++
      this.#next[partition] = record.offset + 1
    }
    if (records.length > 0 && this.#nextOf(partition) < this.#log.end(topic, partition)) this.#isGrown = true
  }
  /** Delivers to one listener the records that all others already received; returns its next offset. */
  async #deliver(listener: Listener, partition: number, from: number): Promise<number> {
    // Other reads move the end meanwhile.
    const to = this.#nextOf(partition)
    if (from >= to) return from
    const read = async () => (await this.#records(partition, from)).map((record) => readExchange(partition, record))
    const records = (await this.#once(`${partition} from ${from} to ${to}`, read)).filter(({ record }) => record.offset < to)
    for (const parsed of records) listener.receive(parsed)
    this.#delivered += records.length
    const last = records.at(-1)
    return last === undefined ? to : last.record.offset + 1
  }
  async #starts({ partition: own, oldestNeeded }: Listener, from: number): Promise<number[]> {
    const { topic } = this.#definition
    const starts: number[] = []
    await this.#inParts(async (partition) => {
      const end = this.#nextOf(partition)
      starts[partition] =
        partition === own
          ? Math.max(from, this.#log.start(topic, partition))
          : await this.#once(`${partition} before ${end} for ${oldestNeeded}`, () =>
              findStart(this.#log, topic, partition, oldestNeeded, end),
            )
    })
    return starts
  }
  #once<Value>(what: string, ask: () => Promise<Value>): Promise<Value> {
    const asked = (this.#shared.get(what) as Promise<Value> | undefined) ?? ask()
    this.#shared.set(what, asked)
    return asked
  }
  /** Runs `step` for each partition, some at a time. */
  async #inParts(step: (partition: number) => Promise<void>): Promise<void> {
    const { partitions } = this.#definition
    for (let first = 0; first < partitions; first += AT_ONCE_MAX)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE_MAX, partitions - first) }, (_, n) => step(first + n)))
  }
  #records(partition: number, from: number): Promise<readonly LogRecord[]> {
    return this.#log.read(this.#definition.topic, partition, from, readLimitsOf(this.#limits))
  }
  #nextOf(partition: number): number {
    return this.#next[partition] as number
  }
}
