// Detects whether a frozen process left a transaction open, from outside: in the partitions that every commit of a fold writes to.
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from 'kafkajs'
import { createClient, createCluster } from '../../topology/logs/kafka/client.ts'
import { type Fetched, type FetchLimits, fetchOne, READ_UNCOMMITTED } from '../../topology/logs/kafka/wire/fetch.ts'
import { TOPICS } from '../fixtures/topics.ts'
import type { SharedKafka } from '../services/shared.ts'

/** Commits of running processes take much less. */
const OPEN_MS = 300

export class OpenTransactions {
  readonly #cluster: Cluster
  readonly #topicName: string
  readonly #partitions: number

  private constructor(cluster: Cluster, topicName: string, partitions: number) {
    this.#cluster = cluster
    this.#topicName = topicName
    this.#partitions = partitions
  }
  static async open({ brokers }: SharedKafka, prefix: string, partitions: number): Promise<OpenTransactions> {
    const cluster = createCluster(createClient({ brokers: brokers.split(','), security: { tls: false, sasl: null } }))
    const topicName = `${prefix}${TOPICS.progress.name}`
    await cluster.connect()
    await cluster.addTargetTopic(topicName)
    return new OpenTransactions(cluster, topicName, partitions)
  }
  /** Whether a partition has the same transaction open for this time. */
  async isAnyLeft(): Promise<boolean> {
    const before = await this.#ends()
    await pause(OPEN_MS)
    const after = await this.#ends()
    return after.some(
      ({ lastStableOffset, highWatermark }, at) => highWatermark > lastStableOffset && lastStableOffset === before[at]?.lastStableOffset,
    )
  }
  async close(): Promise<void> {
    await this.#cluster.disconnect()
  }

  #ends(): Promise<readonly Fetched[]> {
    const partitions = Array.from({ length: this.#partitions }, (_, partition) => {
      const name = `${this.#topicName}/${partition}`
      return { topic: TOPICS.progress, topicName: this.#topicName, partition, name }
    })
    const limits: FetchLimits = { waitMs: 0, bytesMax: 1, isolation: READ_UNCOMMITTED }
    return Promise.all(partitions.map((place) => fetchOne(this.#cluster, { topicPartition: place, from: 0, bytesMax: 1 }, limits)))
  }
}
