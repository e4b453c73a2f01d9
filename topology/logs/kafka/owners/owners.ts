// The owners of one log, with the writer that some of them share.
import { randomUUID } from 'node:crypto'
import type { Cluster, Kafka } from 'kafkajs'
import { repair } from '../client.ts'
import type { Partition } from '../reading/partition.ts'
import type { Wire } from '../registry/wire.ts'
import { Fence, type SharedWriter } from './fence.ts'
import { Memory } from './newest-transaction.ts'
import { OpenOwners } from './open-owners.ts'
import { KafkaOwner } from './owner.ts'
import { type OpenParts, type Producer, TransactionalProducer } from './producer.ts'
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
  /** Each opened log has its own. Under that id only takers of its owners open producers too, which write nothing but markers. */
  readonly #name = `writer-${randomUUID()}`
  readonly #writer: Writer
  readonly #memory = new Memory()
  /** By transactional id: when the newest work on it has ended. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(parts: OwnersParts) {
    this.#parts = parts
    this.#writer = new Writer({ ...parts, open: () => this.#openWriter(), repair: () => repair(parts.cluster) })
  }
  /** Takes over an id, whose checkpoints are in the partition. `isShared`: its commits may share transactions with those of others. */
  async take(id: string, topicPartition: Partition, isShared: boolean): Promise<KafkaOwner> {
    const { cluster, prefix, wire, brokerRetries } = this.#parts
    const shared = { name: this.#name, writer: this.#writer }
    const drained = (ended: string) => this.#writer.drained(ended)
    const alone: SharedWriter['alone'] = (transactionalId, work) => this.#alone(transactionalId, work)
    const places = { ...this.#openParts, cluster, prefix, wire, id, topicPartition, notice: brokerRetries.notice }
    const fence = new Fence({ ...places, shared: { name: this.#name, drained, alone } })
    const taking = { ...this.#parts, fence, repair: () => repair(cluster) }
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

  get #openParts(): OpenParts {
    const { kafka, topicNames, limits } = this.#parts
    return { kafka, topicNames, limits, memory: this.#memory }
  }
  /** Completes what the producer before left open, which nobody else may know how to. */
  async #openWriter(): Promise<Producer> {
    const producer = await TransactionalProducer.open(this.#parts.prefix + this.#name, this.#openParts)
    try {
      await producer.complete()
      return producer
    } catch (failure) {
      await producer.disconnect().catch(() => {})
      throw failure
    }
  }
  #alone<Value>(transactionalId: string, work: () => Promise<Value>): Promise<Value> {
    const turn = (this.#turns.get(transactionalId) ?? Promise.resolve()).then(work)
    const ended = turn
      .catch(() => {})
      .then(() => {
        if (this.#turns.get(transactionalId) === ended) this.#turns.delete(transactionalId)
      })
    this.#turns.set(transactionalId, ended)
    return turn
  }
}
