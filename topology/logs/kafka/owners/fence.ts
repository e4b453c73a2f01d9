// Takes over an id on the brokers: the newest producer of a transactional id fences the older ones and ends their open transactions.
import type { Cluster, Kafka } from 'kafkajs'
import { ownerCodec } from '../../../../schemas/codecs.ts'
import type { OwnerStanding } from '../../../../schemas/types.ts'
import { pause } from '../../../waiting/waiting.ts'
import type { KafkaLimits } from '../options.ts'
import type { Partition } from '../reading/partition.ts'
import type { Wire } from '../registry/wire.ts'
import type { Outgoing } from '../wire/record-batch.ts'
import { readCheckpoint, type StoredCheckpoint } from './checkpoint.ts'
import { type Producer, TransactionalProducer } from './producer.ts'

export interface Fenced {
  readonly producer: Producer
  /** Cannot change any more: no other producer can write under the id. */
  readonly checkpoint: OwnerStanding | undefined
}

/** Access to the transactions and the checkpoint of one id. */
export interface Fencing {
  /** The id's committed checkpoint; fences no producer. */
  readCheckpoint(): Promise<OwnerStanding | undefined>
  /** Opens a producer, which fences all others of the id, then reads the checkpoint. */
  fence(): Promise<Fenced>
  /** The record that stores the checkpoint. */
  checkpointRecord(checkpoint: OwnerStanding): Outgoing
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
  readonly topicPartition: Partition
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
  async readCheckpoint(): Promise<OwnerStanding | undefined> {
    return (await this.#read()).checkpoint
  }
  async fence(): Promise<Fenced> {
    const { kafka, transactionalId, topicNames, limits } = this.#parts
    const producer = await TransactionalProducer.open(kafka, transactionalId, topicNames, limits)
    try {
      return { producer, checkpoint: await this.#checkpointAfterFencing(producer) }
    } catch (failure) {
      await producer.disconnect().catch(() => {})
      throw failure
    }
  }
  #read(): Promise<StoredCheckpoint> {
    const { cluster, topicPartition, wire, id } = this.#parts
    return readCheckpoint(cluster, topicPartition, wire, id)
  }
  /**
   * The checkpoint after `producer` has fenced all others. A transaction of the id is open then only if a broker lost its markers. mintfold
   * writes them again: otherwise the markers of the next transaction would complete the old one too, and a retried commit would be stored
   * twice. Seen with Kafka 4.3.1: a broker is killed after PrepareCommit and before the markers; on its next start the coordinator treats
   * partitions without a leader as deleted, and writes CompleteCommit.
   */
  async #checkpointAfterFencing(producer: TransactionalProducer): Promise<OwnerStanding | undefined> {
    const first = await this.#read()
    if (!first.isOpen) return first.checkpoint
    const { limits, notice, transactionalId } = this.#parts
    const how = await producer.rewriteMarkers()
    notice(
      `a broker completed a transaction of ${transactionalId} without writing its markers: mintfold has written them, the transaction is ${how}`,
    )
    for (const until = performance.now() + limits.commitMsMax; ; await pause(POLL_MS)) {
      const { checkpoint, isOpen } = await this.#read()
      if (!isOpen) return checkpoint
      if (performance.now() >= until)
        throw new Error(`a transaction of ${transactionalId} is still open although its markers were written again`)
    }
  }
  checkpointRecord(checkpoint: OwnerStanding): Outgoing {
    const { topicPartition, id, wire } = this.#parts
    const { topicName, partition } = topicPartition
    return { topicName, partition, key: Buffer.from(id), head: wire.head, value: ownerCodec.encode(checkpoint) }
  }
}
