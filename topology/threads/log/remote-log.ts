// Proxy of a log in another thread, over a port. `start` and `end` are as of the last notification, which comes with every commit; it also
// reports what was trimmed since the previous one.
import type { MessagePort } from 'node:worker_threads'
import { type Remote, transfer, wrap } from 'comlink'
import { assert } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Commit, Log, LogRecord, ReadLimits, TaskOwner } from '../../ports/log.ts'
import { passFailures } from '../failures.ts'
import { memoryOf, pack, unpack } from './packed.ts'
import { type BoundsByTopic, isNewEnds, type LogHost, type PartitionBounds } from './wire.ts'

class RemoteLog implements Log {
  readonly #port: MessagePort
  readonly #host: Remote<LogHost>
  readonly #numbers: ReadonlyMap<string, number>
  readonly #bounds = new Map<string, PartitionBounds>()
  readonly #listeners = new Set<(topics: ReadonlySet<string>) => void>()
  readonly #committing = new Set<Promise<unknown>>()

  constructor(port: MessagePort, topics: readonly Topic[]) {
    this.#port = port
    this.#host = wrap<LogHost>(port)
    this.#numbers = new Map(topics.map(({ name }, number) => [name, number]))
    port.on('message', (message: unknown) => {
      if (isNewEnds(message)) this.#applyEnds(message.newEnds)
    })
  }
  partitions(topic: Topic): number {
    return this.#boundsOf(topic).ends.length
  }
  start(topic: Topic, partition: number): number {
    return at(this.#boundsOf(topic).starts, topic, partition)
  }
  end(topic: Topic, partition: number): number {
    return at(this.#boundsOf(topic).ends, topic, partition)
  }
  tombstoneFloor(topic: Topic, partition: number): number {
    return at(this.#boundsOf(topic).floors, topic, partition)
  }
  async read(topic: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    const packed = await this.#host.read(this.#numberOf(topic), partition, offset, limits)
    return unpack(packed, (offset, _, key, value) => {
      const fault = packed.faults.get(offset)
      return { offset, key, value, ...(fault !== undefined && { fault }) }
    })
  }
  async refresh(): Promise<void> {
    this.#take(await this.#host.refresh())
  }
  async own(id: string): Promise<TaskOwner> {
    const { number, committed, bounds } = await this.#host.own(id)
    this.#take(bounds)
    let newest = committed
    return {
      id,
      committed: () => newest,
      commit: (commit) =>
        this.#tracked(async () => {
          newest = await this.#commit(number, commit)
        }),
      release: () => this.#host.release(number),
    }
  }
  peek(id: string): Promise<ReadonlyMap<string, number>> {
    return this.#host.peek(id)
  }
  decidedEnd(topic: Topic, partition: number): Promise<number> {
    return this.#host.decidedEnd(this.#numberOf(topic), partition)
  }
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  async trim(topic: Topic, partition: number, offset: number): Promise<void> {
    this.#take(await this.#host.trim(this.#numberOf(topic), partition, offset))
  }
  /** Closes only this end: the log belongs to its own thread. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#committing)
    this.#port.close()
  }

  #commit(owner: number, { outputs, inputs }: Commit): Promise<ReadonlyMap<string, number>> {
    const packed = pack(outputs, ({ topic, partition }) => [this.#numberOf(topic), partition])
    return this.#host.commit(owner, transfer(packed, memoryOf(packed)), inputs)
  }
  #tracked(run: () => Promise<void>): Promise<void> {
    const running = run().finally(() => this.#committing.delete(running))
    this.#committing.add(running)
    return running
  }
  #applyEnds(newEnds: BoundsByTopic): void {
    this.#take(newEnds)
    const topics = new Set(newEnds.keys())
    for (const listener of this.#listeners) listener(topics)
  }
  #take(bounds: BoundsByTopic): void {
    for (const [name, known] of bounds) this.#bounds.set(name, known)
  }
  #boundsOf({ name }: Topic): PartitionBounds {
    const bounds = this.#bounds.get(name)
    assert(bounds !== undefined, `${name} is a topic of the log`)
    return bounds
  }
  #numberOf({ name }: Topic): number {
    const number = this.#numbers.get(name)
    assert(number !== undefined, `${name} is a topic of the log`)
    return number
  }
}

const at = (offsets: readonly number[], { name }: Topic, partition: number): number => {
  const offset = offsets[partition]
  assert(offset !== undefined, `${name}/${partition} is a partition of the log`)
  return offset
}

/** `port`: the other end of the port passed to `serveLog`, with the same topics. */
export const openRemoteLog = async (port: MessagePort, topics: readonly Topic[]): Promise<Log> => {
  passFailures()
  const log = new RemoteLog(port, topics)
  await log.refresh()
  return log
}
