// Fetch requests to partition leaders, and their answers.
import type { Broker, Cluster } from 'kafkajs'
import { pause } from '../../../waiting/waiting.ts'
import { protocolError } from '../failures.ts'
import { grouped } from '../grouped.ts'
import type { TopicPartition } from '../reading/partition.ts'
import { limited } from './limited.ts'
import { sendRaw } from './raw-request.ts'
import { type RawBatch, readRecordSet } from './record-set.ts'
import { Scanner, Writer } from './wire-format.ts'

/** The answer lists aborted transactions, and excludes records of open ones. */
export const READ_COMMITTED = 1
/** Returns all appended records, decided or not. */
export const READ_UNCOMMITTED = 0
const CONSUMER = -1

interface AbortedTransaction {
  readonly producerId: bigint
  readonly firstOffset: number
}
/** A leader's answer for one partition, from an offset on. */
export interface Fetched {
  readonly topicPartition: TopicPartition
  readonly from: number
  /** Last stable offset. */
  readonly lastStableOffset: number
  /** High watermark. */
  readonly highWatermark: number
  /** The first batch may begin before `from`. */
  readonly batches: readonly RawBatch[]
  readonly aborted: readonly AbortedTransaction[]
}

export interface PartitionFetch {
  readonly topicPartition: TopicPartition
  readonly from: number
  readonly bytesMax: number
}
export interface FetchLimits {
  /** How long the leader holds the request while there are no records. */
  readonly waitMs: number
  readonly bytesMax: number
  readonly isolation: typeof READ_COMMITTED | typeof READ_UNCOMMITTED
}

/** Version 4 of the request: the first with transactions, and the oldest that current brokers accept. */
const FETCH = { apiKey: 1, apiVersion: 4, apiName: 'Fetch' }

/**
 * Serializes the requests of each `line`, all of which must end (`limited`): kafkajs opens a lost connection once for each request that
 * finds it closed, and leaks all of these sockets except the last.
 */
const inTurn = <Value>(line: object, request: () => Promise<Value>): Promise<Value> => {
  const turn = (turns.get(line) ?? Promise.resolve()).then(request, request)
  turns.set(line, turn)
  return turn
}
const turns = new WeakMap<object, Promise<unknown>>()

/** Fetches from one leader. A batch above the size limit is returned (complete) only for the first partition that has records. */
export const fetchFrom = async (broker: Broker, requests: readonly PartitionFetch[], limits: FetchLimits): Promise<Fetched[]> => {
  const buffer = encodeFetch(requests, limits)
  const answer = await inTurn(broker, () => sendRaw(broker, FETCH, buffer))
  const byName = new Map(requests.map((request) => [request.topicPartition.name, request]))
  return (await decodeFetched(answer)).flatMap(({ name, ...fetched }) => {
    const request = byName.get(name)
    return request === undefined ? [] : { topicPartition: request.topicPartition, from: request.from, ...fetched }
  })
}

const encodeFetch = (requests: readonly PartitionFetch[], { waitMs, bytesMax, isolation }: FetchLimits): Buffer => {
  const byTopic = grouped(requests, ({ topicPartition }) => topicPartition.topicName)
  const names = [...byTopic.keys()].reduce((bytes, name) => bytes + 2 + Buffer.byteLength(name) + 4, 0)
  const writer = new Writer(21 + names + 16 * requests.length)
  writer.int32(CONSUMER)
  writer.int32(waitMs)
  // Minimum bytes of an answer.
  writer.int32(1)
  writer.int32(bytesMax)
  writer.int8(isolation)
  writer.int32(byTopic.size)
  for (const [topicName, partitions] of byTopic) {
    writer.string(topicName)
    writer.int32(partitions.length)
    for (const { topicPartition, from, bytesMax: ofPartition } of partitions) {
      writer.int32(topicPartition.partition)
      writer.int64(BigInt(from))
      writer.int32(ofPartition)
    }
  }
  return writer.buffer
}

/** @throws as kafkajs does if the leader rejects a partition. */
const decodeFetched = async (bytes: Buffer): Promise<(Omit<Fetched, 'topicPartition' | 'from'> & { readonly name: string })[]> => {
  // Throttle time: the broker has already applied it.
  const scan = new Scanner(bytes, 4)
  const topics = scan.list(() => {
    const topicName = scan.string()
    return scan.list(() => {
      const name = `${topicName}/${scan.int32()}`
      const errorCode = scan.int16()
      if (errorCode !== 0) throw protocolError(errorCode, name)
      const [highWatermark, lastStableOffset] = [scan.int64(), scan.int64()]
      const aborted = scan.list(() => ({ producerId: scan.bigInt64(), firstOffset: scan.int64() }))
      return { name, lastStableOffset, highWatermark, aborted, recordSet: scan.bytes(scan.int32()) ?? NOTHING }
    })
  })
  return Promise.all(topics.flat().map(async ({ recordSet, ...rest }) => ({ ...rest, batches: await readRecordSet(recordSet) })))
}
const NOTHING = Buffer.alloc(0)

/** Tries, with pauses, while a leader returns no batch although there are records. */
const SHOW_TRIES_MAX = 10
const SHOW_PAUSE_MS = 50

/**
 * Fetches from the leader of one partition. If there are records beyond `from`, an answer without a batch means that the leader does not
 * know its end yet: it is asked again, because skipping ahead would miss a record. Only compaction may permanently leave nothing at the
 * end.
 * @throws if the leader returns nothing of a topic that is not compacted
 */
export const fetchOne = async (cluster: Cluster, request: PartitionFetch, limits: FetchLimits): Promise<Fetched> => {
  for (let tries = 1; ; tries++) {
    const broker = await limited(cluster.findBroker({ nodeId: leaderOf(cluster, request.topicPartition) }))
    const [fetched] = await fetchFrom(broker, [request], limits)
    if (fetched === undefined) throw new Error(`no answer for ${request.topicPartition.name}`)
    const end = limits.isolation === READ_COMMITTED ? fetched.lastStableOffset : fetched.highWatermark
    if (fetched.batches.length > 0 || end <= request.from) return fetched
    if (tries < SHOW_TRIES_MAX) await pause(SHOW_PAUSE_MS)
    else if (request.topicPartition.topic.cleanup === 'compact') return fetched
    else throw new Error(`${request.topicPartition.name} returns no record at offset ${request.from}, but ends at ${end}`)
  }
}

/** The partition's leader according to the current metadata. */
export const leaderOf = (cluster: Cluster, { topicName, partition }: Pick<TopicPartition, 'topicName' | 'partition'>): string =>
  Object.keys(cluster.findLeaderForPartitions(topicName, [partition]))[0] ?? '-1'

/** First retained offset and last stable offset. */
export interface OffsetBounds {
  readonly start: number
  readonly lastStableOffset: number
}

/** By name; one request per leader for all of its partitions. */
export const fetchBounds = (cluster: Cluster, places: readonly TopicPartition[]): Promise<ReadonlyMap<string, OffsetBounds>> =>
  inTurn(cluster, async () => {
    const [starts, ends] = [await fetchOffsets(cluster, places, true), await fetchOffsets(cluster, places, false)]
    return new Map([...starts].map(([name, start]) => [name, { start, lastStableOffset: ends.get(name) ?? start }]))
  })

/** Last stable offsets by name, as `fetchBounds`. */
export const fetchLastStableOffsets = (cluster: Cluster, places: readonly TopicPartition[]): Promise<ReadonlyMap<string, number>> =>
  inTurn(cluster, () => fetchOffsets(cluster, places, false))

/** Methods that kafkajs has but does not type. */
interface OffsetsBroker extends Broker {
  listOffsets(request: {
    readonly isolationLevel: number
    readonly topics: readonly { topic: string; partitions: readonly { partition: number; timestamp: number }[] }[]
  }): Promise<{ readonly responses: readonly { readonly partitions: readonly { readonly offset: string }[] }[] }>
}
const NEWEST = -1

/**
 * High watermark: end of the records that all in-sync replicas have, decided or not.
 * @throws as kafkajs does, also while a new leader does not know it yet
 */
export const fetchHighWatermark = (cluster: Cluster, topicPartition: TopicPartition): Promise<number> =>
  inTurn(cluster, async () => {
    const broker = (await limited(cluster.findBroker({ nodeId: leaderOf(cluster, topicPartition) }))) as OffsetsBroker
    const topics = [{ topic: topicPartition.topicName, partitions: [{ partition: topicPartition.partition, timestamp: NEWEST }] }]
    const { responses } = await limited(broker.listOffsets({ isolationLevel: READ_UNCOMMITTED, topics }))
    const offset = responses[0]?.partitions[0]?.offset
    if (offset === undefined) throw new Error(`no answer for ${topicPartition.name}`)
    return Number(offset)
  })

const fetchOffsets = async (
  cluster: Cluster,
  places: readonly TopicPartition[],
  fromBeginning: boolean,
): Promise<ReadonlyMap<string, number>> => {
  const topics = [...new Set(places.map(({ topicName }) => topicName))].map((topic) => ({
    topic,
    partitions: places.filter(({ topicName }) => topicName === topic).map(({ partition }) => ({ partition })),
    fromBeginning,
  }))
  const answers = await limited(cluster.fetchTopicsOffset(topics))
  return new Map(
    answers.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }) => [`${topic}/${partition}`, Number(offset)] as const),
    ),
  )
}
