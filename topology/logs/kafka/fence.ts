// Taking an id over on the brokers: the newest producer of a transactional id fences the older ones and ends what they left open.
import type { Cluster, Kafka, Producer } from 'kafkajs'
import { ownerCodec } from '../../../schemas/codecs.ts'
import type { OwnerStanding } from '../../../schemas/types.ts'
import { createProducer } from './client.ts'
import type { KafkaLimits } from './options.ts'
import type { Partition } from './partition.ts'
import { readStanding } from './standing.ts'
import type { Outgoing } from './transaction.ts'
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

export class Fence implements Fencing {
  readonly #kafka: Kafka
  readonly #cluster: Cluster
  readonly #wire: Wire
  readonly #limits: KafkaLimits
  readonly #transactionalId: string
  readonly #place: Partition
  readonly #id: string

  constructor(kafka: Kafka, cluster: Cluster, wire: Wire, limits: KafkaLimits, transactionalId: string, place: Partition, id: string) {
    this.#kafka = kafka
    this.#cluster = cluster
    this.#wire = wire
    this.#limits = limits
    this.#transactionalId = transactionalId
    this.#place = place
    this.#id = id
  }
  look(): Promise<OwnerStanding | undefined> {
    return readStanding(this.#cluster, this.#place, this.#wire, this.#id)
  }
  /** kafkajs asks for its producer id, which is what fences, with its first transaction only. */
  async take(): Promise<Fenced> {
    const producer = createProducer(this.#kafka, this.#transactionalId, this.#limits)
    try {
      await producer.connect()
      const transaction = await producer.transaction()
      await transaction.abort()
      return { producer, standing: await this.look() }
    } catch (failure) {
      await producer.disconnect().catch(() => {})
      throw failure
    }
  }
  record(standing: OwnerStanding): Outgoing {
    const { topicName, partition } = this.#place
    return { topicName, partition, key: Buffer.from(this.#id), value: this.#wire.wrap(ownerCodec.encode(standing)) }
  }
}
