// A transactional writer that never takes over its id again after a failure, as clients of both transaction protocols may: an EndTxn whose
// response is lost is sent again, and a transaction whose write fails is aborted and written again.
import type { Broker, Cluster, Kafka } from 'kafkajs'
import { createCluster } from '../../topology/logs/kafka/client.ts'
import { isBusy, protocolError } from '../../topology/logs/kafka/failures.ts'
import { addPartitions } from '../../topology/logs/kafka/owners/coordinator.ts'
import type { TransactionProtocol } from '../../topology/logs/kafka/owners/protocol.ts'
import { leaderOf } from '../../topology/logs/kafka/wire/fetch.ts'
import { sendRaw } from '../../topology/logs/kafka/wire/raw-request.ts'
import { bytesOf, type Outgoing, type ProducerName } from '../../topology/logs/kafka/wire/record-batch.ts'
import { retry } from '../../topology/waiting/retry.ts'

interface Coordinator extends Broker {
  initProducerId(request: object): Promise<{ readonly producerId: string; readonly producerEpoch: number }>
}
const TRIES_MAX = 100
const RETRY_MS = 10
const PRODUCE_MS_MAX = 10_000

export class SameEpochWriter {
  readonly #cluster: Cluster
  readonly #transactionalId: string
  readonly #protocol: TransactionProtocol
  #name!: ProducerName
  readonly #sequences = new Map<number, number>()

  constructor(kafka: Kafka, transactionalId: string, protocol: TransactionProtocol) {
    this.#cluster = createCluster(kafka)
    this.#transactionalId = transactionalId
    this.#protocol = protocol
  }
  async open(topicName: string): Promise<void> {
    await this.#cluster.connect()
    await this.#cluster.addMultipleTargetTopics([topicName])
    const request = { transactionalId: this.#transactionalId, transactionTimeout: 30_000 }
    const { producerId, producerEpoch } = await tried(async () => (await this.#coordinator()).initProducerId(request))
    this.#name = { transactionalId: this.#transactionalId, producerId: BigInt(producerId), epoch: producerEpoch }
  }
  /** All of `records`, one to a partition and each in its own request; then the EndTxn. */
  async write(records: readonly Outgoing[]): Promise<void> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const topics = [{ topic: records[0]?.topicName ?? '', partitions: records.map(({ partition }) => partition) }]
      if (!this.#protocol.recordsAddPartitions) await tried(async () => addPartitions(await this.#coordinator(), this.#name, topics))
      try {
        for (const record of records) await tried(() => this.#produce(record), isBusy)
      } catch {
        await this.#end(false)
        continue
      }
      return this.#end(true)
    }
  }
  close(): Promise<void> {
    return this.#cluster.disconnect()
  }

  async #produce(record: Outgoing): Promise<void> {
    const { topicName, partition } = record
    const sequence = this.#sequences.get(partition) ?? 0
    const batch = { topicName, partition, records: [record], bytes: bytesOf(record), sequence }
    const broker = await this.#cluster.findBroker({ nodeId: leaderOf(this.#cluster, record) })
    const { api, encode, decode } = this.#protocol.produce
    const answer = await sendRaw(broker, api, encode(this.#name, [batch], Date.now(), PRODUCE_MS_MAX))
    for (const { errorCode } of decode(answer)) if (errorCode !== 0) throw protocolError(errorCode, topicName)
    this.#sequences.set(partition, sequence + 1)
  }
  /** A broker that has ended it already refuses: then it was ended by the first request. */
  async #end(isCommitted: boolean): Promise<void> {
    const end = async (): Promise<ProducerName> => this.#protocol.end(await this.#coordinator(), this.#name, isCommitted)
    const next = await tried(end).catch((failure: { readonly type?: string }) => {
      if (failure.type !== 'INVALID_TXN_STATE') throw failure
      return this.#name
    })
    if (next.epoch !== this.#name.epoch) this.#sequences.clear()
    this.#name = next
  }
  async #coordinator(): Promise<Coordinator> {
    const whose = { groupId: this.#transactionalId, coordinatorType: 1 }
    return (await this.#cluster.findGroupCoordinator(whose)) as Coordinator
  }
}

const isPassing = (failure: unknown): boolean => {
  const { retriable, type } = failure as { readonly retriable?: boolean; readonly type?: string }
  return type !== 'INVALID_TXN_STATE' && retriable !== false
}
/** Retries while the coordinator is busy, or when the connection was cut. */
const tried = <Value>(ask: () => Promise<Value>, isRetried = isPassing): Promise<Value> =>
  retry(ask, { firstMs: RETRY_MS, triesMax: TRIES_MAX, isPassing: isRetried })
