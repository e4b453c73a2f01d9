// The two versions of Kafka's transaction protocol. The brokers of a cluster agree on one: the feature `transaction.version`.
import type { Broker } from 'kafkajs'
import { protocolError } from '../failures.ts'
import { PRODUCE, PRODUCE_ADDING, type ProduceFormat } from '../wire/produce.ts'
import { sendRaw } from '../wire/raw-request.ts'
import type { ProducerName } from '../wire/record-batch.ts'
import { COMPACT_HEAD_BYTES_MAX, Scanner, Writer } from '../wire/wire-format.ts'

/** The requests of a transaction. */
export interface TransactionProtocol {
  readonly produce: ProduceFormat
  /** True: a produce request adds its partitions to the transaction. False: `addPartitions` must precede it. */
  readonly recordsAddPartitions: boolean
  /** Commits or aborts. @returns the producer's name for the next transaction: with a new epoch its sequence numbers begin at 0 */
  end(coordinator: Broker, name: ProducerName, isCommitted: boolean): Promise<ProducerName>
}

/** Requests that kafkajs has but does not type. */
interface EndingBroker extends Broker {
  endTxn(request: {
    readonly transactionalId: string
    readonly producerId: string
    readonly producerEpoch: number
    readonly transactionResult: boolean
  }): Promise<unknown>
}

/**
 * Every broker speaks it. All transactions of a producer have one epoch, so an end request that arrives late ends the transaction that is
 * open by then: after a failure the epoch must be bumped.
 */
export const OLDER_PROTOCOL: TransactionProtocol = {
  produce: PRODUCE,
  recordsAddPartitions: false,
  end: async (coordinator, name, isCommitted) => {
    const { transactionalId, producerId, epoch } = name
    const whose = { transactionalId, producerId: String(producerId), producerEpoch: epoch }
    await (coordinator as EndingBroker).endTxn({ ...whose, transactionResult: isCommitted })
    return name
  },
}

const END = { apiKey: 26, apiVersion: 5, apiName: 'EndTxn' }

/** KIP-890, second part: each transaction has an epoch of its own, and needs one request less. */
export const NEWER_PROTOCOL: TransactionProtocol = {
  produce: PRODUCE_ADDING,
  recordsAddPartitions: true,
  end: async (coordinator, name, isCommitted) => {
    const scan = new Scanner(await sendRaw(coordinator, END, endRequest(name, isCommitted)), 0)
    for (const _ of scan.tags());
    // Throttle time: the broker has already applied it.
    scan.skip(4)
    const errorCode = scan.int16()
    if (errorCode !== 0) throw protocolError(errorCode, `the end of a transaction of ${name.transactionalId}`)
    return { transactionalId: name.transactionalId, producerId: scan.bigInt64(), epoch: scan.int16() }
  },
}

const endRequest = ({ transactionalId, producerId, epoch }: ProducerName, isCommitted: boolean): Buffer => {
  const writer = new Writer(COMPACT_HEAD_BYTES_MAX + Buffer.byteLength(transactionalId) + 13)
  // Tags of the request's header.
  writer.noTags()
  writer.compactString(transactionalId)
  writer.int64(producerId)
  writer.int16(epoch)
  writer.int8(isCommitted ? 1 : 0)
  writer.noTags()
  return writer.buffer.subarray(0, writer.at)
}

/** Version 3: the first whose answer lists the cluster's features. Older brokers refuse it. */
const API_VERSIONS = { apiKey: 18, apiVersion: 3, apiName: 'ApiVersions' }
const FINALIZED_FEATURES = 2
const FEATURE = 'transaction.version'
const NEWER_LEVEL = 2

/** The protocol that all brokers of the cluster speak. */
export const protocolOf = async (broker: Broker): Promise<TransactionProtocol> =>
  levelIn(await sendRaw(broker, API_VERSIONS, versionsRequest())) >= NEWER_LEVEL ? NEWER_PROTOCOL : OLDER_PROTOCOL

const versionsRequest = (): Buffer => {
  const writer = new Writer(32)
  // Tags of the request's header.
  writer.noTags()
  writer.compactString('mintfold')
  // Version of this client: brokers only print it.
  writer.compactString('1')
  writer.noTags()
  return writer.buffer.subarray(0, writer.at)
}

/** The feature's level; 0 where the cluster has none. */
const levelIn = (answer: Buffer): number => {
  const scan = new Scanner(answer, 0)
  if (scan.int16() !== 0) return 0
  // Key, oldest and newest version of each request; then throttle time.
  scan.compactList(() => scan.skip(6))
  scan.skip(4)
  for (const tag of scan.tags())
    if (tag === FINALIZED_FEATURES) {
      const features = scan.compactList(() => ({ name: scan.compactString(), newest: scan.int16(), oldest: scan.int16() }))
      return features.find(({ name }) => name === FEATURE)?.newest ?? 0
    }
  return 0
}
