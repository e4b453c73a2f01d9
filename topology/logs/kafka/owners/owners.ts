// The owners of one log, with the writer that some of them share.
import { randomUUID } from 'node:crypto'
import type { Cluster, Kafka } from 'kafkajs'
import { repair } from '../client.ts'
import type { Partition } from '../reading/partition.ts'
import type { Wire } from '../registry/wire.ts'
import { Fence } from './fence.ts'
import { OpenOwners } from './open-owners.ts'
import { KafkaOwner } from './owner.ts'
import { TransactionalProducer } from './producer.ts'
import { Writer, type WriterParts } from './writer.ts'

export interface OwnersParts extends Omit<WriterParts, 'open' | 'repair'> {
  readonly kafka: Kafka
  readonly cluster: Cluster
  readonly prefix: string
  /** All topics that owners may write. */
  readonly topicNames: readonly string[]
  /** Format of the checkpoints. */
  readonly wire: Wire
}

export class Owners {
  readonly #parts: OwnersParts
  readonly #open = new OpenOwners()
  /** Each opened log has its own: it is never opened again, so that what it left open has no other owner. */
  readonly #name = `writer-${randomUUID()}`
  readonly #writer: Writer

  constructor(parts: OwnersParts) {
    this.#parts = parts
    const { kafka, cluster, prefix, topicNames, limits } = parts
    this.#writer = new Writer({
      ...parts,
      open: () => TransactionalProducer.open(kafka, prefix + this.#name, topicNames, limits),
      repair: () => repair(cluster),
    })
  }
  /** Takes over an id, whose checkpoints are in the partition. `isShared`: its commits may share transactions with those of others. */
  async take(id: string, topicPartition: Partition, isShared: boolean): Promise<KafkaOwner> {
    const { kafka, cluster, prefix, topicNames, wire, ...parts } = this.#parts
    const shared = { name: this.#name, writer: this.#writer }
    const { notice } = parts.brokerRetries
    const drained = (ended: string) => this.#writer.drained(ended)
    const places = { kafka, cluster, prefix, topicNames, wire, limits: parts.limits }
    const fence = new Fence({ ...places, id, topicPartition, notice, shared: { name: this.#name, drained } })
    const taking = { ...parts, fence, repair: () => repair(cluster) }
    const owner = await KafkaOwner.take(id, isShared ? { ...taking, shared } : taking)
    this.#open.add(owner)
    return owner
  }
  release(owner: KafkaOwner): Promise<void> {
    return this.#open.release(owner)
  }
  /** Resolves when the commits in flight have ended. */
  async close(): Promise<void> {
    await this.#open.close()
    await this.#writer.close()
  }
}
