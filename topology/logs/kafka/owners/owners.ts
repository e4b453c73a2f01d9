// The owners of one log, with the writer that some of them share.
import { randomUUID } from 'node:crypto'
import type { Cluster, Kafka } from 'kafkajs'
import { repair } from '../client.ts'
import type { Partition } from '../reading/partition.ts'
import type { Wire } from '../registry/wire.ts'
import { SharedCalls } from '../shared-calls.ts'
import { readCheckpoint } from './checkpoint.ts'
import { Fence, type SharedWriter } from './fence.ts'
import { Memory } from './newest-transaction.ts'
import { OpenOwners } from './open-owners.ts'
import { KafkaOwner } from './owner.ts'
import { type OpenParts, TransactionalProducer } from './producer.ts'
import { Writer, type WriterParts } from './writer.ts'

export interface OwnersParts extends Omit<WriterParts, 'open' | 'repair'> {
  readonly kafka: Kafka
  readonly cluster: Cluster
  readonly prefix: string
  /** All topics that owners may write. */
  readonly topicNames: readonly string[]
  /** The partition with the checkpoints of an id. */
  readonly checkpointsOf: (id: string) => Partition
  /** Format of the checkpoints. */
  readonly wire: Wire
}

export class Owners {
  readonly #parts: OwnersParts
  readonly #open = new OpenOwners()
  /** Each opened log has its own. Under that id only takers of its owners open producers too, which write nothing but markers. */
  readonly #name = `writer-${randomUUID()}`
  readonly #writer: Writer
  readonly #memory = new Memory()
  readonly #ending = new SharedCalls((transactionalId) => this.#endWriter(transactionalId))

  constructor(parts: OwnersParts) {
    this.#parts = parts
    this.#writer = new Writer({
      ...parts,
      open: () => TransactionalProducer.open(parts.prefix + this.#name, this.#openParts),
      repair: () => repair(parts.cluster),
    })
  }
  /** Takes over an id. `isShared`: its commits may share transactions with those of others. */
  async take(id: string, isShared: boolean): Promise<KafkaOwner> {
    const { cluster, prefix, wire, checkpointsOf } = this.#parts
    const topicPartition = checkpointsOf(id)
    const shared = { name: this.#name, writer: this.#writer }
    const drained = (ended: string) => this.#writer.drained(ended)
    const end: SharedWriter['end'] = (transactionalId) => this.#ending.of(transactionalId)
    const opening = isShared ? { ...this.#borrowing, partition: topicPartition } : this.#openParts
    const places = { ...opening, cluster, prefix, wire, id, topicPartition }
    const fence = new Fence({ ...places, shared: { name: this.#name, drained, end } })
    const taking = { ...this.#parts, fence, repair: () => repair(cluster) }
    const owner = await KafkaOwner.take(id, isShared ? { ...taking, shared } : taking)
    this.#open.add(owner)
    return owner
  }
  /** Input offsets of the newest checkpoint of an id, whose owner goes on. */
  async peek(id: string): Promise<ReadonlyMap<string, number>> {
    const { cluster, wire, brokerRetries, limits, checkpointsOf } = this.#parts
    const read = () => readCheckpoint(cluster, checkpointsOf(id), wire, id)
    const { checkpoint } = await brokerRetries.untilDone(`the checkpoint of ${id}`, limits.awayMsMax, read, () => repair(cluster))
    return new Map(checkpoint?.inputs.map(({ name, offset }) => [name, offset]))
  }
  release(owner: KafkaOwner): Promise<void> {
    return this.#open.release(owner)
  }
  /** Resolves when the commits in flight have ended. */
  async close(): Promise<void> {
    await this.#open.close()
    await this.#writer.close()
  }

  get #openParts(): OpenParts {
    const { kafka, topicNames, limits, brokerRetries } = this.#parts
    return { kafka, topicNames, limits, memory: this.#memory, notice: brokerRetries.notice }
  }
  /** For producers of a few requests: of a process with many tasks, each would connect to all brokers. */
  get #borrowing(): OpenParts {
    return { ...this.#openParts, borrowed: this.#parts.cluster }
  }
  async #endWriter(transactionalId: string): Promise<void> {
    await TransactionalProducer.open(transactionalId, this.#borrowing)
  }
}
