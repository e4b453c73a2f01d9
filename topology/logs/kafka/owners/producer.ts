// The right to write under a transactional id, and its transactions: records in their order, then the end that makes them count.
//
// kafkajs' producer does the same with two questions more a transaction (who coordinates it), a list copied for every record, and 300 ms
// of sleep where a takeover finds a transaction open. Whatever fails here ends the producer: its owner takes the id anew, which aborts
// what is open and brings a new epoch. An end that the network delivers late, in the midst of a later transaction, is refused by its old
// epoch; brokers of any version would take it for that transaction's, because the requests of kafkajs are of the older protocol.
import type { Broker, Cluster, Kafka } from 'kafkajs'
import { retry } from '../../../waiting/retry.ts'
import { createCluster } from '../client.ts'
import { isBusy, protocolError } from '../failures.ts'
import { grouped } from '../grouped.ts'
import type { KafkaLimits } from '../options.ts'
import { leaderOf } from '../wire/fetch.ts'
import { sendRaw } from '../wire/raw-request.ts'
import { type Batch, bytesOf, decodeProduced, encodeProduce, type Outgoing, PRODUCE, type ProducerName } from '../wire/record-batch.ts'
import { addPartitions, isLastCommitted, type TopicsOfTransaction, type TransactionName } from './coordinator.ts'

/** Writes under one id while nobody newer does; one transaction at a time. Not to be used again after a failure. */
export interface Producer {
  /**
   * All of `records` or nothing. `ending` is called when the end is about to be asked for: a failure before that leaves nothing behind,
   * one after it an outcome that is not known.
   * @returns by `topicName/partition` the offset after the last record.
   */
  write(records: readonly Outgoing[], ending: () => void): Promise<ReadonlyMap<string, number>>
  disconnect(): Promise<void>
}

const BUSY_DELAYS = { firstMs: 2, maxMs: 50 }
const PRODUCE_MS_MAX = 30_000
const TRANSACTION_COORDINATOR = 1
const SEQUENCE_MAX = 0x7fffffff

/** Requests that kafkajs has and its types leave out. */
interface TransactionBroker extends Broker {
  readonly nodeId: number | string
  initProducerId(request: { readonly transactionalId: string; readonly transactionTimeout: number }): Promise<{
    readonly producerId: string
    readonly producerEpoch: number
  }>
  endTxn(request: TransactionName & { readonly transactionResult: boolean }): Promise<unknown>
}

/** Tries again, at once and then less and less soon, while the coordinator still ends the transaction before. */
const whenFree = <Value>(msMax: number, ask: () => Promise<Value>): Promise<Value> =>
  retry(ask, { ...BUSY_DELAYS, forMs: msMax, isPassing: isBusy })

/** The transaction before, and the topics that it may have written. */
interface Former {
  readonly isCommitted: boolean
  readonly topicNames: readonly string[]
}

export class TransactionalProducer implements Producer {
  readonly #cluster: Cluster
  readonly #coordinator: string
  readonly #name: ProducerName
  readonly #limits: KafkaLimits
  readonly #former: Former
  /** Number of the next record of each partition, by name. */
  readonly #sequences = new Map<string, number>()

  private constructor(cluster: Cluster, coordinator: string, name: ProducerName, limits: KafkaLimits, former: Former) {
    this.#cluster = cluster
    this.#coordinator = coordinator
    this.#name = name
    this.#limits = limits
    this.#former = former
  }
  /** Fences every older producer of the id, and ends what it left open. Leaves no connection behind when it fails. */
  static async open(
    kafka: Kafka,
    transactionalId: string,
    topicNames: readonly string[],
    limits: KafkaLimits,
  ): Promise<TransactionalProducer> {
    const cluster = createCluster(kafka)
    try {
      await cluster.connect()
      await cluster.addMultipleTargetTopics([...topicNames])
      const whose = { groupId: transactionalId, coordinatorType: TRANSACTION_COORDINATOR }
      const coordinator = (await cluster.findGroupCoordinator(whose)) as TransactionBroker
      // Before the id is taken, which makes the coordinator forget it.
      const isCommitted = await isLastCommitted(coordinator, transactionalId)
      const request = { transactionalId, transactionTimeout: limits.transactionMsMax }
      const { producerId, producerEpoch } = await whenFree(limits.commitMsMax, () => coordinator.initProducerId(request))
      const name = { transactionalId, producerId: BigInt(producerId), epoch: producerEpoch }
      return new TransactionalProducer(cluster, String(coordinator.nodeId), name, limits, { isCommitted, topicNames })
    } catch (failure) {
      await cluster.disconnect().catch(() => {})
      throw failure
    }
  }
  async write(records: readonly Outgoing[], ending: () => void): Promise<ReadonlyMap<string, number>> {
    const rounds = this.#roundsOf(records)
    const coordinator = await this.#broker(this.#coordinator)
    await this.#begin(coordinator, topicsOf(rounds.flat()))
    const ends = new Map<string, number>()
    for (const round of rounds) await this.#produce(round, ends)
    ending()
    await coordinator.endTxn({ ...this.#transaction, transactionResult: true })
    return ends
  }
  /**
   * Completes the id's former transaction once more, the way its coordinator decided: an empty transaction over every partition that it may
   * have written, whose markers close what a broker left open. They are written soon after. Harmless where nothing is open.
   */
  async rewriteMarkers(): Promise<'committed' | 'aborted'> {
    const { isCommitted, topicNames } = this.#former
    const coordinator = await this.#broker(this.#coordinator)
    const partitionsOf = (topic: string) => this.#cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId)
    const topics = topicNames.map((topic) => ({ topic, partitions: partitionsOf(topic) }))
    await this.#begin(coordinator, topics)
    await coordinator.endTxn({ ...this.#transaction, transactionResult: isCommitted })
    return isCommitted ? 'committed' : 'aborted'
  }
  disconnect(): Promise<void> {
    return this.#cluster.disconnect()
  }

  get #transaction(): TransactionName {
    const { transactionalId, producerId, epoch } = this.#name
    return { transactionalId, producerId: String(producerId), producerEpoch: epoch }
  }
  async #begin(coordinator: TransactionBroker, topics: TopicsOfTransaction): Promise<void> {
    await whenFree(this.#limits.commitMsMax, () => addPartitions(coordinator, this.#transaction, topics))
  }
  /** Requests that follow each other: a partition has one batch in each, of a bounded size. */
  #roundsOf(records: readonly Outgoing[]): readonly (readonly Batch[])[] {
    const rounds: Batch[][] = []
    const newest = new Map<string, { round: number; records: Outgoing[]; bytes: number; sequence: number }>()
    for (const record of records) {
      const { topicName, partition } = record
      const name = `${topicName}/${partition}`
      const bytes = bytesOf(record)
      const sequence = this.#sequences.get(name) ?? 0
      this.#sequences.set(name, sequence === SEQUENCE_MAX ? 0 : sequence + 1)
      let batch = newest.get(name)
      if (batch === undefined || batch.bytes + bytes > this.#limits.sendBytesMax) {
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
    await Promise.all([...byLeader].map(([leader, batches]) => this.#send(leader, batches, ends)))
  }
  async #send(leader: string, batches: readonly Batch[], ends: Map<string, number>): Promise<void> {
    const broker = await this.#broker(leader)
    const buffer = encodeProduce(this.#name, batches, Date.now(), PRODUCE_MS_MAX)
    const payload = await sendRaw(broker, PRODUCE, buffer)
    const sizes = new Map(batches.map(({ topicName, partition, records }) => [`${topicName}/${partition}`, records.length]))
    for (const { topicName, partition, errorCode, firstOffset } of decodeProduced(payload)) {
      const name = `${topicName}/${partition}`
      if (errorCode !== 0) throw protocolError(errorCode, name)
      ends.set(name, firstOffset + (sizes.get(name) ?? 0))
    }
  }
  async #broker(nodeId: string): Promise<TransactionBroker> {
    return (await this.#cluster.findBroker({ nodeId })) as TransactionBroker
  }
}

const topicsOf = (batches: readonly Batch[]): { topic: string; partitions: number[] }[] => {
  const topics = new Map<string, Set<number>>()
  for (const { topicName, partition } of batches) topics.set(topicName, (topics.get(topicName) ?? new Set()).add(partition))
  return [...topics].map(([topic, partitions]) => ({ topic, partitions: [...partitions] }))
}
