// The log on Kafka: any 3.x or 4.x brokers with a Confluent-compatible schema registry, shared by many processes.
//
// A commit is one transaction under its owner's transactional id, including a checkpoint of the owner in the topic `owners`. Readers see
// committed records, of their own process and of others. `start` and `end` are as of the last answer of a broker: `refresh` fetches them.

import type { Admin, Cluster, Kafka } from 'kafkajs'
import { asBuffer } from '../../../schemas/bytes.ts'
import { assert } from '../../../schemas/errors.ts'
import type { Topic, Topics } from '../../../schemas/topics.ts'
import type { Commit, Log, LogRecord, OutRecord, ReadLimits, TaskOwner } from '../../ports/log.ts'
import { within } from '../../waiting/waiting.ts'
import { assertId, assertPartition, checkCommit, partitionsOf } from '../limits.ts'
import type { BrokerRetries } from './broker-retries.ts'
import { repair } from './client.ts'
import type { KafkaLimits } from './options.ts'
import { Fence } from './owners/fence.ts'
import { OpenOwners } from './owners/open-owners.ts'
import { KafkaOwner } from './owners/owner.ts'
import { standingPartition } from './owners/standing.ts'
import { measure, measureOwn } from './reading/bounds.ts'
import { awaitDecided } from './reading/decided.ts'
import { KeptSpans, Partition } from './reading/partition.ts'
import { Reader } from './reading/reader.ts'
import { Tail } from './reading/tail.ts'
import type { Wire } from './registry/wire.ts'
import type { Outgoing } from './wire/record-batch.ts'

/** Parts prepared by `openKafkaLog`. */
export interface KafkaParts {
  readonly kafka: Kafka
  readonly admin: Admin
  /** For reads, for long-polling fetches, and for owners. */
  readonly clusters: { readonly reads: Cluster; readonly tail: Cluster; readonly owners: Cluster }
  readonly wires: ReadonlyMap<string, Wire>
  readonly topics: readonly Topic[]
  readonly owners: Topics['owners']
  readonly prefix: string
  readonly partitions: number
  readonly brokerRetries: BrokerRetries
  readonly limits: KafkaLimits
  closeRegistry(): void
}

export class KafkaLog implements Log {
  readonly #parts: KafkaParts
  /** By topic and partition number. */
  readonly #places = new Map<string, Partition[]>()
  readonly #reader: Reader
  readonly #tail: Tail
  readonly #following = new Map<Partition, Promise<void>>()
  readonly #owners = new OpenOwners()
  readonly #listeners = new Set<(topics: ReadonlySet<string>) => void>()

  constructor(parts: KafkaParts) {
    this.#parts = parts
    const { clusters, wires, brokerRetries, limits, topics, prefix, partitions } = parts
    for (const topic of topics) {
      const of = Array.from({ length: partitionsOf(topic, partitions) }, (_, n) => new Partition(topic, prefix + topic.name, n))
      this.#places.set(topic.name, of)
    }
    const kept = new KeptSpans(limits.keptBytesMax)
    this.#reader = new Reader(clusters.reads, wires, kept, brokerRetries, limits)
    const grown = ({ topic }: Partition): void => this.#tell(new Set([topic.name]))
    this.#tail = new Tail({
      cluster: clusters.tail,
      reads: clusters.reads,
      reader: this.#reader,
      wires,
      kept,
      brokerRetries,
      limits,
      grown,
    })
  }
  partitions(topic: Topic): number {
    return partitionsOf(topic, this.#parts.partitions)
  }
  async read(topic: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    this.#assertOpen()
    const place = this.#at(topic, partition)
    if (place.tail === undefined) await this.#follow(place)
    this.#tail.check(place)
    return this.#reader.read(place, offset, limits)
  }
  start(topic: Topic, partition: number): number {
    return this.#known(topic, partition).start
  }
  end(topic: Topic, partition: number): number {
    return this.#known(topic, partition).end
  }
  tombstoneFloor(topic: Topic, partition: number): number {
    const { tombstones, lastStableOffset } = this.#at(topic, partition)
    return topic.cleanup === 'compact' ? tombstones.floor(lastStableOffset) : 0
  }
  async refresh(): Promise<void> {
    this.#assertOpen()
    const places = [...this.#places.values()].flat()
    const apart = places.filter(({ tail }) => tail === undefined)
    await this.#telling(apart, () => measure(this.#reader, apart))
    const followed = places.filter(({ tail }) => tail !== undefined)
    await this.#reader.learnBounds(followed)
    await Promise.all(followed.map((place) => this.#tail.reached(place, place.lastStableOffset, this.#parts.limits.awayMsMax)))
  }
  async own(id: string): Promise<TaskOwner> {
    this.#assertOpen()
    assertId(id)
    const { kafka, clusters, wires, brokerRetries, limits, prefix, topics, owners } = this.#parts
    const place = this.#at(owners, standingPartition(id, this.partitions(owners)))
    const wire = wires.get(owners.name) as Wire
    const topicNames = topics.map(({ name }) => prefix + name)
    const whose = { transactionalId: prefix + id, topicNames, id, place, wire }
    const fence = new Fence({ kafka, cluster: clusters.owners, limits, notice: brokerRetries.notice, ...whose })
    const owner = await KafkaOwner.take(id, {
      fence,
      brokerRetries,
      limits,
      repair: () => repair(clusters.owners),
      outgoing: (record) => this.#outgoing(record),
      visible: (ends, topics) => this.#visible(ends, topics),
    })
    this.#owners.add(owner)
    await this.refresh()
    return {
      id,
      committed: () => owner.committed(),
      commit: (commit) => this.#commit(owner, commit),
      release: () => this.#owners.release(owner),
    }
  }
  async decidedEnd(topic: Topic, partition: number): Promise<number> {
    this.#assertOpen()
    const { admin, clusters, brokerRetries, limits } = this.#parts
    const place = this.#at(topic, partition)
    await awaitDecided({ admin, cluster: clusters.reads, reader: this.#reader, brokerRetries, limits }, place)
    await this.#telling([place], () => measure(this.#reader, [place]))
    return place.end
  }
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  async trim(topic: Topic, partition: number, offset: number): Promise<void> {
    this.#assertOpen()
    const place = this.#at(topic, partition)
    assert(topic.cleanup === 'delete', `${topic.name} is compacted, not trimmed`)
    if (offset <= place.start) return
    const { admin, brokerRetries, limits } = this.#parts
    await brokerRetries.untilDone(`a trim of ${place.name}`, limits.commitMsMax, async () => {
      // kafkajs does not look up leaders for deleteTopicRecords: it must have the metadata already.
      await admin.fetchTopicMetadata({ topics: [place.topicName] })
      await admin.deleteTopicRecords({ topic: place.topicName, partitions: [{ partition, offset: String(offset) }] })
    })
    place.start = Math.max(place.start, offset)
    place.end = Math.max(place.end, place.start)
  }
  trouble(): { readonly reason: string; readonly sinceMs: number } | null {
    return this.#parts.brokerRetries.trouble
  }
  tries(): number {
    return this.#parts.brokerRetries.tries
  }
  hurry(): void {
    this.#parts.brokerRetries.hurry(this.#parts.limits.closeMsMax)
  }
  async close(): Promise<void> {
    const { brokerRetries, limits, admin, clusters, closeRegistry } = this.#parts
    if (brokerRetries.isClosing) return
    const ended = this.#owners.close()
    await within(ended, limits.closeMsMax)
    brokerRetries.isClosing = true
    await ended
    const connections = [clusters.tail, clusters.reads, clusters.owners, admin]
    const disconnect = () => Promise.all(connections.map((connection) => connection.disconnect().catch(() => {})))
    await disconnect()
    await Promise.all([this.#tail.stop(), this.#reader.idle(), ...this.#following.values()].map((end) => end.catch(() => {})))
    // A read that was about to start may have reconnected.
    await disconnect()
    closeRegistry()
  }

  async #commit(owner: KafkaOwner, commit: Commit): Promise<void> {
    this.#assertOpen()
    await owner.commit(commit, checkCommit(commit, this.#parts.partitions))
  }
  #outgoing({ topic, partition, key, value }: OutRecord): Outgoing {
    const wire = this.#parts.wires.get(topic.name)
    assert(wire !== undefined, `${topic.name} is not a topic of this log`)
    return { topicName: this.#parts.prefix + topic.name, partition, key: asBuffer(key), head: wire.head, value }
  }
  async #visible(ends: ReadonlyMap<string, number> | undefined, topics: ReadonlySet<string>): Promise<void> {
    // The commit succeeded; if reading fails, readers will find out.
    if (ends === undefined) await this.refresh().catch(() => {})
    const untold = new Set(ends === undefined ? topics : [])
    const { prefix, limits } = this.#parts
    for (const [name, end] of ends ?? []) {
      const slash = name.lastIndexOf('/')
      const place = this.#places.get(name.slice(prefix.length, slash))?.[Number(name.slice(slash + 1))] as Partition
      if (place.tail !== undefined) await this.#tail.reached(place, end, limits.visibleMsMax)
      else {
        place.end = Math.max(place.end, end)
        if (topics.has(place.topic.name)) untold.add(place.topic.name)
      }
    }
    if (untold.size > 0) this.#tell(untold)
  }
  /** Notifies of partitions that grew while `measuring`: for partitions without a tail, nothing else detects that. */
  async #telling(places: readonly Partition[], measuring: () => Promise<void>): Promise<void> {
    const before = places.map(({ end }) => end)
    try {
      await measuring()
    } finally {
      const grown = places.filter(({ end }, n) => end > (before[n] as number))
      if (grown.length > 0) this.#tell(new Set(grown.map(({ topic }) => topic.name)))
    }
  }
  #tell(topics: ReadonlySet<string>): void {
    for (const listener of this.#listeners) listener(topics)
  }
  /** Returns the partition and starts to follow it. */
  #known(topic: Topic, partition: number): Partition {
    const place = this.#at(topic, partition)
    if (place.tail === undefined && !this.#parts.brokerRetries.isClosing) this.#follow(place).catch(() => {})
    return place
  }
  #follow(place: Partition): Promise<void> {
    const known = this.#following.get(place)
    if (known !== undefined) return known
    const following = this.#telling([place], () => measureOwn(this.#reader, place, this.#parts.limits.visibleMsMax))
      .then(() => {
        if (!this.#parts.brokerRetries.isClosing) this.#tail.follow(place)
      })
      .finally(() => this.#following.delete(place))
    this.#following.set(place, following)
    return following
  }
  #at(topic: Topic, partition: number): Partition {
    assertPartition(topic, partition, this.#parts.partitions)
    const place = this.#places.get(topic.name)?.[partition]
    assert(place !== undefined, `${topic.name} is not a topic of this log`)
    place.wasRead()
    return place
  }
  #assertOpen(): void {
    assert(!this.#parts.brokerRetries.isClosing, 'the log is closed')
  }
}
