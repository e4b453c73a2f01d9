// A log that keeps a record until its first read, and drops those of partitions that nobody has read yet (a real log has them on disk):
// all memory held is then the view's. As in a Kafka fetch, all values of a commit share one buffer.
import type { Topic } from '../../../schemas/topics.ts'
import type { Log, LogRecord, OutRecord, TaskOwner } from '../../../topology/ports/log.ts'

interface Passing {
  end: number
  records: LogRecord[]
}

const nameOf = (topic: Topic, partition: number): string => `${topic.name}/${partition}`

export class PassingLog implements Log {
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
