// Takes over an id on the brokers: the newest producer of a transactional id fences the older ones and ends their open transactions.
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
  /** Final: no other producer writes under the id while `producer` does. */
  readonly standing: OwnerStanding | undefined
}

/** Access to the transactions and the checkpoint of one id. */
export interface Fencing {
  /** The id's committed checkpoint; fences no producer. */
  look(): Promise<OwnerStanding | undefined>
  /** A producer that fences all others of the id, and the checkpoint after that. */
  take(): Promise<Fenced>
  /** The record that stores the checkpoint. */
  record(standing: OwnerStanding): Outgoing
}

export interface FenceParts {
  readonly kafka: Kafka
  readonly cluster: Cluster
  readonly limits: KafkaLimits
  readonly transactionalId: string
  /** All topics that the owner may write. */
  readonly topicNames: readonly string[]
  readonly id: string
  /** Partition and format of the id's checkpoints. */
  readonly place: Partition
  readonly wire: Wire
  /** Reports to the operator that markers were missing and have been written. */
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
   * The checkpoint now that `producer` alone writes under the id. No transaction of the id can be open then, unless a broker lost its
   * markers. The markers of the next transaction would complete it as well, and a retried commit would be stored twice. Seen with Kafka
   * 4.3.1: a broker is killed after PrepareCommit and before the markers; on its next start the coordinator treats partitions without a
   * leader as deleted, and writes CompleteCommit.
   */
  async #decided(producer: TransactionalProducer): Promise<OwnerStanding | undefined> {
    const first = await this.#read()
    if (!first.isOpen) return first.standing
    const { limits, notice, transactionalId } = this.#parts
    const how = await producer.rewriteMarkers()
    notice(
      `a broker completed a transaction of ${transactionalId} without writing its markers: mintfold has written them, the transaction is ${how}`,
    )
    for (const until = performance.now() + limits.commitMsMax; ; await pause(POLL_MS)) {
      const { standing, isOpen } = await this.#read()
      if (!isOpen) return standing
      if (performance.now() >= until)
        throw new Error(`a transaction of ${transactionalId} is still open although its markers were written again`)
    }
  }
  record(standing: OwnerStanding): Outgoing {
    const { place, id, wire } = this.#parts
    const { topicName, partition } = place
    return { topicName, partition, key: Buffer.from(id), head: wire.head, value: ownerCodec.encode(standing) }
  }
}
