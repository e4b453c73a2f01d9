// Takes over an id on the brokers: the newest producer of a transactional id fences the older ones and ends their open transactions.
//
// An owner that shares its log's writer (writer.ts) commits under the writer's transactional id, and its checkpoint names that writer. Its
// own id then only marks who has taken it over last:
// 1. A taker opens a producer under the owner's id. This fences every other taker, and from now on the coordinator refuses to confirm the
//    id to an earlier one.
// 2. It opens a producer under the id of the writer that the checkpoint names. This ends that writer's open transaction, and the writer has
//    to open a producer again before it can write anything.
// 3. It reads the checkpoint, and writes its own generation under the owner's id.
// A writer that has opened a producer confirms each owner before it writes for it: the coordinator bumps the epoch of the owner's id only
// if nobody else has opened a producer under it. So, a transaction of the former writer that ends before step 2 is in the checkpoint that
// step 3 reads. One that ends after step 2 was begun by a producer opened after step 2, so that its owner was confirmed after step 1, which
// is refused. A taker that was overtaken fails in step 3.
//
// Brokers can lose the markers of a decided transaction. Seen with Kafka 4.3.1: a broker is killed after PrepareCommit and before the
// markers; on its next start the coordinator treats partitions without a leader as deleted, and writes CompleteCommit. The markers of the
// next transaction would complete the old one too, and a retried commit would be stored twice. So they are written again, with the decision
// of the coordinator (newest-transaction.ts). A taker that opens a producer under a writer's id does it in all partitions at once, because
// the id's other owners cannot learn the decision any more.
import type { Broker, Cluster } from 'kafkajs'
import { ownerCodec } from '../../../../schemas/codecs.ts'
import { assert } from '../../../../schemas/errors.ts'
import type { OwnerStanding } from '../../../../schemas/types.ts'
import { pause } from '../../../waiting/waiting.ts'
import { fenced } from '../../failures.ts'
import { isOldEpoch } from '../failures.ts'
import type { Partition } from '../reading/partition.ts'
import type { Wire } from '../registry/wire.ts'
import type { Outgoing, ProducerName } from '../wire/record-batch.ts'
import { readCheckpoint, type StoredCheckpoint } from './checkpoint.ts'
import { addPartitions, bumpEpoch, coordinatorOf } from './coordinator.ts'
import type { Decision } from './newest-transaction.ts'
import { type OpenParts, type Producer, TransactionalProducer, whenFree } from './producer.ts'
import { OLDER_PROTOCOL } from './protocol.ts'

export interface Fenced {
  readonly producer: Producer
  /** Cannot change any more: no other producer can write under the id. */
  readonly checkpoint: OwnerStanding | undefined
}

/** Access to the transactions and the checkpoint of one id. */
export interface Fencing {
  /** The id's committed checkpoint; fences no producer. */
  readCheckpoint(): Promise<OwnerStanding | undefined>
  /** Opens a producer, which fences all others of the id, and the writer that the id's owner shares; then reads the checkpoint. */
  fence(): Promise<Fenced>
  /**
   * For an owner whose commits `writer` will write: makes sure that nobody has begun to take over the id since `fence`, and returns the
   * checkpoint. @throws EngineError `fenced`, also if the log has a generation after `generation`, the owner's
   */
  confirm(writer: Producer, generation: number): Promise<OwnerStanding | undefined>
  /** The record that stores the checkpoint. */
  checkpointRecord(checkpoint: OwnerStanding): Outgoing
}

/** The writer that owners of this log share. */
export interface SharedWriter {
  /** Its transactional id without prefix. */
  readonly name: string
  /** Ends the owners of an id here; resolves when no commit of them is in flight. */
  drained(id: string): Promise<void>
  /**
   * Fences a former writer and completes its transactions. Takers that ask meanwhile share the next call.
   * @returns the producer that did it
   */
  end(transactionalId: string): Promise<TransactionalProducer>
}

export interface FenceParts extends OpenParts {
  readonly cluster: Cluster
  readonly prefix: string
  readonly id: string
  /** Partition and format of the id's checkpoints. */
  readonly topicPartition: Partition
  readonly wire: Wire
  readonly shared: SharedWriter
  /** Reports to the operator that markers were missing and have been written. */
  readonly notice: (message: string) => void
}

const POLL_MS = 20
/** Markers follow the end of a transaction within milliseconds. */
const MARKERS_MS_MAX = 1_000

export class Fence implements Fencing {
  readonly #parts: FenceParts
  readonly #transactionalId: string
  /** The producer of the last takeover, whose own transaction may bump its epoch, or its name as of the last confirmation. */
  #taker: { readonly name: ProducerName } | undefined
  /** True while a bump of the taker's epoch was requested and not answered. */
  #isBumpInDoubt = false

  constructor(parts: FenceParts) {
    this.#parts = parts
    this.#transactionalId = parts.prefix + parts.id
  }
  async readCheckpoint(): Promise<OwnerStanding | undefined> {
    return (await this.#read()).checkpoint
  }
  async fence(): Promise<Fenced> {
    const producer = await TransactionalProducer.open(this.#transactionalId, this.#parts)
    try {
      const taken = await this.#decided(producer)
      const writer = taken.checkpoint?.writer ?? null
      const { checkpoint, open } = writer === null ? taken : await this.#afterWriter(writer)
      if (open.size > 0) throw this.#stillOpen()
      this.#taker = producer
      this.#isBumpInDoubt = false
      return { producer, checkpoint }
    } catch (failure) {
      await producer.disconnect().catch(() => {})
      throw failure
    }
  }
  async confirm(writer: Producer, generation: number): Promise<OwnerStanding | undefined> {
    assert(writer instanceof TransactionalProducer, 'an owner is confirmed for a transactional producer')
    await this.#bumpEpoch(generation)
    const { checkpoint, open } = await this.#decided(writer)
    if (open.size > 0) throw this.#stillOpen()
    return checkpoint
  }
  checkpointRecord(checkpoint: OwnerStanding): Outgoing {
    const { topicPartition, id, wire } = this.#parts
    const { topicName, partition } = topicPartition
    return { topicName, partition, key: Buffer.from(id), head: wire.head, value: ownerCodec.encode(checkpoint) }
  }

  #read(): Promise<StoredCheckpoint> {
    const { cluster, topicPartition, wire, id } = this.#parts
    return readCheckpoint(cluster, topicPartition, wire, id)
  }
  #stillOpen(): Error {
    return new Error(`a transaction with the checkpoint of ${this.#transactionalId} is still open`)
  }
  async #bumpEpoch(generation: number): Promise<void> {
    const { cluster, limits, id } = this.#parts
    const taker = this.#taker
    assert(taker !== undefined, 'an owner is taken over before it is confirmed')
    const coordinator = await coordinatorOf(cluster, this.#transactionalId)
    const { checkpoint, open } = await this.#read()
    if ((checkpoint?.generation ?? 0) > generation) throw fenced(id)
    if (open.has(taker.name.producerId)) await this.#completeTake(coordinator, taker.name)
    try {
      this.#taker = { name: await whenFree(limits.commitMsMax, () => bumpEpoch(coordinator, taker.name, limits.transactionMsMax)) }
      this.#isBumpInDoubt = false
    } catch (failure) {
      if (isOldEpoch(failure) && !this.#isBumpInDoubt) throw fenced(id)
      if (isOldEpoch(failure)) return this.#openAgain()
      this.#isBumpInDoubt = true
      throw failure
    }
  }
  /** The broker acknowledged the transaction that wrote the owner's generation, and lost its markers. */
  async #completeTake(coordinator: Broker, name: ProducerName): Promise<void> {
    const { limits, topicPartition } = this.#parts
    const { topicName, partition } = topicPartition
    await whenFree(limits.commitMsMax, () => addPartitions(coordinator, name, [{ topic: topicName, partitions: [partition] }]))
    await OLDER_PROTOCOL.end(coordinator, name, true)
    await this.#until(({ open }) => !open.has(name.producerId), limits.commitMsMax)
  }
  /**
   * An earlier bump was perhaps applied, so that the coordinator does not know the taker's epoch any more. Takes the id over without a new
   * generation: nobody had written one, and a taker that has begun to fails in step 3.
   */
  async #openAgain(): Promise<void> {
    const producer = await TransactionalProducer.open(this.#transactionalId, this.#parts)
    this.#taker = producer
    this.#isBumpInDoubt = false
    try {
      await this.#decided(producer)
    } finally {
      await producer.disconnect().catch(() => {})
    }
  }
  /** The checkpoint after `writer` can commit nothing more for the id. */
  async #afterWriter(writer: string): Promise<StoredCheckpoint> {
    const { prefix, id, shared } = this.#parts
    if (writer === shared.name) {
      await shared.drained(id)
      const stored = await this.#until(({ open }) => open.size === 0, MARKERS_MS_MAX)
      if (stored.open.size === 0) return stored
    }
    return this.#closed(await shared.end(prefix + writer), await this.#read())
  }
  /**
   * The checkpoint after `producer` has fenced all others of its id. A transaction of that id is open then only if a broker lost its
   * markers: they are written again, by this process or by the one that knows the decision.
   */
  async #decided(producer: TransactionalProducer): Promise<StoredCheckpoint> {
    const first = await this.#read()
    const epoch = first.open.get(producer.name.producerId)
    if (epoch !== undefined && producer.decisionIn(this.#parts.topicPartition.name, epoch) !== undefined) await producer.complete()
    return this.#closed(producer, first)
  }
  /** The checkpoint once no transaction of older producers of the id is open, which `producer` has completed if it knows the decision. */
  async #closed(producer: TransactionalProducer, first: StoredCheckpoint): Promise<StoredCheckpoint> {
    const { producerId, transactionalId } = producer.name
    const epoch = first.open.get(producerId)
    if (epoch === undefined) return first
    const { limits, notice, topicPartition } = this.#parts
    const decision = producer.decisionIn(topicPartition.name, epoch)
    const stored = await this.#until(({ open }) => !open.has(producerId), limits.commitMsMax)
    if (stored.open.has(producerId)) throw this.#undecided(transactionalId, decision)
    if (decision !== undefined)
      notice(
        `a broker completed a transaction of ${transactionalId} without writing its markers: mintfold has written them, the transaction is ${decision}`,
      )
    return stored
  }
  #undecided(transactionalId: string, decision: Decision | undefined): Error {
    if (decision !== undefined)
      return new Error(`a transaction of ${transactionalId} is still open although its markers were written again`)
    const { name } = this.#parts.topicPartition
    return new Error(
      `a transaction of ${transactionalId} is still open in ${name}, and the brokers have forgotten whether it was committed: the process that ` +
        'has read it completes the transaction. If none is left, see "Restores" in deploy/README.md',
    )
  }
  /** The newest checkpoint that meets the condition, or after `msMax` any. */
  async #until(isMet: (stored: StoredCheckpoint) => boolean, msMax: number): Promise<StoredCheckpoint> {
    for (const until = performance.now() + msMax; ; await pause(POLL_MS)) {
      const stored = await this.#read()
      if (isMet(stored) || performance.now() >= until) return stored
    }
  }
}
