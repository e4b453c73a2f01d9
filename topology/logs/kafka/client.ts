// Connections to the brokers through kafkajs: its settings, and access to its fetch requests.
import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Admin, type Cluster, type ISocketFactory, Kafka, logLevel, type SASLOptions } from 'kafkajs'
import { assert } from '../../../schemas/errors.ts'
import type { KafkaLogOptions, KafkaSecurity } from './options.ts'
import { limited } from './wire/limited.ts'

/** Pauses of about 2 s in all: the adapter classifies longer outages itself. */
const CLUSTER_RETRY = { initialRetryTime: 50, maxRetryTime: 500, retries: 6 }
const CONNECT_MS_MAX = 3_000
const REQUEST_MS_MAX = 30_000

const KEEP_ALIVE_MS = 60_000

/**
 * Like kafkajs' own, without Node's listener warning: kafkajs adds listeners to a dead socket at each attempt to reach a broker that is
 * away.
 */
const createSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const servername = isIP(host) === 0 ? { servername: host } : {}
  const socket = ssl ? connectTls({ host, port, ...servername, ...ssl }, onConnect) : connect({ host, port }, onConnect)
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  socket.setMaxListeners(0)
  return socket
}

/** kafkajs' log levels do not fit ours (it logs errors at every startup); the adapter reports what matters. */
export const createClient = ({ brokers, security }: Pick<KafkaLogOptions, 'brokers' | 'security'>): Kafka =>
  new Kafka({
    clientId: 'mintfold',
    brokers: [...brokers],
    ssl: security.tls,
    socketFactory: createSocket,
    ...(security.sasl === null ? {} : { sasl: saslOf(security.sasl) }),
    connectionTimeout: CONNECT_MS_MAX,
    requestTimeout: REQUEST_MS_MAX,
    retry: CLUSTER_RETRY,
    logLevel: logLevel.NOTHING,
  })

/** kafkajs has a separate type for each mechanism. */
const saslOf = ({ mechanism, ...login }: NonNullable<KafkaSecurity['sasl']>): SASLOptions =>
  mechanism === 'plain' ? { mechanism, ...login } : mechanism === 'scram-sha-256' ? { mechanism, ...login } : { mechanism, ...login }

/** An admin client for topic metadata. */
export const createAdmin = (kafka: Kafka): Admin => {
  const admin = kafka.admin()
  return {
    ...admin,
    listTopics: () => answered(admin.listTopics()),
    describeCluster: () => answered(admin.describeCluster()),
    fetchTopicMetadata: (asked) => answered(admin.fetchTopicMetadata(asked)),
  }
}

/** Deletes the records of a partition below an offset. */
export const deleteRecords = async (admin: Admin, topic: string, partition: number, offset: number): Promise<void> => {
  // kafkajs does not look up leaders for deleteTopicRecords: it must have the metadata already.
  await admin.fetchTopicMetadata({ topics: [topic] })
  await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(offset) }] })
}

/** If no broker answers, kafkajs takes null for the answer and reads from it: that TypeError is an outage, not a bug. */
const answered = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer
  } catch (thrown) {
    if ((thrown as Error).name !== 'TypeError') throw thrown
    throw new Error('no broker answered a metadata request', { cause: thrown })
  }
}

/** After a failure: reconnects and refreshes the partition leaders. Its own failure shows in the next attempt. */
export const repair = async (cluster: Cluster): Promise<void> => {
  await limited(cluster.connect()).catch(() => {})
  await limited(cluster.refreshMetadata()).catch(() => {})
}

/**
 * The brokers as kafkajs' cluster object, with its own connections. Reads use this instead of a consumer: they fetch any offset of any
 * partition and belong to no group. kafkajs exposes its cluster only to partition assigners.
 */
export const createCluster = (kafka: Kafka): Cluster => {
  let cluster: Cluster | undefined
  kafka.consumer({
    groupId: 'unused',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (given) => {
        cluster = given.cluster
        return { name: 'unused', version: 0, assign: async () => [], protocol: () => ({ name: 'unused', metadata: Buffer.alloc(0) }) }
      },
    ],
  })
  assert(cluster !== undefined, 'kafkajs calls its assigners when a consumer is created')
  return cluster
}

/** Runs `ask` over separate connections, which are closed afterwards. */
export const withCluster = async <Value>(kafka: Kafka, ask: (cluster: Cluster) => Promise<Value>): Promise<Value> => {
  const cluster = createCluster(kafka)
  try {
    await cluster.connect()
    return await ask(cluster)
  } finally {
    await cluster.disconnect().catch(() => {})
  }
}
