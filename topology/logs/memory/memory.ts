// The log in memory, for tests and replay. Simulates no disk, no delay, no failure and no second process: a commit is visible at once.
import { assert } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Commit, Log, LogRecord, ReadLimits, TaskOwner } from '../../ports/log.ts'
import { fenced, offsetExpired } from '../failures.ts'
import { assertId, assertPartition, checkCommit, type LogShape, partitionsOf, TOMBSTONE_RECORDS_KEPT } from '../limits.ts'
import { MemoryPartition } from './memory-partition.ts'

interface Ownership {
  epoch: number
  readonly inputs: Map<string, number>
}

class MemoryLog implements Log {
  readonly #shape: Required<LogShape>
  readonly #partitions = new Map<string, MemoryPartition>()
  readonly #owners = new Map<string, Ownership>()
  readonly #listeners = new Set<(topics: ReadonlySet<string>) => void>()
  #isClosed = false

  constructor(shape: Required<LogShape>) {
    this.#shape = shape
  }
  partitions(topic: Topic): number {
    return partitionsOf(topic, this.#shape.partitions)
  }
  async read(topic: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    this.#assertOpen()
    const from = this.#at(topic, partition)
    if (offset < from.start) throw offsetExpired(topic.name, partition, offset, from.start)
    return from.read(offset, limits)
  }
  start(topic: Topic, partition: number): number {
    return this.#at(topic, partition).start
  }
  end(topic: Topic, partition: number): number {
    return this.#at(topic, partition).end
  }
  tombstoneFloor(topic: Topic, partition: number): number {
    const { end } = this.#at(topic, partition)
    return topic.cleanup === 'compact' ? Math.max(0, end - this.#shape.tombstoneRecordsKept) : 0
  }
  async refresh(): Promise<void> {
    this.#assertOpen()
  }
  async own(id: string): Promise<TaskOwner> {
    this.#assertOpen()
    assertId(id)
    const ownership = this.#owners.get(id) ?? { epoch: 0, inputs: new Map<string, number>() }
    this.#owners.set(id, ownership)
    const epoch = ++ownership.epoch
    return {
      id,
      committed: () => new Map(ownership.inputs),
      commit: async (commit) => {
        this.#assertOpen()
        checkCommit(commit, this.#shape.partitions)
        if (ownership.epoch !== epoch) throw fenced(id)
        this.#apply(commit, ownership)
      },
      release: async () => {},
    }
  }
  async decidedEnd(topic: Topic, partition: number): Promise<number> {
    this.#assertOpen()
    return this.end(topic, partition)
  }
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  async trim(topic: Topic, partition: number, offset: number): Promise<void> {
    this.#assertOpen()
    this.#at(topic, partition).trim(offset)
  }
  async close(): Promise<void> {
    this.#isClosed = true
  }
  #apply({ outputs, inputs }: Commit, ownership: Ownership): void {
    const topics = new Set<string>()
    const touched = new Set<MemoryPartition>()
    for (const { topic, partition, key, value } of outputs) {
      const into = this.#at(topic, partition)
      into.append(key, value)
      topics.add(topic.name)
      touched.add(into)
    }
    for (const partition of touched) partition.settle()
    for (const [name, offset] of inputs) ownership.inputs.set(name, offset)
    for (const listener of this.#listeners) listener(topics)
  }
  #at(topic: Topic, partition: number): MemoryPartition {
    assertPartition(topic, partition, this.#shape.partitions)
    const name = `${topic.name}/${partition}`
    const known = this.#partitions.get(name)
    if (known !== undefined) return known
    const fresh = new MemoryPartition(topic.cleanup === 'compact', this.#shape.tombstoneRecordsKept)
    this.#partitions.set(name, fresh)
    return fresh
  }
  #assertOpen(): void {
    assert(!this.#isClosed, 'the log is closed')
  }
}

/** An empty log that exists only as long as the object. */
export const createMemoryLog = (shape: LogShape): Log => new MemoryLog({ tombstoneRecordsKept: TOMBSTONE_RECORDS_KEPT, ...shape })
