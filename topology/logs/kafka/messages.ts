// Messages between the processes of a log: records of one partition, written without transactions and read once the broker shows them.
// Whatever fails is dropped: what messages say is also committed, so that they save time, and are never needed.
import type { Broker, Cluster } from 'kafkajs'
import { asBuffer } from '../../../schemas/bytes.ts'
import type { Messages } from '../../ports/log.ts'
import { pause } from '../../waiting/waiting.ts'
import type { BrokerRetries } from './broker-retries.ts'
import { repair } from './client.ts'
import { isOutOfRange, protocolError } from './failures.ts'
import type { KafkaLimits } from './options.ts'
import type { Partition } from './reading/partition.ts'
import type { Wire } from './registry/wire.ts'
import { nextOffset } from './wire/committed.ts'
import { fetchFrom, fetchHighWatermark, leaderOf, READ_UNCOMMITTED } from './wire/fetch.ts'
import { limited } from './wire/limited.ts'
import { PRODUCE } from './wire/produce.ts'
import { sendRaw } from './wire/raw-request.ts'
import { bytesOf, NO_PRODUCER, NO_SEQUENCE, type Outgoing } from './wire/record-batch.ts'

/** Requests in flight: a message need not wait for the answer to the one before. */
const SENDS_MAX = 4
const SEND_MS_MAX = 5_000
const BACK_OFF_MS = 100

type Receive = Parameters<Messages['listen']>[0]

export interface MessageParts {
  /** For what is sent, and for long-polling fetches: a held answer blocks other requests of its connection. */
  readonly clusters: { readonly send: Cluster; readonly receive: Cluster }
  readonly partition: Partition
  readonly wire: Wire
  readonly brokerRetries: BrokerRetries
  readonly limits: KafkaLimits
}

export class KafkaMessages implements Messages {
  readonly #parts: MessageParts
  readonly #listeners: Receive[] = []
  readonly #connected = new Set<Cluster>()
  #waiting: Outgoing[] = []
  #waitingBytes = 0
  #sends = 0
  #isDue = false
  #hearing: Promise<void> | undefined

  constructor(parts: MessageParts) {
    this.#parts = parts
  }
  send(key: Buffer, value: Uint8Array): void {
    const { partition, wire, limits } = this.#parts
    const message = { topicName: partition.topicName, partition: partition.partition, key, head: wire.head, value }
    const bytes = bytesOf(message)
    if (this.#waitingBytes + bytes > limits.messageBytesMax) return
    this.#waiting.push(message)
    this.#waitingBytes += bytes
    this.#sendSoon()
  }
  listen(receive: Receive): void {
    this.#listeners.push(receive)
    this.#hearing ??= this.#hear()
  }
  /** Resolves when no request is in flight. Call it when the connections are closed. */
  async stop(): Promise<void> {
    await this.#hearing
  }

  /** What tasks send in one turn of the event loop shares a request. */
  #sendSoon(): void {
    if (this.#isDue || this.#sends >= SENDS_MAX || this.#waiting.length === 0) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      void this.#sendAll()
    })
  }
  async #sendAll(): Promise<void> {
    const { clusters, partition, brokerRetries } = this.#parts
    const { topicName, partition: number } = partition
    const batch = { topicName, partition: number, records: this.#waiting, bytes: this.#waitingBytes, sequence: NO_SEQUENCE }
    if (brokerRetries.isClosing) return
    this.#waiting = []
    this.#waitingBytes = 0
    this.#sends++
    try {
      const broker = await this.#leader(clusters.send)
      const answer = await sendRaw(broker, PRODUCE.api, PRODUCE.encode(NO_PRODUCER, [batch], Date.now(), SEND_MS_MAX))
      for (const { errorCode } of PRODUCE.decode(answer)) if (errorCode !== 0) throw protocolError(errorCode, partition.name)
    } catch (thrown) {
      brokerRetries.judge('a message', thrown)
      if (!brokerRetries.isClosing) await repair(clusters.send)
    } finally {
      this.#sends--
      this.#sendSoon()
    }
  }
  async #hear(): Promise<void> {
    const { clusters, partition, limits, brokerRetries } = this.#parts
    let from: number | undefined
    while (!brokerRetries.isClosing)
      try {
        const broker = await this.#leader(clusters.receive)
        from ??= await fetchHighWatermark(clusters.receive, partition)
        const asked = { topicPartition: partition, from, bytesMax: limits.fetchPartitionBytesMax }
        const wanted = { waitMs: limits.tailWaitMs, bytesMax: limits.fetchPartitionBytesMax, isolation: READ_UNCOMMITTED } as const
        for (const fetched of await fetchFrom(broker, [asked], wanted)) {
          for (const { records } of fetched.batches)
            for (const { offset, key, value } of records) if (offset >= from && key !== null && value !== null) await this.#tell(key, value)
          from = nextOffset({ ...fetched, lastStableOffset: from })
        }
      } catch (thrown) {
        brokerRetries.judge('a fetch of messages', thrown)
        if (isOutOfRange(thrown)) from = undefined
        await pause(BACK_OFF_MS)
        if (!brokerRetries.isClosing) await repair(clusters.receive)
      }
  }
  /** Connects at the first use: most logs neither send nor listen. */
  async #leader(cluster: Cluster): Promise<Broker> {
    const { partition } = this.#parts
    if (!this.#connected.has(cluster)) {
      await limited(cluster.connect())
      await limited(cluster.addMultipleTargetTopics([partition.topicName]))
      this.#connected.add(cluster)
    }
    return limited(cluster.findBroker({ nodeId: leaderOf(cluster, partition) }))
  }
  async #tell(key: Buffer, value: Buffer): Promise<void> {
    let unwrapped = this.#parts.wire.unwrap(value)
    if (unwrapped instanceof Promise) unwrapped = await unwrapped
    if (!('fault' in unwrapped)) for (const receive of this.#listeners) receive(key, asBuffer(unwrapped.value))
  }
}
