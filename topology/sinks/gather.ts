// Fills batches from the log: reads the partitions round robin until the batch is full or nothing is left.
import type { ChainDefinition } from '../../processors/chains/chain.ts'
import { hasCode } from '../../schemas/errors.ts'
import type { HistoryTables } from '../history/rows/history-tables.ts'
import { RowBatch, type TableRows } from '../history/rows/row-batch.ts'
import type { Log, LogRecord } from '../ports/log.ts'
import type { SinkLimits } from './limits.ts'
import type { Loss } from './lost-rows.ts'
import { consumersOf, type PartitionConsumer, type SinkTopics } from './partition-consumer.ts'
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
  /** Retention deleted these records before they were in the history. Resolves once the loss is stored, or when the sink stops. */
  readonly records: (loss: Loss) => Promise<void>
  /** A rollback is deeper than the log's retention: rows of the oldest orphaned frames are not deleted. */
  readonly deadFrames: (name: string, offset: number) => void
}

export class Gatherer {
  readonly #log: Log
  readonly #tables: HistoryTables
  readonly #limits: SinkLimits
  readonly #losses: Losses
  readonly #consumers: readonly PartitionConsumer[]
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
    this.#consumers = consumersOf(log, topics, committed, chain)
    this.#marks = new WatermarkReader(log, topics.progress)
    this.#upTo = upTo
  }
  /** True when nothing is left to read. */
  get isAtEnd(): boolean {
    return this.#consumers.every(({ topic, partition, batched }) => batched >= this.#log.end(topic, partition))
  }
  /** The available records, up to a batch. No record is taken twice; the rollback of a fork may continue in the next load. */
  async next(isStopping: () => boolean): Promise<Load> {
    this.#mark ??= await this.#marks.take(this.#consumers)
    const batch = new RowBatch(this.#tables)
    while (!this.#isFull(batch) && !isStopping()) if ((await this.#round(batch)) === 0) break
    const { rows } = batch
    const isFull = this.#isFull(batch)
    const offsets = new Map(this.#consumers.map(({ name, committable }) => [name, committable]))
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
    for (const consumer of this.#consumers) {
      if (consumer.isRollingBack) await this.#rollBack(consumer, batch)
      for (const record of await this.#read(consumer)) {
        if (this.#isFull(batch)) return taken
        consumer.take(record, batch)
        taken++
        if (consumer.isRollingBack) await this.#rollBack(consumer, batch)
        await this.#yieldToEventLoop()
      }
    }
    return taken
  }
  /** Rolls back until done or the batch is full: then the next batch continues. */
  async #rollBack(consumer: PartitionConsumer, batch: RowBatch): Promise<void> {
    while (consumer.isRollingBack && !this.#isFull(batch)) {
      if (!(await consumer.rollBack(batch))) this.#losses.deadFrames(consumer.name, consumer.offset - 1)
      await this.#yieldToEventLoop()
    }
  }
  async #read(consumer: PartitionConsumer): Promise<readonly LogRecord[]> {
    const { topic, partition } = consumer
    if (consumer.offset >= this.#log.end(topic, partition)) return []
    const { readRecordsMax: recordsMax, readBytesMax: bytesMax } = this.#limits
    try {
      return await this.#log.read(topic, partition, consumer.offset, { recordsMax, bytesMax })
    } catch (failure) {
      if (!hasCode(failure, 'offset_expired')) throw failure
      const start = this.#log.start(topic, partition)
      await this.#losses.records({ topic, partition, from: consumer.offset, to: start })
      consumer.offset = start
      consumer.committable = start
      return this.#read(consumer)
    }
  }
  #isFull(batch: RowBatch): boolean {
    const { batchRowsMax, batchBytesMax, batchDaysMax } = this.#limits
    return batch.rows >= batchRowsMax || batch.bytes >= batchBytesMax || batch.days >= batchDaysMax
  }
  /** Yields if the time budget since the last yield is used up. */
  async #yieldToEventLoop(): Promise<void> {
    if (performance.now() - this.#sliceAt < this.#limits.sliceMs) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.#sliceAt = performance.now()
  }
}
