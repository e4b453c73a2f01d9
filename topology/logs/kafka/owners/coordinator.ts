// Requests to the coordinator of a transactional id: those that kafkajs does not send, or whose answers it hides.
import type { Broker, Cluster } from 'kafkajs'
import { protocolError } from '../failures.ts'
import { sendRaw } from '../wire/raw-request.ts'
import type { ProducerName } from '../wire/record-batch.ts'
import { COMPACT_HEAD_BYTES_MAX, Scanner, STRING_HEAD_BYTES, Writer } from '../wire/wire-format.ts'

const TRANSACTION_COORDINATOR = 1
const ADD_PARTITIONS = { apiKey: 24, apiVersion: 0, apiName: 'AddPartitionsToTxn' }
/** Error of valid partitions in a request in which another partition failed. */
const NOT_ATTEMPTED = 55

/** Version 3, which brokers support since 2.5: the first that names the producer (KIP-360). */
const INIT_PRODUCER_ID = { apiKey: 22, apiVersion: 3, apiName: 'InitProducerId' }

export const coordinatorOf = (cluster: Cluster, transactionalId: string): Promise<Broker> =>
  cluster.findGroupCoordinator({ groupId: transactionalId, coordinatorType: TRANSACTION_COORDINATOR } as { groupId: string })

/**
 * Bumps the epoch of a producer without an open transaction. The coordinator does that only if no other producer was opened under the id
 * since. It answers a repeated request like the first, unless it was moved or restarted in between.
 * @throws INVALID_PRODUCER_EPOCH or PRODUCER_FENCED if another producer was opened, or if an earlier request of this one was applied
 */
export const bumpEpoch = async (coordinator: Broker, name: ProducerName, transactionMsMax: number): Promise<ProducerName> => {
  const { transactionalId, producerId, epoch } = name
  const writer = new Writer(COMPACT_HEAD_BYTES_MAX + Buffer.byteLength(transactionalId) + 16)
  // Of the request's header.
  writer.noTags()
  writer.compactString(transactionalId)
  writer.int32(transactionMsMax)
  writer.int64(producerId)
  writer.int16(epoch)
  writer.noTags()
  const scan = new Scanner(await sendRaw(coordinator, INIT_PRODUCER_ID, writer.buffer.subarray(0, writer.at)), 0)
  for (const _ of scan.tags());
  // Throttle time: the broker has already applied it.
  scan.skip(4)
  const errorCode = scan.int16()
  if (errorCode !== 0) throw protocolError(errorCode, `the epoch of ${transactionalId}`)
  return { transactionalId, producerId: scan.bigInt64(), epoch: scan.int16() }
}

export type TopicsOfTransaction = readonly { readonly topic: string; readonly partitions: readonly number[] }[]

/** Adds partitions to the transaction. @throws as kafkajs does, naming the rejected partition */
export const addPartitions = async (coordinator: Broker, name: ProducerName, topics: TopicsOfTransaction): Promise<void> => {
  const scan = new Scanner(await sendRaw(coordinator, ADD_PARTITIONS, addRequest(name, topics)), 4)
  const results = scan.list(() => {
    const topic = scan.string()
    return scan.list(() => ({ topicPartition: `${topic}/${scan.int32()}`, errorCode: scan.int16() }))
  })
  const failed = results.flat().filter(({ errorCode }) => errorCode !== 0)
  const cause = failed.find(({ errorCode }) => errorCode !== NOT_ATTEMPTED) ?? failed[0]
  if (cause !== undefined) throw protocolError(cause.errorCode, cause.topicPartition)
}

const addRequest = ({ transactionalId, producerId, epoch }: ProducerName, topics: TopicsOfTransaction): Buffer => {
  const bytesOf = ({ topic, partitions }: TopicsOfTransaction[number]) =>
    STRING_HEAD_BYTES + Buffer.byteLength(topic) + 4 + 4 * partitions.length
  const head = STRING_HEAD_BYTES + Buffer.byteLength(transactionalId) + 14
  const writer = new Writer(topics.reduce((bytes, topic) => bytes + bytesOf(topic), head))
  writer.string(transactionalId)
  writer.int64(producerId)
  writer.int16(epoch)
  writer.int32(topics.length)
  for (const { topic, partitions } of topics) {
    writer.string(topic)
    writer.int32(partitions.length)
    for (const partition of partitions) writer.int32(partition)
  }
  return writer.buffer
}
