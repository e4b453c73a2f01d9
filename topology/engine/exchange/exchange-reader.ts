// Reads the exchange of a chain for the tasks of a process: every partition once, each record decoded once and given to all of them.
import type { Log, LogRecord } from '../../ports/log.ts'
import type { EngineLimits } from '../limits.ts'
import type { ExchangeDefinition } from './exchange.ts'
import { type ExchangeRecord, readExchange } from './exchange-record.ts'
import { findStart } from './exchange-start.ts'

/** A task that is told what is read. */
export interface Listener {
  readonly partition: number
  /** Epochs closed by earlier frames are not asked for. */
  readonly oldestNeeded: number
  readonly hasRoom: boolean
  /** True while it does nothing but wait for what others tell. */
  readonly isWaiting: boolean
  hear(record: ExchangeRecord): void
  /** Called when all that there was has been given, or could not be read. */
  wake(): void
}

/** Partitions that a task which begins reads at once. */
const AT_ONCE_MAX = 8

type Limits = Pick<EngineLimits, 'readRecordsMax' | 'readBytesMax'>

/** One for all tasks of a chain in a process. A task that joins is first told what it needs of what the others have heard. */
export class ExchangeReader {
  readonly #log: Log
  readonly #definition: ExchangeDefinition
  readonly #limits: Limits
  readonly #listeners = new Set<Listener>()
  /** Listeners, and those that are about to join. */
  #users = 0
  #unsubscribe: () => void = () => {}
  /** Where each partition is read next; what is before was given to all listeners. */
  #next: number[] = []
  #isGrown = true
  #isWhole = false
  #joining = 0
  /** What tasks that join at the same time read: all of a process need the same at its start. Empty while nobody joins. */
  readonly #shared = new Map<string, Promise<unknown>>()
  #reading: Promise<void> | undefined
  #told = 0

  constructor(log: Log, definition: ExchangeDefinition, limits: Limits) {
    this.#log = log
    this.#definition = definition
    this.#limits = limits
  }
  /** True when every task of the chain is here: what they tell each other is handed over, and nobody elsewhere waits for it. */
  get isWhole(): boolean {
    return this.#isWhole
  }
  /** Grows with the records that are told. */
  get told(): number {
    return this.#told
  }
  /** True when `read` has something to do. */
  get hasMore(): boolean {
    return this.#isGrown && this.#hasRoom()
  }
  /**
   * Tells a task whose rows are put back what it may need, then all that is new. `from`: where it goes on in its own partition. What is
   * not visible yet is told when it is: nothing here waits for another task, nor for one's open transaction. One that is stopped
   * meanwhile does not join.
   */
  async join(listener: Listener, from: number, isStopped: () => boolean): Promise<void> {
    if (this.#users++ === 0) this.#begin()
    this.#joining++
    try {
      const at = await this.#starts(listener, from)
      while (!isStopped() && at.some((offset, partition) => offset < this.#nextOf(partition)))
        await this.#inParts(async (partition) => {
          at[partition] = await this.#tell(listener, partition, at[partition] as number)
        })
      if (isStopped()) return
      this.#listeners.add(listener)
      this.#count()
    } finally {
      if (--this.#joining === 0) this.#shared.clear()
      if (!this.#listeners.has(listener)) this.#leaveOne()
    }
  }
  /** Nothing for one that did not join. */
  leave(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return
    this.#count()
    this.#leaveOne()
    // It may have been the one without room.
    this.#readOn()
  }
  /** True when all that lies in a partition below `end` was told. */
  hasTold(partition: number, end: number): boolean {
    return this.#nextOf(partition) >= end
  }
  /** Resolves when what there is was told, as far as everybody has room for it. */
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
  #count(): void {
    const here = new Set([...this.#listeners].map(({ partition }) => partition))
    this.#isWhole = here.size === this.#definition.partitions
  }
  #leaveOne(): void {
    if (--this.#users === 0) this.#unsubscribe()
  }
  #grown(): void {
    this.#isGrown = true
    this.#readOn()
  }
  /** What grew while the read was ending was read by nobody. */
  #ended(): void {
    this.#reading = undefined
    this.#readOn()
  }
  /** Those that wait get it at once; others read on between two frames. What fails there is met again by whoever reads next. */
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
      const heard = readExchange(partition, record)
      for (const listener of this.#listeners) listener.hear(heard)
      this.#told++
      this.#next[partition] = record.offset + 1
    }
    if (records.length > 0 && this.#nextOf(partition) < this.#log.end(topic, partition)) this.#isGrown = true
  }
  /** Tells one listener what all others were told already; where it goes on. */
  async #tell(listener: Listener, partition: number, from: number): Promise<number> {
    // Others read on meanwhile.
    const to = this.#nextOf(partition)
    if (from >= to) return from
    const read = async () => (await this.#records(partition, from)).map((record) => readExchange(partition, record))
    const records = (await this.#once(`${partition} from ${from} to ${to}`, read)).filter(({ record }) => record.offset < to)
    for (const heard of records) listener.hear(heard)
    this.#told += records.length
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
  /** For each partition, some at a time. */
  async #inParts(step: (partition: number) => Promise<void>): Promise<void> {
    const { partitions } = this.#definition
    for (let first = 0; first < partitions; first += AT_ONCE_MAX)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE_MAX, partitions - first) }, (_, n) => step(first + n)))
  }
  #records(partition: number, from: number): Promise<readonly LogRecord[]> {
    const { readRecordsMax: recordsMax, readBytesMax: bytesMax } = this.#limits
    return this.#log.read(this.#definition.topic, partition, from, { recordsMax, bytesMax })
  }
  #nextOf(partition: number): number {
    return this.#next[partition] as number
  }
}
