// Markers that a broker lost: finds the open transactions of a producer, and ends them as its coordinator decided.
//
// An empty transaction over the partitions would make the coordinator write them again, but another taker that opens a producer under the
// id at that moment aborts it, and with it the committed records that it was to close (seen with two takers of one writer). So the markers
// are sent to the partitions' leaders, as `kafka-transactions.sh` does. Two processes may do it at the same time: the second has no effect.
import type { Cluster } from 'kafkajs'
import { protocolError } from '../failures.ts'
import { grouped } from '../grouped.ts'
import type { TopicPartition } from '../reading/partition.ts'
import { leaderOf } from '../wire/fetch.ts'
import { sendRaw } from '../wire/raw-request.ts'
import { COMPACT_HEAD_BYTES_MAX, Scanner, Writer } from '../wire/wire-format.ts'
import type { Decision } from './newest-transaction.ts'

export type Placed = Pick<TopicPartition, 'topicName' | 'partition'>

export const nameOf = ({ topicName, partition }: Placed): string => `${topicName}/${partition}`

/** A producer's transaction that is open in a partition. */
export interface OpenIn extends Placed {
  readonly epoch: number
  /** Of the coordinator that wrote the producer's newest marker in the partition; -1: there is none. */
  readonly coordinatorEpoch: number
}

/** Version 0, which brokers support since 2.8. */
const DESCRIBE_PRODUCERS = { apiKey: 61, apiVersion: 0, apiName: 'DescribeProducers' }
/** Version 1: the oldest that brokers of 4.0 accept. */
const WRITE_MARKERS = { apiKey: 27, apiVersion: 1, apiName: 'WriteTxnMarkers' }
const NONE = -1
const UNAUTHORIZED = 31

/** The producer's open transactions in these partitions, whose leaders are asked. */
export const openTransactions = async (cluster: Cluster, partitions: readonly Placed[], producerId: bigint): Promise<readonly OpenIn[]> => {
  const byLeader = grouped(partitions, (placed) => leaderOf(cluster, placed))
  const found = Array.from(byLeader, async ([nodeId, placed]) => {
    const request = new Writer(topicsBytes(placed) + 2)
    // Tags of the header.
    request.noTags()
    writeTopics(request, placed)
    request.noTags()
    const answer = await sendRaw(await cluster.findBroker({ nodeId }), DESCRIBE_PRODUCERS, request.buffer.subarray(0, request.at))
    return readOpen(answer, producerId)
  })
  return (await Promise.all(found)).flat()
}

/** Ends the transactions in their partitions. @throws as kafkajs does; if the login may not, the error says which right it needs */
export const writeMarkers = async (cluster: Cluster, producerId: bigint, open: readonly OpenIn[], decision: Decision): Promise<void> => {
  const byLeader = grouped(open, (one) => leaderOf(cluster, one))
  const written = Array.from(byLeader, async ([nodeId, ones]) => {
    const request = encodeMarkers(producerId, ones, decision)
    checkWritten(await sendRaw(await cluster.findBroker({ nodeId }), WRITE_MARKERS, request))
  })
  await Promise.all(written)
}

const writeTopics = (writer: Writer, placed: readonly Placed[]): void => {
  const topics = grouped(placed, ({ topicName }) => topicName)
  writer.unsigned(topics.size + 1)
  for (const [topicName, partitions] of topics) {
    writer.compactString(topicName)
    writer.unsigned(partitions.length + 1)
    for (const { partition } of partitions) writer.int32(partition)
    writer.noTags()
  }
}
const topicsBytes = (placed: readonly Placed[]): number =>
  placed.reduce((bytes, { topicName }) => bytes + 2 * COMPACT_HEAD_BYTES_MAX + Buffer.byteLength(topicName) + 5, COMPACT_HEAD_BYTES_MAX)

const readOpen = (answer: Buffer, wanted: bigint): readonly OpenIn[] => {
  const scan = new Scanner(answer, 0)
  for (const _ of scan.tags());
  // Throttle time: the broker has already applied it.
  scan.skip(4)
  const topics = scan.compactList(() => {
    const topicName = scan.compactString()
    const partitions = scan.compactList(() => {
      const [partition, errorCode] = [scan.int32(), scan.int16()]
      const message = scan.compactString()
      if (errorCode !== 0) throw protocolError(errorCode, `the producers of ${topicName}/${partition} ${message}`)
      const producers = scan.compactList(() => {
        const [producerId, epoch] = [scan.bigInt64(), scan.int32()]
        // Last sequence number and time.
        scan.skip(12)
        return { producerId, topicName, partition, epoch, coordinatorEpoch: scan.int32(), from: scan.int64() }
      })
      return producers.filter(({ producerId, from }) => producerId === wanted && from !== NONE)
    })
    return partitions.flat()
  })
  return topics.flat()
}

/** A marker has the epochs of the transaction that it ends: the broker refuses it if the partition has a newer one. */
const encodeMarkers = (producerId: bigint, open: readonly OpenIn[], decision: Decision): Buffer => {
  const groups = grouped(open, ({ epoch, coordinatorEpoch }) => `${epoch} ${coordinatorEpoch}`)
  const writer = new Writer(topicsBytes(open) + COMPACT_HEAD_BYTES_MAX + 2 + groups.size * (16 + COMPACT_HEAD_BYTES_MAX))
  // Tags of the header.
  writer.noTags()
  writer.unsigned(groups.size + 1)
  for (const ones of groups.values()) {
    const [{ epoch, coordinatorEpoch }] = ones as [OpenIn]
    writer.int64(producerId)
    writer.int16(epoch)
    writer.int8(decision === 'committed' ? 1 : 0)
    writeTopics(writer, ones)
    writer.int32(Math.max(0, coordinatorEpoch))
    writer.noTags()
  }
  writer.noTags()
  return writer.buffer.subarray(0, writer.at)
}

const mayNotWrite = (name: string): string =>
  `a broker lost the markers of a transaction in ${name}, and the login may not write them: it needs ALTER on the cluster`

const checkWritten = (answer: Buffer): void => {
  const scan = new Scanner(answer, 0)
  for (const _ of scan.tags());
  scan.compactList(() => {
    // Producer id.
    scan.skip(8)
    scan.compactList(() => {
      const topicName = scan.compactString()
      scan.compactList(() => {
        const [partition, errorCode] = [scan.int32(), scan.int16()]
        const name = nameOf({ topicName, partition })
        if (errorCode === UNAUTHORIZED) throw protocolError(errorCode, `WriteTxnMarkers: ${mayNotWrite(name)}`)
        if (errorCode !== 0) throw protocolError(errorCode, `the marker in ${name}`)
      })
    })
  })
}
