// Watermarks of the history: a time that all folds have passed, and the ends of the topics read after that.
import type { Topics } from '../../schemas/topics.ts'
import type { Log, LogRecord } from '../ports/log.ts'
import { progressIn } from '../records/progress-in.ts'
import type { PartitionConsumer } from './partition-consumer.ts'

/** Every record caused by ticks up to `time` (unix s) is below `ends`. */
export interface Watermark {
  readonly time: number
  readonly ends: ReadonlyMap<PartitionConsumer, number>
}

const LIMITS = { recordsMax: 1_000, bytesMax: 1024 * 1024 }

/** Reads the progress of the folds. */
export class WatermarkReader {
  readonly #log: Log
  readonly #topic: Topics['progress']
  /** By partition; undefined until it was read. */
  readonly #offsets: (number | undefined)[]
  /** By partition and task: newest folded tick, unix s. */
  readonly #times: Map<string, number>[]

  constructor(log: Log, topic: Topics['progress']) {
    this.#log = log
    this.#topic = topic
    const partitions = Array.from({ length: log.partitions(topic) }, (_, partition) => partition)
    this.#offsets = partitions.map(() => undefined)
    this.#times = partitions.map(() => new Map())
  }
  /** The current watermark; null while a fold has not reported progress. */
  async take(consumers: readonly PartitionConsumer[]): Promise<Watermark | null> {
    for (const partition of this.#offsets.keys()) await this.#read(partition)
    if (this.#times.some((tasks) => tasks.size === 0)) return null
    const time = Math.min(...this.#times.flatMap((tasks) => [...tasks.values()]))
    return { time, ends: new Map(consumers.map((consumer) => [consumer, this.#log.end(consumer.topic, consumer.partition)])) }
  }

  async #read(partition: number): Promise<void> {
    this.#offsets[partition] ??= await this.#begin(partition)
    for (let offset = this.#offsets[partition]; ; this.#offsets[partition] = offset) {
      const records = await this.#log.read(this.#topic, partition, offset, LIMITS)
      const last = records.at(-1)
      if (last === undefined) return
      this.#put(partition, records)
      offset = last.offset + 1
    }
  }
  /** Reads a local copy of the partition's beginning, if the log has one. Returns the offset at which the log continues. */
  async #begin(partition: number): Promise<number> {
    const beginning = await this.#log.beginning?.(this.#topic, partition)
    for await (const records of beginning?.batches() ?? []) this.#put(partition, records)
    return beginning?.next ?? this.#log.start(this.#topic, partition)
  }
  #put(partition: number, records: readonly LogRecord[]): void {
    for (const record of records) {
      const progress = progressIn(record)
      if (progress !== undefined) this.#times[partition]?.set(progress.task, progress.time)
    }
  }
}

/** True once all records below the ends are read. */
export const hasReached = (watermark: Watermark): boolean => [...watermark.ends].every(([consumer, end]) => consumer.batched >= end)
