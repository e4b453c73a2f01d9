// A transactional producer: records in order, then the end of the transaction that makes them visible.
//
// kafkajs' producer does the same with two more requests per transaction (to find the coordinator), a list copied for every record, and
// 300 ms of sleep when a takeover finds an open transaction. Any failure ends the producer: its owner takes over the id again, which aborts
// the open transaction and starts a new epoch. An end that arrives late, during a later transaction, is rejected because of its old epoch;
// without a new epoch, brokers of the older protocol would apply it to the later transaction.
import type { Broker, Cluster, Kafka } from 'kafkajs'
import { retry } from '../../../waiting/retry.ts'
import { createCluster } from '../client.ts'
import { isBusy, protocolError } from '../failures.ts'
import { grouped } from '../grouped.ts'
import { parsePartitionName } from '../reading/partition.ts'
import { leaderOf } from '../wire/fetch.ts'
import { sendRaw } from '../wire/raw-request.ts'
import { type Batch, bytesOf, type Outgoing, type ProducerName } from '../wire/record-batch.ts'
import { addPartitions, coordinatorOf, type TopicsOfTransaction } from './coordinator.ts'
import { type FormerParts, FormerTransactions } from './former-transactions.ts'
import { nameOf, openTransactions, type Placed, writeMarkers } from './markers.ts'
import { protocolOf, type TransactionProtocol } from './protocol.ts'

/** Writes under one id until a newer producer fences it; one transaction at a time. Do not use it after a failure. */
export interface Producer {
  /**
   * Writes all of `records` or nothing. `ending` is called right before the commit request: a failure before that leaves nothing behind,
   * after it the outcome is unknown.
   * @returns by `topicName/partition` the offset after the last record.
   */
  write(records: readonly Outgoing[], ending: () => void): Promise<ReadonlyMap<string, number>>
  /** Writes the markers of its earlier commits that a broker lost in these partitions, `topicName/partition`. */
  closeCommits(partitions: readonly string[]): Promise<void>
  disconnect(): Promise<void>
}

const BUSY_DELAYS = { firstMs: 2, maxMs: 50 }
const PRODUCE_MS_MAX = 30_000
const SEQUENCE_MAX = 0x7fffffff

/** Requests that kafkajs has but does not type. */
interface TransactionBroker extends Broker {
  readonly nodeId: number | string
  initProducerId(request: { readonly transactionalId: string; readonly transactionTimeout: number }): Promise<{
    readonly producerId: string
    readonly producerEpoch: number
  }>
}

/** Retries, at once and then with backoff, while the coordinator still completes the previous transaction. */
export const whenFree = <Value>(msMax: number, ask: () => Promise<Value>): Promise<Value> =>
  retry(ask, { ...BUSY_DELAYS, forMs: msMax, isPassing: isBusy })

/** A producer's name, and what is known of its coordinator. */
interface Opened {
  readonly nodeId: string
  readonly name: ProducerName
  readonly protocol: TransactionProtocol
}

export interface OpenParts extends FormerParts {
  readonly kafka: Kafka
  /** Connections to use; otherwise the producer has its own, for many commits. */
  readonly borrowed?: Cluster
}

export class TransactionalProducer implements Producer {
  readonly #cluster: Cluster
  readonly #coordinator: string
  readonly #protocol: TransactionProtocol
  /** The producer's name in the next transaction: its epoch may change with each. */
  #name: ProducerName
  readonly #parts: OpenParts
  /** Next sequence number of each partition, by name. */
  readonly #sequences = new Map<string, number>()

  private constructor(cluster: Cluster, { nodeId, name, protocol }: Opened, parts: OpenParts) {
    this.#cluster = cluster
    this.#coordinator = nodeId
    this.#protocol = protocol
    this.#name = name
    this.#parts = parts
  }
  /**
   * Fences every older producer of the id, and ends its transactions: none is open afterwards. Closes its connections if it fails.
   * @throws if one is open of which nobody knows how it ended
   */
  static async open(transactionalId: string, parts: OpenParts): Promise<TransactionalProducer> {
    const { kafka, topicNames, limits, borrowed } = parts
    const cluster = borrowed ?? createCluster(kafka)
    try {
      if (borrowed === undefined) await cluster.connect()
      await cluster.addMultipleTargetTopics([...topicNames])
      const coordinator = (await coordinatorOf(cluster, transactionalId)) as TransactionBroker
      const former = await FormerTransactions.read(cluster, coordinator, transactionalId, parts)
      await former.endOlder()
      const request = { transactionalId, transactionTimeout: limits.transactionMsMax }
      const { producerId, producerEpoch } = await whenFree(limits.commitMsMax, () => coordinator.initProducerId(request))
      const name = { transactionalId, producerId: BigInt(producerId), epoch: producerEpoch }
      const opened = { nodeId: String(coordinator.nodeId), name, protocol: await protocolOf(coordinator) }
      await former.endAll()
      return new TransactionalProducer(cluster, opened, parts)
    } catch (failure) {
      if (borrowed === undefined) await cluster.disconnect().catch(() => {})
      throw failure
    }
  }
  /** Its number and epoch, of the next transaction. */
  get name(): ProducerName {
    return this.#name
  }
  async write(records: readonly Outgoing[], ending: () => void): Promise<ReadonlyMap<string, number>> {
    const rounds = this.#roundsOf(records)
    const coordinator = await this.#broker(this.#coordinator)
    const added = this.#protocol.recordsAddPartitions ? [] : rounds.flat()
    if (added.length > 0) await this.#whenFree(() => addPartitions(coordinator, this.#name, topicsOf(added)))
    const ends = new Map<string, number>()
    for (const round of rounds) await this.#produce(round, ends)
    ending()
    this.#startNext(await this.#protocol.end(coordinator, this.#name, true))
    return ends
  }
  async closeCommits(partitions: readonly string[]): Promise<void> {
    const open = await openTransactions(this.#cluster, partitions.map(parsePartitionName), this.#name.producerId)
    if (open.length > 0) await writeMarkers(this.#cluster, this.#name.producerId, open, 'committed')
  }
  async disconnect(): Promise<void> {
    if (this.#parts.borrowed === undefined) await this.#cluster.disconnect()
  }

  #whenFree<Value>(ask: () => Promise<Value>): Promise<Value> {
    return whenFree(this.#parts.limits.commitMsMax, ask)
  }
  #startNext(name: ProducerName): void {
    if (name.epoch !== this.#name.epoch || name.producerId !== this.#name.producerId) this.#sequences.clear()
    this.#name = name
  }
  /** Splits records into successive requests: each has at most one batch per partition, of bounded size. */
  #roundsOf(records: readonly Outgoing[]): readonly (readonly Batch[])[] {
    const rounds: Batch[][] = []
    const newest = new Map<string, { round: number; records: Outgoing[]; bytes: number; sequence: number }>()
    for (const record of records) {
      const { topicName, partition } = record
      const name = nameOf(record)
      const bytes = bytesOf(record)
      const sequence = this.#sequences.get(name) ?? 0
      this.#sequences.set(name, sequence === SEQUENCE_MAX ? 0 : sequence + 1)
      let batch = newest.get(name)
      if (batch === undefined || batch.bytes + bytes > this.#parts.limits.sendBytesMax) {
        batch = { round: (batch?.round ?? -1) + 1, records: [], bytes: 0, sequence }
        newest.set(name, batch)
        const round = rounds[batch.round] ?? []
        rounds[batch.round] = round
        round.push(Object.assign(batch, { topicName, partition }))
      }
      batch.records.push(record)
      batch.bytes += bytes
    }
    return rounds
  }
  async #produce(round: readonly Batch[], ends: Map<string, number>): Promise<void> {
    const byLeader = grouped(round, (batch) => leaderOf(this.#cluster, batch))
    const produceTo = ([leader, batches]: readonly [string, readonly Batch[]]): Promise<void> => {
      const left = new Map(batches.map((batch) => [nameOf(batch), batch]))
      return this.#whenFree(() => this.#send(leader, left, ends))
    }
    await Promise.all([...byLeader].map(produceTo))
  }
  /** Removes from `left` what was written, so that a retry sends only the rest. @throws for a batch that the leader refuses */
  async #send(leader: string, left: Map<string, Batch>, ends: Map<string, number>): Promise<void> {
    const broker = await this.#broker(leader)
    const { api, encode, decode } = this.#protocol.produce
    const answer = await sendRaw(broker, api, encode(this.#name, [...left.values()], Date.now(), PRODUCE_MS_MAX))
    let refusal: Error | undefined
    for (const placed of decode(answer)) {
      const [name, { errorCode, firstOffset }] = [nameOf(placed), placed]
      if (errorCode === 0) ends.set(name, firstOffset + (left.get(name)?.records.length ?? 0))
      if (errorCode === 0) left.delete(name)
      else if (refusal === undefined || isBusy(refusal)) refusal = protocolError(errorCode, name)
    }
    if (refusal !== undefined) throw refusal
    if (left.size > 0) throw new Error(`broker ${leader} gave no answer for ${[...left.keys()].join(', ')}`)
  }
  async #broker(nodeId: string): Promise<TransactionBroker> {
    return (await this.#cluster.findBroker({ nodeId })) as TransactionBroker
  }
}

const topicsOf = (batches: readonly Placed[]): TopicsOfTransaction => {
  const topics = new Map<string, Set<number>>()
  for (const { topicName, partition } of batches) topics.set(topicName, (topics.get(topicName) ?? new Set()).add(partition))
  return [...topics].map(([topic, partitions]) => ({ topic, partitions: [...partitions] }))
}
