// Fills batches from the log: reads the partitions round robin until the batch is full or nothing is left.
import type { ChainDefinition } from '../../processors/chains/chain.ts'
import { hasCode } from '../../schemas/errors.ts'
import type { HistoryTables } from '../history/rows/history-tables.ts'
import { RowBatch, type TableRows } from '../history/rows/row-batch.ts'
import type { Log, LogRecord } from '../ports/log.ts'
import { type Follower, followAll, type SinkTopics } from './follow.ts'
import type { SinkLimits } from './limits.ts'
import type { Loss } from './lost-rows.ts'
import { hasReached, type Watermark, WatermarkReader } from './watermark.ts'

interface GatherOptions {
  readonly chain: ChainDefinition
  readonly log: Log
  readonly topics: SinkTopics
  readonly tables: HistoryTables
  readonly limits: SinkLimits
}

/** A batch with the offsets that it covers. */
export interface Load {
  readonly tables: readonly TableRows[]
  readonly rows: number
  /** The batch was full before the log ended. */
  readonly isFull: boolean
  /** Offsets to commit once the rows are written. */
  readonly offsets: ReadonlyMap<string, number>
  /** Newest tick (unix s) up to which all rows are then written; null if unchanged. */
  readonly upTo: number | null
}

/** Callbacks for records that the log no longer has when they are needed. */
export interface Losses {
  /** Retention deleted these records before they were in the history. Resolves once that is stored, or when the sink stops. */
  readonly records: (loss: Loss) => Promise<void>
  /** A rollback is deeper than the log's retention: rows of the oldest orphaned frames are not deleted. */
  readonly deadFrames: (name: string, offset: number) => void
}

export class Gatherer {
  readonly #log: Log
  readonly #tables: HistoryTables
  readonly #limits: SinkLimits
  readonly #losses: Losses
  readonly #followers: readonly Follower[]
  readonly #marks: WatermarkReader
  #mark: Watermark | null = null
  #upTo: number | null
  #sliceAt = 0

  constructor(
    { chain, log, topics, tables, limits }: GatherOptions,
    committed: ReadonlyMap<string, number>,
    upTo: number | null,
    losses: Losses,
  ) {
    this.#log = log
    this.#tables = tables
    this.#limits = limits
    this.#losses = losses
    this.#followers = followAll(log, topics, committed, chain)
    this.#marks = new WatermarkReader(log, topics.progress)
    this.#upTo = upTo
  }
  /** True when nothing is left to read. */
  get isAtEnd(): boolean {
    return this.#followers.every(({ topic, partition, told }) => told >= this.#log.end(topic, partition))
  }
  /** The available records, up to a batch. Each record is in one load. */
  async next(isStopping: () => boolean): Promise<Load> {
    this.#mark ??= await this.#marks.take(this.#followers)
    const batch = new RowBatch(this.#tables)
    while (!this.#isFull(batch) && !isStopping()) if ((await this.#round(batch)) === 0) break
    const { rows } = batch
    const isFull = this.#isFull(batch)
    const offsets = new Map(this.#followers.map(({ name, settled }) => [name, settled]))
    return { tables: batch.take(), rows, isFull, offsets, upTo: this.#reached() }
  }

  #reached(): number | null {
    const mark = this.#mark
    if (mark === null || !hasReached(mark)) return null
    this.#mark = null
    if (this.#upTo !== null && mark.time <= this.#upTo) return null
    this.#upTo = mark.time
    return mark.time
  }
  /** Reads each partition once; returns the number of records taken. */
  async #round(batch: RowBatch): Promise<number> {
    let taken = 0
    for (const follower of this.#followers) {
      if (follower.isTakingBack) await this.#rollBack(follower, batch)
      for (const record of await this.#read(follower)) {
        if (this.#isFull(batch)) return taken
        follower.take(record, batch)
        taken++
        if (follower.isTakingBack) await this.#rollBack(follower, batch)
        await this.#yieldToEventLoop()
      }
    }
    return taken
  }
  /** Rolls back until done or the batch is full: then the next batch continues. */
  async #rollBack(follower: Follower, batch: RowBatch): Promise<void> {
    while (follower.isTakingBack && !this.#isFull(batch)) {
      if (!(await follower.rollBack(batch))) this.#losses.deadFrames(follower.name, follower.offset - 1)
      await this.#yieldToEventLoop()
    }
  }
  async #read(follower: Follower): Promise<readonly LogRecord[]> {
    const { topic, partition } = follower
    if (follower.offset >= this.#log.end(topic, partition)) return []
    const { readRecordsMax: recordsMax, readBytesMax: bytesMax } = this.#limits
    try {
      return await this.#log.read(topic, partition, follower.offset, { recordsMax, bytesMax })
    } catch (failure) {
      if (!hasCode(failure, 'offset_expired')) throw failure
      const start = this.#log.start(topic, partition)
      await this.#losses.records({ topic, partition, from: follower.offset, to: start })
      follower.offset = start
      follower.settled = start
      return this.#read(follower)
    }
  }
  #isFull(batch: RowBatch): boolean {
    const { batchRowsMax, batchBytesMax, batchDaysMax } = this.#limits
    return batch.rows >= batchRowsMax || batch.bytes >= batchBytesMax || batch.days >= batchDaysMax
  }
  /** Yields to the event loop. */
  async #yieldToEventLoop(): Promise<void> {
    if (performance.now() - this.#sliceAt < this.#limits.sliceMs) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.#sliceAt = performance.now()
  }
}
