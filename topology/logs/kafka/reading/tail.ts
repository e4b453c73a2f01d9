// Follows the ends of partitions: one long-polling fetch per leader is always in flight, and returns when new records are committed.
import type { Cluster } from 'kafkajs'
import { type EngineError, hasCode } from '../../../../schemas/errors.ts'
import { pause } from '../../../waiting/waiting.ts'
import type { BrokerRetries } from '../broker-retries.ts'
import { repair } from '../client.ts'
import { isOutOfRange } from '../failures.ts'
import type { KafkaLimits } from '../options.ts'
import type { Wire } from '../registry/wire.ts'
import { spanOf } from '../wire/committed.ts'
import { type Fetched, fetchFrom, fetchOne, leaderOf, type PartitionFetch, READ_COMMITTED } from '../wire/fetch.ts'
import { limited } from '../wire/limited.ts'
import type { KeptSpans, Partition } from './partition.ts'
import type { PartitionReader } from './reader.ts'

const BACK_OFF_MS = 100
/** Active readers read new records within this time. */
const GRACE_MS = 250
/** Poll interval for a partition that is not part of a long-polling fetch yet. */
const PULL_MS = 2

export interface TailParts {
  /** For long-polling fetches: a held answer blocks other requests of its connection. */
  readonly cluster: Cluster
  /** For all other fetches. */
  readonly reads: Cluster
  readonly reader: PartitionReader
  readonly wires: ReadonlyMap<string, Wire>
  readonly kept: KeptSpans
  readonly brokerRetries: BrokerRetries
  readonly limits: KafkaLimits
  /** Called for each partition with new visible records. */
  readonly grown: (partition: Partition) => void
}

export class Tail {
  readonly #parts: TailParts
  readonly #followed = new Set<Partition>()
  readonly #loops = new Map<string, Promise<void>>()
  readonly #waiting = new Set<() => void>()
  #turn = 0
  #learntAt = performance.now()
  #learning: Promise<void> = Promise.resolve()
  /** Why a partition can no longer be followed. */
  readonly #broken = new Map<Partition, EngineError>()

  constructor(parts: TailParts) {
    this.#parts = parts
  }
  /**
   * Follows the partition from `measuredEnd`, which was its last stable offset when `end` was determined. So records that arrived since
   * are fetched again, and counted in `end`.
   */
  follow(partition: Partition): void {
    partition.tail = partition.measuredEnd
    this.#followed.add(partition)
    this.#start(leaderOf(this.#parts.cluster, partition))
  }
  /** @throws EngineError if the partition was truncated. */
  check(partition: Partition): void {
    const broken = this.#broken.get(partition)
    if (broken !== undefined) throw broken
  }
  /** Resolves when all records below `offset` were received, after `msMax`, when the log closes, or if the partition is not followed. */
  async reached(partition: Partition, offset: number, msMax: number): Promise<void> {
    const { brokerRetries } = this.#parts
    for (const until = performance.now() + msMax; performance.now() < until && !brokerRetries.isOver; ) {
      if (partition.tail === undefined || partition.tail >= offset || this.#broken.has(partition)) return
      if (!partition.isAsked) await this.#pull(partition)
      else await this.#nextAnswer(until - performance.now())
    }
  }
  /** Resolves when all fetches in flight have ended. */
  async stop(): Promise<void> {
    for (const wake of [...this.#waiting]) wake()
    await Promise.all([...this.#loops.values(), this.#learning])
  }

  /** Starts the loop of a leader, unless it runs. A loop deletes itself, so it must not run before it is in the map. */
  #start(nodeId: string): void {
    if (this.#loops.has(nodeId)) return
    const loop = Promise.resolve().then(() => this.#run(nodeId))
    this.#loops.set(nodeId, loop)
  }
  /** Fetches from one leader in a loop while it leads followed partitions. */
  async #run(nodeId: string): Promise<void> {
    const { brokerRetries } = this.#parts
    while (!brokerRetries.isClosing) {
      this.#learnLeaders()
      const led = this.#led(nodeId)
      if (led.length === 0) break
      const mine = led.filter(({ isAsked }) => !isAsked)
      if (mine.length === 0) await pause(PULL_MS)
      else await this.#ask(nodeId, this.#rotated(mine))
    }
    this.#loops.delete(nodeId)
  }
  /** Does not wait: a connection may be held by a fetch. */
  #learnLeaders(): void {
    if (performance.now() - this.#learntAt < this.#parts.limits.leadersMsMax) return
    this.#learntAt = performance.now()
    this.#learning = repair(this.#parts.cluster)
  }
  async #ask(nodeId: string, mine: readonly Partition[]): Promise<void> {
    const { brokerRetries, cluster } = this.#parts
    for (const partition of mine) partition.isAsked = true
    try {
      await this.#askAll(nodeId, mine)
      brokerRetries.worked()
    } catch (thrown) {
      const failure = brokerRetries.judge('a fetch of new records', thrown)
      if (!failure.retriable) for (const partition of mine) this.#break(partition, failure)
      if (isOutOfRange(thrown)) await this.#relocate(mine)
      await pause(BACK_OFF_MS)
      if (!brokerRetries.isClosing) await repair(cluster)
    } finally {
      for (const partition of mine) partition.isAsked = false
    }
  }
  async #askAll(nodeId: string, mine: readonly Partition[]): Promise<void> {
    const { cluster, limits } = this.#parts
    const { tailWaitMs: waitMs, fetchBytesMax: bytesMax } = limits
    const requests = mine.map(
      (topicPartition): PartitionFetch => ({ topicPartition, from: topicPartition.tail ?? 0, bytesMax: limits.fetchPartitionBytesMax }),
    )
    const broker = await limited(cluster.findBroker({ nodeId }))
    for (const fetched of await fetchFrom(broker, requests, { waitMs, bytesMax, isolation: READ_COMMITTED })) {
      const isLeftOut = fetched.batches.length === 0 && fetched.lastStableOffset > fetched.from
      await this.#takeIn(isLeftOut ? await this.#alone(fetched.topicPartition as Partition) : fetched)
    }
    for (const wake of [...this.#waiting]) wake()
  }
  /** Fetched alone, a partition returns its next batch whole, however large. */
  async #alone(partition: Partition): Promise<Fetched> {
    const { reads, brokerRetries, limits } = this.#parts
    const { fetchPartitionBytesMax: bytesMax } = limits
    const request = { topicPartition: partition, from: partition.tail ?? 0, bytesMax }
    try {
      return await fetchOne(reads, request, { waitMs: 0, bytesMax, isolation: READ_COMMITTED })
    } catch (failure) {
      if (!brokerRetries.isClosing) await repair(reads)
      throw failure
    }
  }
  async #takeIn(fetched: Fetched): Promise<void> {
    const partition = fetched.topicPartition as Partition
    partition.lastStableOffset = Math.max(partition.lastStableOffset, fetched.lastStableOffset)
    partition.tombstones.observeEnd(partition.lastStableOffset)
    if (fetched.from !== partition.tail || fetched.lastStableOffset <= fetched.from) return
    const span = await spanOf(fetched, this.#parts.wires.get(partition.topic.name) as Wire)
    partition.tail = span.next
    this.#parts.kept.add(partition, span)
    const last = span.records.at(-1)
    if (last === undefined) return
    partition.end = Math.max(partition.end, last.offset + 1)
    partition.unreadSince ??= performance.now()
    partition.unreadBytes += span.bytes
    this.#parts.grown(partition)
  }
  /** Fetches a partition that is not part of the fetch in flight. */
  async #pull(partition: Partition): Promise<void> {
    partition.isAsked = true
    try {
      await this.#takeIn(await this.#alone(partition))
    } catch (thrown) {
      this.#parts.brokerRetries.judge(`a read of ${partition.name}`, thrown)
    } finally {
      partition.isAsked = false
    }
    if (partition.tail !== undefined && partition.tail < partition.lastStableOffset) return
    await pause(PULL_MS)
  }
  #nextAnswer(msMax: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, Math.max(0, msMax))
      this.#waiting.add(done)
    })
  }
  /** The followed partitions that the node leads. Starts the loops of the other leaders; stops following partitions that nobody reads. */
  #led(nodeId: string): readonly Partition[] {
    const { cluster, limits } = this.#parts
    const led: Partition[] = []
    for (const partition of this.#followed) {
      const unreadMs = partition.unreadSince === undefined ? 0 : performance.now() - partition.unreadSince
      const isUnread = unreadMs > limits.unreadMsMax || (unreadMs > GRACE_MS && partition.unreadBytes > limits.unreadBytesMax)
      if (isUnread) {
        this.#letGo(partition)
        continue
      }
      const leader = leaderOf(cluster, partition)
      if (leader === nodeId) led.push(partition)
      else this.#start(leader)
    }
    return led
  }
  /** A large batch is returned only for the first partition of an answer, so each is first in turn. */
  #rotated(mine: readonly Partition[]): readonly Partition[] {
    const first = this.#turn++ % mine.length
    return [...mine.slice(first), ...mine.slice(0, first)]
  }
  #letGo(partition: Partition): void {
    this.#followed.delete(partition)
    partition.tail = undefined
    partition.wasRead()
  }
  /** Skips records below `start`; if a partition is shorter than before, all state about it is invalid. */
  async #relocate(partitions: readonly Partition[]): Promise<void> {
    for (const partition of partitions)
      try {
        await this.#parts.reader.learnBounds([partition])
        partition.tail = Math.max(partition.tail ?? 0, partition.start)
        partition.end = Math.max(partition.end, partition.start)
      } catch (thrown) {
        if (!hasCode(thrown, 'log_rewound')) continue
        this.#break(partition, thrown)
      }
  }
  #break(partition: Partition, failure: EngineError): void {
    this.#broken.set(partition, failure)
    this.#letGo(partition)
  }
}
