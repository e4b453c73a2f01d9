// Fetch requests to the leaders of partitions, and their answers.
import type { Broker, Cluster } from 'kafkajs'
import { pause } from '../../../waiting/waiting.ts'
import { protocolError } from '../failures.ts'
import { grouped } from '../grouped.ts'
import type { Place } from '../reading/partition.ts'
import { sendRaw } from './raw-request.ts'
import { type RawBatch, readRecordSet } from './record-set.ts'
import { Scanner, Writer } from './wire-format.ts'

/** Aborted records are told apart by the answer, and records of open transactions are not in it. */
export const READ_COMMITTED = 1
/** Everything that is appended, decided or not. */
export const READ_UNCOMMITTED = 0
const CONSUMER = -1

interface AbortedTransaction {
  readonly producerId: bigint
  readonly firstOffset: number
}
/** What a leader said of a partition from an offset on. */
export interface Fetched {
  readonly place: Place
  readonly from: number
  /** End of what is decided: the last stable offset. */
  readonly stableEnd: number
  /** End of what is appended. */
  readonly appendedEnd: number
  /** The first may begin before `from`. */
  readonly batches: readonly RawBatch[]
  readonly aborted: readonly AbortedTransaction[]
}

export interface Ask {
  readonly place: Place
  readonly from: number
  readonly bytesMax: number
}
export interface AskLimits {
  /** The leader holds the question for so long while there is nothing. */
  readonly waitMs: number
  readonly bytesMax: number
  readonly isolation: typeof READ_COMMITTED | typeof READ_UNCOMMITTED
}

/** Version 4 of the request: the first that tells transactions, and the oldest that brokers of today take. */
const FETCH = { apiKey: 1, apiVersion: 4, apiName: 'Fetch' }

/**
 * One request at a time of each of `line`: kafkajs opens a lost connection once for each request that finds it closed, and forgets all of
 * these sockets but the last.
 */
const inTurn = <Value>(line: object, request: () => Promise<Value>): Promise<Value> => {
  const turn = (turns.get(line) ?? Promise.resolve()).then(request, request)
  turns.set(line, turn)
  return turn
}
const turns = new WeakMap<object, Promise<unknown>>()

/** Asks one leader. A batch larger than its limit comes whole only for the first partition that has one. */
export const fetchFrom = async (broker: Broker, asks: readonly Ask[], limits: AskLimits): Promise<Fetched[]> => {
  const buffer = encodeFetch(asks, limits)
  const answer = await inTurn(broker, () => sendRaw(broker, FETCH, buffer))
  const byName = new Map(asks.map((ask) => [ask.place.name, ask]))
  return decodeFetched(answer).flatMap(({ name, ...said }) => {
    const ask = byName.get(name)
    return ask === undefined ? [] : { place: ask.place, from: ask.from, ...said }
  })
}

const encodeFetch = (asks: readonly Ask[], { waitMs, bytesMax, isolation }: AskLimits): Buffer => {
  const byTopic = grouped(asks, ({ place }) => place.topicName)
  const names = [...byTopic.keys()].reduce((bytes, name) => bytes + 2 + Buffer.byteLength(name) + 4, 0)
  const writer = new Writer(21 + names + 16 * asks.length)
  writer.int32(CONSUMER)
  writer.int32(waitMs)
  // Anything is worth an answer.
  writer.int32(1)
  writer.int32(bytesMax)
  writer.int8(isolation)
  writer.int32(byTopic.size)
  for (const [topicName, partitions] of byTopic) {
    writer.string(topicName)
    writer.int32(partitions.length)
    for (const { place, from, bytesMax: ofPartition } of partitions) {
      writer.int32(place.partition)
      writer.int64(BigInt(from))
      writer.int32(ofPartition)
    }
  }
  return writer.buffer
}

/** @throws as kafkajs does where a leader refuses a partition. */
const decodeFetched = (bytes: Buffer): (Omit<Fetched, 'place' | 'from'> & { readonly name: string })[] => {
  // How long the broker would have us wait: it did the waiting itself.
  const scan = new Scanner(bytes, 4)
  const topics = scan.list(() => {
    const topicName = scan.string()
    return scan.list(() => {
      const name = `${topicName}/${scan.int32()}`
      const errorCode = scan.int16()
      if (errorCode !== 0) throw protocolError(errorCode, name)
      const [appendedEnd, stableEnd] = [scan.int64(), scan.int64()]
      const aborted = scan.list(() => ({ producerId: scan.bigInt64(), firstOffset: scan.int64() }))
      const batches = readRecordSet(scan.bytes(scan.int32()) ?? NOTHING)
      return { name, stableEnd, appendedEnd, batches, aborted }
    })
  })
  return topics.flat()
}
const NOTHING = Buffer.alloc(0)

/** A leader that shows nothing of what there is, is asked again: so often, with pauses. */
const SHOW_TRIES_MAX = 10
const SHOW_PAUSE_MS = 50

/**
 * Asks the leader of one partition. Where there is more than `from`, an answer without a batch means that the leader cannot tell yet where
 * it ends: it is asked again, because who goes on behind it misses a record. Compaction alone may leave nothing at the end for good.
 * @throws when the leader shows nothing of a topic that is not compacted
 */
export const fetchOne = async (cluster: Cluster, ask: Ask, limits: AskLimits): Promise<Fetched> => {
  for (let tries = 1; ; tries++) {
    const broker = await cluster.findBroker({ nodeId: leaderOf(cluster, ask.place) })
    const [fetched] = await fetchFrom(broker, [ask], limits)
    if (fetched === undefined) throw new Error(`no answer for ${ask.place.name}`)
    const end = limits.isolation === READ_COMMITTED ? fetched.stableEnd : fetched.appendedEnd
    if (fetched.batches.length > 0 || end <= ask.from) return fetched
    if (tries < SHOW_TRIES_MAX) await pause(SHOW_PAUSE_MS)
    else if (ask.place.topic.cleanup === 'compact') return fetched
    else throw new Error(`${ask.place.name} shows nothing at offset ${ask.from}, and ends at ${end}`)
  }
}

/** Node that leads the partition now, as the metadata at hand has it. */
export const leaderOf = (cluster: Cluster, { topicName, partition }: Pick<Place, 'topicName' | 'partition'>): string =>
  Object.keys(cluster.findLeaderForPartitions(topicName, [partition]))[0] ?? '-1'

/** First offset kept and end of what is decided. */
export interface Bounds {
  readonly start: number
  readonly stableEnd: number
}

/** By name; one question to each leader for all of them. */
export const fetchBounds = (cluster: Cluster, places: readonly Place[]): Promise<ReadonlyMap<string, Bounds>> =>
  inTurn(cluster, async () => {
    const [starts, ends] = [await fetchOffsets(cluster, places, true), await fetchOffsets(cluster, places, false)]
    return new Map([...starts].map(([name, start]) => [name, { start, stableEnd: ends.get(name) ?? start }]))
  })

/** What kafkajs has and its types leave out. */
interface OffsetsBroker extends Broker {
  listOffsets(request: {
    readonly isolationLevel: number
    readonly topics: readonly { topic: string; partitions: readonly { partition: number; timestamp: number }[] }[]
  }): Promise<{ readonly responses: readonly { readonly partitions: readonly { readonly offset: string }[] }[] }>
}
const NEWEST = -1

/**
 * End of everything that is appended and kept by all copies, decided or not: the high watermark.
 * @throws as kafkajs does, also while a leader that has just become one cannot tell it yet
 */
export const fetchAppendedEnd = (cluster: Cluster, place: Place): Promise<number> =>
  inTurn(cluster, async () => {
    const broker = (await cluster.findBroker({ nodeId: leaderOf(cluster, place) })) as OffsetsBroker
    const topics = [{ topic: place.topicName, partitions: [{ partition: place.partition, timestamp: NEWEST }] }]
    const { responses } = await broker.listOffsets({ isolationLevel: READ_UNCOMMITTED, topics })
    const offset = responses[0]?.partitions[0]?.offset
    if (offset === undefined) throw new Error(`no answer for ${place.name}`)
    return Number(offset)
  })

const fetchOffsets = async (cluster: Cluster, places: readonly Place[], fromBeginning: boolean): Promise<ReadonlyMap<string, number>> => {
  const topics = [...new Set(places.map(({ topicName }) => topicName))].map((topic) => ({
    topic,
    partitions: places.filter(({ topicName }) => topicName === topic).map(({ partition }) => ({ partition })),
    fromBeginning,
  }))
  const answers = await cluster.fetchTopicsOffset(topics)
  return new Map(
    answers.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }) => [`${topic}/${partition}`, Number(offset)] as const),
    ),
  )
}
