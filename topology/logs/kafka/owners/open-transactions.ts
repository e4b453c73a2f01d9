// Finds the owner of the open transaction at a partition's last stable offset: for error messages only, never for a decision.
import type { Admin, Cluster } from 'kafkajs'
import { protocolError } from '../failures.ts'
import type { Partition } from '../reading/partition.ts'
import { fetchOne, READ_UNCOMMITTED } from '../wire/fetch.ts'
import { sendRaw } from '../wire/raw-request.ts'
import { Scanner } from '../wire/wire-format.ts'

export interface OpenTransaction {
  readonly producerId: bigint
  /** The transactional id; undefined if no coordinator knows the transaction. */
  readonly id: string | undefined
}

/** Version 0, which brokers support since 3.0. */
const LIST_TRANSACTIONS = { apiKey: 66, apiVersion: 0, apiName: 'ListTransactions' }
const BYTES_MAX = 64 * 1024

/** Undefined if no transaction is open. */
export const openTransactionOf = async (
  admin: Admin,
  cluster: Cluster,
  topicPartition: Partition,
): Promise<OpenTransaction | undefined> => {
  const limits = { waitMs: 0, bytesMax: BYTES_MAX, isolation: READ_UNCOMMITTED } as const
  const { batches } = await fetchOne(cluster, { topicPartition, from: topicPartition.lastStableOffset, bytesMax: BYTES_MAX }, limits)
  const producerId = batches.find(({ isInTransaction, isControl }) => isInTransaction && !isControl)?.producerId
  if (producerId === undefined) return undefined
  const { brokers } = await admin.describeCluster()
  for (const { nodeId } of brokers) {
    const broker = await cluster.findBroker({ nodeId: String(nodeId) })
    const id = readId(await sendRaw(broker, LIST_TRANSACTIONS, requestOf(producerId)))
    if (id !== undefined) return { producerId, id }
  }
  return { producerId, id: undefined }
}

/** Header tags, no states (a list's length + 1), one producer, tags. */
const requestOf = (producerId: bigint): Buffer => {
  const request = Buffer.alloc(12)
  request[1] = 1
  request[2] = 2
  request.writeBigInt64BE(producerId, 3)
  return request
}

/** The transactional id of the first transaction listed. */
const readId = (answer: Buffer): string | undefined => {
  // Header tags and throttle time.
  const scan = new Scanner(answer, 5)
  const errorCode = scan.int16()
  if (errorCode !== 0) throw protocolError(errorCode, 'the list of transactions')
  // Unknown states: the request named none.
  scan.skip(1)
  const count = scan.length() - 1
  return count > 0 ? scan.bytes(scan.length() - 1)?.toString('utf8') : undefined
}
