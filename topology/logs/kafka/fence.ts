// Taking an id over on the brokers: the newest producer of a transactional id fences the older ones and ends what they left open.
import type { Cluster, Kafka } from 'kafkajs'
import { ownerCodec } from '../../../schemas/codecs.ts'
import type { OwnerStanding } from '../../../schemas/types.ts'
import type { KafkaLimits } from './options.ts'
import type { Partition } from './partition.ts'
import { type Producer, TransactionalProducer } from './producer.ts'
import type { Outgoing } from './record-batch.ts'
import { readStanding } from './standing.ts'
import type { Wire } from './wire.ts'

export interface Fenced {
  readonly producer: Producer
  /** Decided for good: nobody else writes under the id while `producer` does. */
  readonly standing: OwnerStanding | undefined
}

/** The way to one id's transactions and to where it stands. */
export interface Fencing {
  /** Where the id stands as far as it is decided now; fences nobody. */
  look(): Promise<OwnerStanding | undefined>
  /** A producer that fences all others of the id, and where the id stands then. */
  take(): Promise<Fenced>
  /** The record that says where it stands. */
  record(standing: OwnerStanding): Outgoing
}

export interface FenceParts {
  readonly kafka: Kafka
  readonly cluster: Cluster
  readonly limits: KafkaLimits
  readonly transactionalId: string
  /** All topics that may be written. */
  readonly topicNames: readonly string[]
  readonly id: string
  /** Where standings of the id lie, and how. */
  readonly place: Partition
  readonly wire: Wire
}

export class Fence implements Fencing {
  readonly #parts: FenceParts

  constructor(parts: FenceParts) {
    this.#parts = parts
  }
  look(): Promise<OwnerStanding | undefined> {
    const { cluster, place, wire, id } = this.#parts
    return readStanding(cluster, place, wire, id)
  }
  async take(): Promise<Fenced> {
    const { kafka, transactionalId, topicNames, limits } = this.#parts
    const producer = await TransactionalProducer.open(kafka, transactionalId, topicNames, limits)
    try {
      return { producer, standing: await this.look() }
    } catch (failure) {
      await producer.disconnect().catch(() => {})
      throw failure
    }
  }
  record(standing: OwnerStanding): Outgoing {
    const { place, id, wire } = this.#parts
    const { topicName, partition } = place
    return { topicName, partition, key: Buffer.from(id), head: wire.head, value: ownerCodec.encode(standing) }
  }
}
