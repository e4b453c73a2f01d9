// The log on Kafka: any 3.x or 4.x brokers with a Confluent-compatible schema registry, shared by many processes.
//
// A commit is a transaction, or a part of one that it shares with commits of other owners (owners/writer.ts), with the owner's checkpoint
// as a record of the topic `owners`.
// Reads are read_committed. `start` and `end` return the values of the last response of a broker: `refresh` fetches new ones.
import type { Admin, Cluster, Kafka } from 'kafkajs'
import { asBuffer } from '../../../schemas/bytes.ts'
import { assert } from '../../../schemas/errors.ts'
import type { Topic, Topics } from '../../../schemas/topics.ts'
import type { Commit, Log, LogRecord, OutRecord, ReadLimits, TaskOwner } from '../../ports/log.ts'
import { within } from '../../waiting/waiting.ts'
import { assertId, assertPartition, checkCommit, partitionsOf } from '../limits.ts'
import type { BrokerRetries } from './broker-retries.ts'
import { deleteRecords, repair } from './client.ts'
import type { KafkaMessages, MessageParts } from './messages.ts'
import type { KafkaLimits } from './options.ts'
import { checkpointPartition } from './owners/checkpoint.ts'
import type { KafkaOwner } from './owners/owner.ts'
import { Owners } from './owners/owners.ts'
import { measure, measureOwn } from './reading/bounds.ts'
import { awaitDecided } from './reading/decided.ts'
import { KeptSpans, Partition, partitionsNamed } from './reading/partition.ts'
import { PartitionReader } from './reading/reader.ts'
import { Tail } from './reading/tail.ts'
import type { Wire } from './registry/wire.ts'
import { SharedCalls } from './shared-calls.ts'
import { fetchLastStableOffsets } from './wire/fetch.ts'
import type { Outgoing } from './wire/record-batch.ts'
import { fetchTopicIds } from './wire/topic-ids.ts'

/** Parts prepared by `openKafkaLog`. */
export interface KafkaParts {
  readonly kafka: Kafka
  readonly admin: Admin
  /** For reads, for long-polling fetches, for owners, and for messages. */
  readonly clusters: { readonly reads: Cluster; readonly tail: Cluster; readonly owners: Cluster } & MessageParts['clusters']
  readonly wires: ReadonlyMap<string, Wire>
  readonly topics: readonly Topic[]
  readonly owners: Topics['owners']
  readonly messages: KafkaMessages | undefined
  readonly prefix: string
  readonly partitions: number
  readonly brokerRetries: BrokerRetries
  readonly limits: KafkaLimits
  closeRegistry(): void
}

export class KafkaLog implements Log {
  readonly #parts: KafkaParts
  readonly messages: KafkaMessages | undefined
  /** By topic name and partition number. */
  readonly #partitions = new Map<string, Partition[]>()
  readonly #reader: PartitionReader
  readonly #tail: Tail
  readonly #following = new Map<Partition, Promise<void>>()
  readonly #owners: Owners
  readonly #refreshes = new SharedCalls(() => this.#refresh())
  readonly #listeners = new Set<(topics: ReadonlySet<string>) => void>()

  constructor(parts: KafkaParts) {
    this.#parts = parts
    this.messages = parts.messages
    const { kafka, clusters, wires, owners, brokerRetries, limits, topics, prefix, partitions } = parts
    for (const topic of topics) {
      const ofTopic = Array.from({ length: partitionsOf(topic, partitions) }, (_, n) => new Partition(topic, prefix + topic.name, n))
      this.#partitions.set(topic.name, ofTopic)
    }
    const kept = new KeptSpans(limits.keptBytesMax)
    this.#reader = new PartitionReader(clusters.reads, wires, kept, brokerRetries, limits)
    const grown = ({ topic }: Partition): void => this.#notify(new Set([topic.name]))
    const reading = { cluster: clusters.tail, reads: clusters.reads, reader: this.#reader }
    this.#tail = new Tail({ ...reading, wires, kept, brokerRetries, limits, grown })
    const topicNames = topics.map(({ name }) => prefix + name)
    this.#owners = new Owners({
      ...{ kafka, cluster: clusters.owners, prefix, topicNames, wire: wires.get(owners.name) as Wire, brokerRetries, limits },
      checkpointsOf: (id) => this.#at(owners, checkpointPartition(id, this.partitions(owners))),
      outgoing: (record) => this.#outgoing(record),
      visible: (ends, topics) => this.#visible(ends, topics),
      decidedEnds: (names) => fetchLastStableOffsets(clusters.reads, partitionsNamed(this.#partitions, prefix, names)),
    })
  }
  partitions(topic: Topic): number {
    return partitionsOf(topic, this.#parts.partitions)
  }
  async read(topic: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    this.#assertOpen()
    const partitionState = this.#at(topic, partition)
    if (partitionState.tail === undefined) await this.#follow(partitionState)
    this.#tail.check(partitionState)
    return this.#reader.read(partitionState, offset, limits)
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
  /** Calls at the same moment share one: each task refreshes the log when it is taken over. */
  refresh(): Promise<void> {
    return this.#refreshes.of('')
  }
  async #refresh(): Promise<void> {
    this.#assertOpen()
    const all = [...this.#partitions.values()].flat()
    const unfollowed = all.filter(({ tail }) => tail === undefined)
    await this.#notifying(unfollowed, () => measure(this.#reader, unfollowed))
    const followed = all.filter(({ tail }) => tail !== undefined)
    await this.#reader.learnBounds(followed)
    await Promise.all(
      followed.map((partitionState) => this.#tail.reached(partitionState, partitionState.lastStableOffset, this.#parts.limits.awayMsMax)),
    )
  }
  async own(id: string, isShared = false): Promise<TaskOwner> {
    this.#assertOpen()
    assertId(id)
    const owner = await this.#owners.take(id, isShared)
    await this.refresh()
    return {
      id,
      committed: () => owner.committed(),
      commit: (commit) => this.#commit(owner, commit),
      release: () => this.#owners.release(owner),
    }
  }
  readonly peek: NonNullable<Log['peek']> = (id) => this.#owners.peek(id)
  async decidedEnd(topic: Topic, partition: number): Promise<number> {
    this.#assertOpen()
    const { admin, clusters, brokerRetries, limits } = this.#parts
    const partitionState = this.#at(topic, partition)
    await awaitDecided({ admin, cluster: clusters.reads, reader: this.#reader, brokerRetries, limits }, partitionState)
    await this.#notifying([partitionState], () => measure(this.#reader, [partitionState]))
    return partitionState.end
  }
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  async trim(topic: Topic, partition: number, offset: number): Promise<void> {
    this.#assertOpen()
    const [partitionState, { admin, brokerRetries, limits }] = [this.#at(topic, partition), this.#parts]
    assert(topic.cleanup === 'delete', `${topic.name} is compacted, not trimmed`)
    if (offset <= partitionState.start) return
    const ask = () => deleteRecords(admin, partitionState.topicName, partition, offset)
    await brokerRetries.untilDone(`a trim of ${partitionState.name}`, limits.commitMsMax, ask)
    partitionState.start = Math.max(partitionState.start, offset)
    partitionState.end = Math.max(partitionState.end, partitionState.start)
  }
  /** Ids of the topics by name: a topic that was created again, or is in another cluster, has another id. Empty if brokers return none. */
  async topicIds(): Promise<ReadonlyMap<string, string>> {
    this.#assertOpen()
    const { clusters, brokerRetries, limits, prefix, topics } = this.#parts
    const names = topics.map(({ name }) => prefix + name)
    const ask = async () => fetchTopicIds(await clusters.reads.findControllerBroker(), names)
    const ids = await brokerRetries.untilDone('the topic ids', limits.openMsMax, ask, () => repair(clusters.reads))
    return new Map([...ids].map(([name, id]) => [name.slice(prefix.length), id]))
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
    const { brokerRetries, limits, admin, clusters, messages, closeRegistry } = this.#parts
    if (brokerRetries.isClosing) return
    const ended = this.#owners.close()
    await within(ended, limits.closeMsMax)
    brokerRetries.isClosing = true
    await ended
    const disconnect = () => Promise.all([...Object.values(clusters), admin].map((connection) => connection.disconnect().catch(() => {})))
    await disconnect()
    await Promise.all([this.#tail.stop(), this.#reader.idle(), ...this.#following.values()].map((end) => end.catch(() => {})))
    await messages?.stop()
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
    // The commit succeeded, so a failure here is ignored: the next read meets and reports it.
    if (ends === undefined) await this.refresh().catch(() => {})
    const changed = new Set(ends === undefined ? topics : [])
    const { prefix, limits } = this.#parts
    for (const [name, end] of ends ?? []) {
      const [partitionState] = partitionsNamed(this.#partitions, prefix, [name]) as [Partition]
      if (partitionState.tail !== undefined) await this.#tail.reached(partitionState, end, limits.visibleMsMax)
      else {
        partitionState.end = Math.max(partitionState.end, end)
        if (topics.has(partitionState.topic.name)) changed.add(partitionState.topic.name)
      }
    }
    if (changed.size > 0) this.#notify(changed)
  }
  /** Notifies of partitions that grew while `measuring`: for partitions without a tail, nothing else detects that. */
  async #notifying(partitions: readonly Partition[], measuring: () => Promise<void>): Promise<void> {
    const before = partitions.map(({ end }) => end)
    try {
      await measuring()
    } finally {
      const grown = partitions.filter(({ end }, n) => end > (before[n] as number))
      if (grown.length > 0) this.#notify(new Set(grown.map(({ topic }) => topic.name)))
    }
  }
  #notify(topics: ReadonlySet<string>): void {
    for (const listener of this.#listeners) listener(topics)
  }
  /** Returns the partition and starts to follow it. */
  #known(topic: Topic, partition: number): Partition {
    const partitionState = this.#at(topic, partition)
    if (partitionState.tail === undefined && !this.#parts.brokerRetries.isClosing) this.#follow(partitionState).catch(() => {})
    return partitionState
  }
  #follow(partitionState: Partition): Promise<void> {
    const known = this.#following.get(partitionState)
    if (known !== undefined) return known
    const following = this.#notifying([partitionState], () => measureOwn(this.#reader, partitionState, this.#parts.limits.visibleMsMax))
      .then(() => {
        if (!this.#parts.brokerRetries.isClosing) this.#tail.follow(partitionState)
      })
      .finally(() => this.#following.delete(partitionState))
    this.#following.set(partitionState, following)
    return following
  }
  #at(topic: Topic, partition: number): Partition {
    assertPartition(topic, partition, this.#parts.partitions)
    const partitionState = this.#partitions.get(topic.name)?.[partition]
    assert(partitionState !== undefined, `${topic.name} is not a topic of this log`)
    partitionState.wasRead()
    return partitionState
  }
  #assertOpen(): void {
    assert(!this.#parts.brokerRetries.isClosing, 'the log is closed')
  }
}
