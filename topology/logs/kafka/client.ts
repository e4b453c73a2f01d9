// Connections to the brokers through kafkajs: what it is told, and the way to its fetch requests.
import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Admin, type Cluster, type ISocketFactory, Kafka, logLevel, type SASLOptions } from 'kafkajs'
import { assert } from '../../../schemas/errors.ts'
import type { KafkaLogOptions, KafkaSecurity } from './options.ts'

/** About 3 s in all: what lasts longer is the adapter's to judge. */
const CLUSTER_RETRY = { initialRetryTime: 50, maxRetryTime: 500, retries: 6 }
const CONNECT_MS_MAX = 3_000
const REQUEST_MS_MAX = 30_000

const KEEP_ALIVE_MS = 60_000

/** As kafkajs makes them, without Node's warning: kafkajs listens anew on a dead socket with each try to reach a broker that is away. */
const createSocket: ISocketFactory = ({ host, port, ssl, onConnect }) => {
  const servername = isIP(host) === 0 ? { servername: host } : {}
  const socket = ssl ? connectTls({ host, port, ...servername, ...ssl }, onConnect) : connect({ host, port }, onConnect)
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  socket.setMaxListeners(0)
  return socket
}

/** kafkajs says its words at levels that do not fit ours (errors of every start-up); the adapter tells what matters. */
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

/** kafkajs types each mechanism by itself. */
const saslOf = ({ mechanism, ...login }: NonNullable<KafkaSecurity['sasl']>): SASLOptions =>
  mechanism === 'plain' ? { mechanism, ...login } : mechanism === 'scram-sha-256' ? { mechanism, ...login } : { mechanism, ...login }

/** Asks brokers about topics. */
export const createAdmin = (kafka: Kafka): Admin => {
  const admin = kafka.admin()
  return {
    ...admin,
    listTopics: () => answered(admin.listTopics()),
    describeCluster: () => answered(admin.describeCluster()),
    fetchTopicMetadata: (asked) => answered(admin.fetchTopicMetadata(asked)),
  }
}

/** Where no broker answers, kafkajs takes null for the answer and reads from it: that is the world's failure, not a bug. */
const answered = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer
  } catch (thrown) {
    if ((thrown as Error).name !== 'TypeError') throw thrown
    throw new Error('no broker answered a question about topics', { cause: thrown })
  }
}

/** After a failure: connections to brokers that came back, and who leads what now. A failure of this shows in the next try. */
export const mend = async (cluster: Cluster): Promise<void> => {
  await cluster.connect().catch(() => {})
  await cluster.refreshMetadata().catch(() => {})
}

/**
 * The brokers as kafkajs sees them, with connections of its own. Reading goes through these rather than through a consumer: a reader here
 * asks for any offset of any partition, and belongs to no group. A partition assigner is where kafkajs hands its cluster out.
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
  assert(cluster !== undefined, 'kafkajs asks for its assigners when a consumer is made')
  return cluster
}

/** Asks the brokers over connections of its own, which are closed afterwards. */
export const withCluster = async <Value>(kafka: Kafka, ask: (cluster: Cluster) => Promise<Value>): Promise<Value> => {
  const cluster = createCluster(kafka)
  try {
    await cluster.connect()
    return await ask(cluster)
  } finally {
    await cluster.disconnect().catch(() => {})
  }
}
