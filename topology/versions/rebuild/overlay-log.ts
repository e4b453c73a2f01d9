// The log of a rebuild's tasks: their input comes from the real log; everything else they read or write is in a staging log.
import { assert } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Log, LogRecord, ReadLimits, TaskOwner } from '../../ports/log.ts'

/** Records of one topic of the real log, up to a fixed end. A later value may have later records too: see `OverlayLog.extend`. */
export interface FixedInput {
  readonly topic: Topic
  start(partition: number): number
  end(partition: number): number
  /** Number of records before an offset, for the progress. */
  position(offset: number): number
  /** Empty only at the end. */
  read(partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]>
}

/** Never trimmed; closing it has no effect: the staging log belongs to its creator. */
export class OverlayLog implements Log {
  #input: FixedInput
  readonly #scratch: Log
  /** Actual ends of the input: an end offset may lie beyond the last record. */
  readonly #ends = new Map<number, number>()
  readonly #read = new Map<number, number>()
  readonly #listeners = new Set<(topics: ReadonlySet<string>) => void>()

  constructor(input: FixedInput, scratch: Log) {
    this.#input = input
    this.#scratch = scratch
  }
  /** Share of the input that was read, 0 to 1. */
  get share(): number {
    let done = 0
    let all = 0
    for (const [partition, at] of this.#read) {
      const start = this.#input.position(this.#input.start(partition))
      done += this.#input.position(at) - start
      all += this.#input.position(this.#input.end(partition)) - start
    }
    return all === 0 ? 0 : Math.min(1, done / all)
  }
  /** Continues with an input of the same topic that has later records too. */
  extend(input: FixedInput): void {
    this.#input = input
    this.#ends.clear()
    this.#report()
  }
  partitions(topic: Topic): number {
    return this.#scratch.partitions(topic)
  }
  async read(topic: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    if (topic.name !== this.#input.topic.name) return this.#scratch.read(topic, partition, offset, limits)
    const records = await this.#input.read(partition, offset, limits)
    if (records.length === 0) this.#endAt(partition, offset)
    this.#read.set(partition, offset)
    return records
  }
  start(topic: Topic, partition: number): number {
    return topic.name === this.#input.topic.name ? this.#input.start(partition) : this.#scratch.start(topic, partition)
  }
  end(topic: Topic, partition: number): number {
    if (topic.name !== this.#input.topic.name) return this.#scratch.end(topic, partition)
    return this.#ends.get(partition) ?? this.#input.end(partition)
  }
  tombstoneFloor(topic: Topic, partition: number): number {
    return topic.name === this.#input.topic.name ? 0 : this.#scratch.tombstoneFloor(topic, partition)
  }
  refresh(): Promise<void> {
    return this.#scratch.refresh()
  }
  own(id: string): Promise<TaskOwner> {
    return this.#scratch.own(id)
  }
  decidedEnd(topic: Topic, partition: number): Promise<number> {
    if (topic.name === this.#input.topic.name) return Promise.resolve(this.end(topic, partition))
    return this.#scratch.decidedEnd(topic, partition)
  }
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void {
    const unsubscribe = this.#scratch.onCommit(listener)
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      unsubscribe()
    }
  }
  async trim(topic: Topic): Promise<void> {
    assert(false, `a rebuild never trims ${topic.name}`)
  }
  async close(): Promise<void> {}

  /** Reports the actual end like a commit, so that other threads learn it. */
  #endAt(partition: number, offset: number): void {
    if (this.end(this.#input.topic, partition) === offset) return
    this.#ends.set(partition, offset)
    this.#report()
  }
  #report(): void {
    for (const listener of this.#listeners) listener(new Set([this.#input.topic.name]))
  }
}
