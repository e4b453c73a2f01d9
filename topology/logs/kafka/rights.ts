// Checks a login's permissions on the brokers without creating anything.
import type { Broker, Kafka } from 'kafkajs'
import { withCluster } from './client.ts'
import { protocolError } from './failures.ts'
import { sendRaw } from './wire/raw-request.ts'
import { Scanner, STRING_HEAD_BYTES, Writer } from './wire/wire-format.ts'

const COORDINATOR_TYPES = { group: 0, transactionalId: 1 } as const
/** The first version of the request that returns a login's operations on a topic. */
const METADATA = { apiKey: 3, apiVersion: 8, apiName: 'Metadata' }
/** Codes of Kafka's ACL operations, which are bit numbers in the answer. */
const OPERATIONS = { read: 3, write: 4 } as const
const [UNKNOWN_TOPIC, NOT_AUTHORIZED] = [3, 29]

export type Coordinated = keyof typeof COORDINATOR_TYPES

/** Methods that kafkajs has but does not type. */
interface Asking {
  findGroupCoordinator(whose: { readonly groupId: string; readonly coordinatorType: number }): Promise<unknown>
  findControllerBroker(): Promise<Broker>
}

const connected = <Value>(kafka: Kafka, ask: (cluster: Asking) => Promise<Value>): Promise<Value> =>
  withCluster(kafka, async (cluster) => {
    await cluster.refreshMetadata()
    return ask(cluster as unknown as Asking)
  })

/** Checks that a group and a transactional id may be used: brokers name coordinators only to authorized logins. @throws their refusal */
export const tryCoordinators = (kafka: Kafka, names: Readonly<Record<Coordinated, string>>): Promise<void> =>
  connected(kafka, async (cluster) => {
    for (const kind of Object.keys(COORDINATOR_TYPES) as Coordinated[])
      await cluster.findGroupCoordinator({ groupId: names[kind], coordinatorType: COORDINATOR_TYPES[kind] })
  })

/** Operations that the login lacks, such as `write tape.solana`; topics that do not exist are skipped. */
export const missingRights = (kafka: Kafka, topicNames: readonly string[]): Promise<readonly string[]> =>
  connected(kafka, async (cluster) => readRights(await sendRaw(await cluster.findControllerBroker(), METADATA, requestOf(topicNames))))

const requestOf = (topicNames: readonly string[]): Buffer => {
  const names = topicNames.reduce((bytes, name) => bytes + STRING_HEAD_BYTES + Buffer.byteLength(name), 0)
  const writer = new Writer(names + 7)
  writer.int32(topicNames.length)
  for (const name of topicNames) writer.string(name)
  // Do not create topics; omit the operations on the cluster, include those on topics.
  for (const flag of [0, 0, 1]) writer.int8(flag)
  return writer.buffer
}

const readRights = (answer: Buffer): string[] => {
  const scan = new Scanner(answer, 4)
  const nullable = (): unknown => scan.bytes(scan.int16())
  const int32 = (): number => scan.int32()
  scan.list(() => [scan.int32(), scan.string(), scan.int32(), nullable()])
  // Cluster id and controller id.
  nullable()
  scan.int32()
  const topics = scan.list(() => {
    const errorCode = scan.int16()
    const name = scan.string()
    scan.skip(1)
    // Per partition: error, number, leader, leader epoch, and three lists of nodes.
    scan.list(() => [scan.skip(14), scan.list(int32), scan.list(int32), scan.list(int32)])
    return { errorCode, name, operations: scan.int32() }
  })
  return topics.flatMap(({ errorCode, name, operations }) => {
    if (errorCode === UNKNOWN_TOPIC) return []
    if (errorCode === NOT_AUTHORIZED) return [`describe ${name}`]
    if (errorCode !== 0) throw protocolError(errorCode, name)
    return Object.entries(OPERATIONS).flatMap(([operation, code]) => ((operations & (1 << code)) === 0 ? [`${operation} ${name}`] : []))
  })
}
