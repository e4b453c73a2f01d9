// Topic ids: a topic that was deleted and created again, or that is in another cluster, has another id. kafkajs does not request ids.
import type { Broker } from 'kafkajs'
import { sendRaw } from './raw-request.ts'
import { COMPACT_HEAD_BYTES_MAX, Scanner, Writer } from './wire-format.ts'

/** Version 10: the first whose answer has topic ids (Kafka 2.8). */
const METADATA = { apiKey: 3, apiVersion: 10, apiName: 'Metadata' }
const ID_BYTES = 16
const NO_ID = '0'.repeat(2 * ID_BYTES)

/** Versions of each request that the broker accepts, which kafkajs does not type. */
interface VersionedBroker extends Broker {
  readonly versions?: Readonly<Record<number, { readonly maxVersion: number }>> | null
}

/** Ids in hexadecimal, by topic name. Empty if the broker knows no ids, such as older ones and some that are not Apache Kafka. */
export const fetchTopicIds = async (broker: Broker, names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const newest = (broker as VersionedBroker).versions?.[METADATA.apiKey]?.maxVersion ?? 0
  return newest < METADATA.apiVersion ? new Map() : idsIn(await sendRaw(broker, METADATA, requestOf(names)))
}

const requestOf = (names: readonly string[]): Buffer => {
  const writer = new Writer(names.reduce((bytes, name) => bytes + ID_BYTES + COMPACT_HEAD_BYTES_MAX + Buffer.byteLength(name) + 1, 16))
  // Tags of the request's header.
  writer.noTags()
  writer.unsigned(names.length + 1)
  for (const name of names) {
    writer.bytes(Buffer.alloc(ID_BYTES))
    writer.compactString(name)
    writer.noTags()
  }
  // Three flags: do not create topics, and return no authorized operations, neither of the cluster nor of the topics.
  for (let flag = 0; flag < 3; flag++) writer.int8(0)
  writer.noTags()
  return writer.buffer.subarray(0, writer.at)
}

const idsIn = (answer: Buffer): ReadonlyMap<string, string> => {
  const scan = new Scanner(answer, 0)
  const ids = new Map<string, string>()
  for (const _ of scan.tags());
  // Throttle time: the broker has already applied it.
  scan.skip(4)
  scan.compactList(() => {
    // Node id, host, port, rack.
    scan.skip(4)
    scan.compactString()
    scan.skip(4)
    scan.compactString()
  })
  // Cluster id and controller id.
  scan.compactString()
  scan.skip(4)
  scan.compactList(() => {
    const errorCode = scan.int16()
    const name = scan.compactString()
    const id = scan.bytes(ID_BYTES)?.toString('hex') ?? NO_ID
    if (errorCode === 0 && id !== NO_ID) ids.set(name, id)
    // True for the brokers' own topics.
    scan.skip(1)
    scan.compactList(() => skipPartition(scan))
    // Authorized operations.
    scan.skip(4)
  })
  return ids
}

/** Error code, number, leader and its epoch; replicas, those in sync, and those offline. */
const skipPartition = (scan: Scanner): void => {
  scan.skip(14)
  for (let list = 0; list < 3; list++) scan.skip(4 * Math.max(0, scan.length() - 1))
}
