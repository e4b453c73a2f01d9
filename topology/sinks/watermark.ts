// Watermarks of the history: a time that all folds have passed, and the ends of the topics read after that.
import { progressCodec } from '../../schemas/codecs.ts'
import type { Topics } from '../../schemas/topics.ts'
import type { Log } from '../ports/log.ts'
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
  readonly #offsets: number[]
  /** By partition and task: newest folded tick, unix s. */
  readonly #times: Map<string, number>[]

  constructor(log: Log, topic: Topics['progress']) {
    this.#log = log
    this.#topic = topic
    const partitions = Array.from({ length: log.partitions(topic) }, (_, partition) => partition)
    this.#offsets = partitions.map((partition) => log.start(topic, partition))
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
    for (;;) {
      const records = await this.#log.read(this.#topic, partition, this.#offsets[partition] ?? 0, LIMITS)
      const last = records.at(-1)
      if (last === undefined) return
      for (const { value } of records) {
        const read = value === null ? undefined : progressCodec.decode(value)
        if (read?.ok === true) this.#times[partition]?.set(read.value.task, read.value.time)
      }
      this.#offsets[partition] = last.offset + 1
    }
  }
}

/** True once all records below the ends are read. */
export const hasReached = (watermark: Watermark): boolean => [...watermark.ends].every(([consumer, end]) => consumer.batched >= end)
