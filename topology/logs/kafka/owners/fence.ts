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
import type { Cluster } from 'kafkajs'
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
import { bumpEpoch, coordinatorOf } from './coordinator.ts'
import { openTransactions, writeMarkers } from './markers.ts'
import { type OpenParts, type Producer, TransactionalProducer, whenFree } from './producer.ts'

export interface Fenced {
  readonly producer: Producer
  /** Cannot change any more: no other producer can write under the id. */
  readonly checkpoint: OwnerStanding | undefined
}

/** Access to the transactions and the checkpoint of one id. */
export interface Fencing {
  /** The id's committed checkpoint; fences no producer. */
  readCheckpoint(): Promise<OwnerStanding | undefined>
  /**
   * Opens a producer, which fences all others of the id, and the writer that the id's owner shares; then reads the checkpoint. Calls
   * `advanced` after each of these steps.
   */
  fence(advanced?: () => void): Promise<Fenced>
  /**
   * For an owner whose commits its writer will write: makes sure that nobody has begun to take over the id since `fence`, and returns the
   * checkpoint. Call it when the writer's producer is open. @throws EngineError `fenced`, also if the log has a generation after
   * `generation`, the owner's
   */
  confirm(generation: number): Promise<OwnerStanding | undefined>
  /** The record that stores the checkpoint. */
  checkpointRecord(checkpoint: OwnerStanding): Outgoing
}

/** The writer that owners of this log share. */
export interface SharedWriter {
  /** Its transactional id without prefix. */
  readonly name: string
  /** Ends the owners of an id here; resolves when no commit of them is in flight. */
  drained(id: string): Promise<void>
  /** Fences a former writer and ends its transactions. Takers that ask meanwhile share the next call. */
  end(transactionalId: string): Promise<void>
}

export interface FenceParts extends OpenParts {
  readonly cluster: Cluster
  readonly prefix: string
  readonly id: string
  /** Partition and format of the id's checkpoints. */
  readonly topicPartition: Partition
  readonly wire: Wire
  readonly shared: SharedWriter
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
  async fence(advanced: () => void = () => {}): Promise<Fenced> {
    const producer = await TransactionalProducer.open(this.#transactionalId, this.#parts)
    try {
      advanced()
      const taken = await this.#read()
      advanced()
      const writer = taken.checkpoint?.writer ?? null
      const { checkpoint, open } = writer === null ? taken : await this.#afterWriter(writer)
      advanced()
      if (open.size > 0) throw this.#stillOpen()
      this.#taker = producer
      this.#isBumpInDoubt = false
      return { producer, checkpoint }
    } catch (failure) {
      await producer.disconnect().catch(() => {})
      throw failure
    }
  }
  async confirm(generation: number): Promise<OwnerStanding | undefined> {
    await this.#bumpEpoch(generation)
    const { checkpoint, open } = await this.#read()
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
    if (open.has(taker.name.producerId)) await this.#closeTake(taker.name.producerId)
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
  async #closeTake(producerId: bigint): Promise<void> {
    const { cluster, topicPartition } = this.#parts
    await writeMarkers(cluster, producerId, await openTransactions(cluster, [topicPartition], producerId), 'committed')
  }
  /**
   * An earlier bump was perhaps applied, so that the coordinator does not know the taker's epoch any more. Takes the id over without a new
   * generation: nobody had written one, and a taker that has begun to fails in step 3.
   */
  async #openAgain(): Promise<void> {
    const producer = await TransactionalProducer.open(this.#transactionalId, this.#parts)
    this.#taker = producer
    this.#isBumpInDoubt = false
    await producer.disconnect().catch(() => {})
  }
  /** The checkpoint after `writer` can commit nothing more for the id. */
  async #afterWriter(writer: string): Promise<StoredCheckpoint> {
    const { prefix, id, shared } = this.#parts
    if (writer === shared.name) {
      await shared.drained(id)
      const stored = await this.#until(({ open }) => open.size === 0, MARKERS_MS_MAX)
      if (stored.open.size === 0) return stored
    }
    await shared.end(prefix + writer)
    return this.#read()
  }
  /** The newest checkpoint that meets the condition, or after `msMax` any. */
  async #until(isMet: (stored: StoredCheckpoint) => boolean, msMax: number): Promise<StoredCheckpoint> {
    for (const until = performance.now() + msMax; ; await pause(POLL_MS)) {
      const stored = await this.#read()
      if (isMet(stored) || performance.now() >= until) return stored
    }
  }
}
