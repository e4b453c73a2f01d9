// Fetch requests to the leaders of partitions, and their answers with the types that kafkajs leaves out.
import type { Broker, Cluster } from 'kafkajs'
import type { Place } from './partition.ts'

/** Aborted records are told apart by the answer, and records of open transactions are not in it. */
export const READ_COMMITTED = 1
/** Everything that is appended, decided or not. */
export const READ_UNCOMMITTED = 0
const CONSUMER = -1

/** A record as it lies in the log, control records included. */
export interface RawRecord {
  readonly offset: string
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly isControlRecord: boolean
  readonly batchContext: {
    readonly firstOffset: string
    readonly lastOffsetDelta: number
    readonly producerId: string
    readonly inTransaction: boolean
  }
}
export interface AbortedTransaction {
  readonly producerId: string
  readonly firstOffset: string
}
/** What a leader said of a partition from an offset on. */
export interface Fetched {
  readonly place: Place
  readonly from: number
  /** End of what is decided: the last stable offset. */
  readonly stableEnd: number
  /** End of what is appended. */
  readonly appendedEnd: number
  readonly records: readonly RawRecord[]
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

interface FetchAnswer {
  readonly responses: readonly {
    readonly topicName: string
    readonly partitions: readonly {
      readonly partition: number
      readonly highWatermark: string
      readonly lastStableOffset: string
      readonly messages: readonly RawRecord[]
      readonly abortedTransactions: readonly AbortedTransaction[] | null
    }[]
  }[]
}

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
export const fetchFrom = async (broker: Broker, asks: readonly Ask[], { waitMs, bytesMax, isolation }: AskLimits): Promise<Fetched[]> => {
  const byName = new Map(asks.map((ask) => [ask.place.name, ask]))
  const byTopic = new Map<string, { partition: number; fetchOffset: string; maxBytes: number }[]>()
  for (const { place, from, bytesMax: maxBytes } of asks) {
    const partitions = byTopic.get(place.topicName) ?? []
    partitions.push({ partition: place.partition, fetchOffset: String(from), maxBytes })
    byTopic.set(place.topicName, partitions)
  }
  const topics = [...byTopic].map(([topic, partitions]) => ({ topic, partitions }))
  const request = { replicaId: CONSUMER, isolationLevel: isolation, maxWaitTime: waitMs, minBytes: 1, maxBytes: bytesMax, topics }
  const answer: FetchAnswer = await inTurn(broker, () => broker.fetch(request))
  return answer.responses.flatMap(({ topicName, partitions }) =>
    partitions.flatMap((at) => {
      const ask = byName.get(`${topicName}/${at.partition}`)
      if (ask === undefined) return []
      return {
        place: ask.place,
        from: ask.from,
        stableEnd: Number(at.lastStableOffset),
        appendedEnd: Number(at.highWatermark),
        records: at.messages,
        aborted: at.abortedTransactions ?? [],
      }
    }),
  )
}

/** Asks the leader of one partition. */
export const fetchOne = async (cluster: Cluster, ask: Ask, limits: AskLimits): Promise<Fetched> => {
  const broker = await cluster.findBroker({ nodeId: leaderOf(cluster, ask.place) })
  const [fetched] = await fetchFrom(broker, [ask], limits)
  if (fetched === undefined) throw new Error(`no answer for ${ask.place.name}`)
  return fetched
}

/** Node that leads the partition now, as the metadata at hand has it. */
export const leaderOf = (cluster: Cluster, { topicName, partition }: Place): string =>
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
