// Taking an id over on the brokers: the newest producer of a transactional id fences the older ones and ends what they left open.
import type { Cluster, Kafka } from 'kafkajs'
import { ownerCodec } from '../../../../schemas/codecs.ts'
import type { OwnerStanding } from '../../../../schemas/types.ts'
import { pause } from '../../../waiting/waiting.ts'
import type { KafkaLimits } from '../options.ts'
import type { Partition } from '../reading/partition.ts'
import type { Wire } from '../registry/wire.ts'
import type { Outgoing } from '../wire/record-batch.ts'
import { type Producer, TransactionalProducer } from './producer.ts'
import { readStanding, type Stand } from './standing.ts'

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
  /** Tells the operator that markers were missing and are written now. */
  readonly notice: (message: string) => void
}

const POLL_MS = 20

export class Fence implements Fencing {
  readonly #parts: FenceParts

  constructor(parts: FenceParts) {
    this.#parts = parts
  }
  async look(): Promise<OwnerStanding | undefined> {
    return (await this.#read()).standing
  }
  async take(): Promise<Fenced> {
    const { kafka, transactionalId, topicNames, limits } = this.#parts
    const producer = await TransactionalProducer.open(kafka, transactionalId, topicNames, limits)
    try {
      return { producer, standing: await this.#decided(producer) }
    } catch (failure) {
      await producer.disconnect().catch(() => {})
      throw failure
    }
  }
  #read(): Promise<Stand> {
    const { cluster, place, wire, id } = this.#parts
    return readStanding(cluster, place, wire, id)
  }
  /**
   * Where the id stands now that `producer` alone writes under it. No transaction of the id can be open then, unless a broker lost its
   * markers. The markers of the next transaction would close it too, and a commit that is retried would be there twice. Seen with Kafka
   * 4.3.1: a broker is killed after PrepareCommit and before the markers; on its next start the coordinator takes partitions without a
   * leader for deleted ones, and writes CompleteCommit.
   */
  async #decided(producer: TransactionalProducer): Promise<OwnerStanding | undefined> {
    const first = await this.#read()
    if (!first.isOpen) return first.standing
    const { limits, notice, transactionalId } = this.#parts
    const how = await producer.rewriteMarkers()
    notice(`a broker completed a transaction of ${transactionalId} without its markers: they are written now, it is ${how}`)
    for (const until = performance.now() + limits.commitMsMax; ; await pause(POLL_MS)) {
      const { standing, isOpen } = await this.#read()
      if (!isOpen) return standing
      if (performance.now() >= until)
        throw new Error(`a transaction of ${transactionalId} stays open, though its markers were written again`)
    }
  }
  record(standing: OwnerStanding): Outgoing {
    const { place, id, wire } = this.#parts
    const { topicName, partition } = place
    return { topicName, partition, key: Buffer.from(id), head: wire.head, value: ownerCodec.encode(standing) }
  }
}
