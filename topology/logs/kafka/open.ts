// Opens the log on Kafka: creates or checks topics and schemas, and refuses to start if they differ.
import type { Cluster } from 'kafkajs'
import { readSchema } from '../../../schemas/avro.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { BrokerRetries } from './broker-retries.ts'
import { createAdmin, createClient, createCluster } from './client.ts'
import { KafkaLog } from './kafka.ts'
import { KafkaMessages } from './messages.ts'
import { KAFKA_LIMITS, type KafkaLogOptions } from './options.ts'
import { Partition } from './reading/partition.ts'
import { SchemaRegistry } from './registry/registry.ts'
import { Wire } from './registry/wire.ts'
import { ensureTopics } from './topics.ts'

/**
 * Waits for brokers and registry, within a limit.
 * @throws EngineError `not_durable`, `topic_settings`, `schema_incompatible`, `log_refused`, `registry_refused`; `log_unreachable` and
 * `registry_unreachable`, which are retriable; all connections are closed then.
 */
export const openKafkaLog = async (options: KafkaLogOptions): Promise<KafkaLog> => {
  const limits = { ...KAFKA_LIMITS, ...options.limits }
  const brokerRetries = new BrokerRetries(options.brokers, options.notice)
  const topics = withOwn(options)
  const registry = new SchemaRegistry(options.registry)
  const kafka = createClient(options)
  const admin = createAdmin(kafka)
  const connected = { reads: createCluster(kafka), tail: createCluster(kafka), owners: createCluster(kafka) }
  const clusters = { ...connected, send: createCluster(kafka), receive: createCluster(kafka) }
  const { prefix, partitions, durable } = options
  try {
    await brokerRetries.untilDone('the first request', limits.openMsMax, () => admin.connect())
    if (options.checkCluster !== undefined) {
      const described = await brokerRetries.untilDone('the cluster id', limits.openMsMax, () => admin.describeCluster())
      options.checkCluster(described.clusterId ?? '')
    }
    const ensure = () => ensureTopics(admin, { prefix, partitions, topics, durable })
    const warning = await brokerRetries.untilDone('the topics', limits.openMsMax, ensure)
    if (warning !== undefined) options.notice(warning)
    const wires = new Map<string, Wire>()
    for (const topic of topics) {
      const open = () => Wire.open(`${prefix}${topic.name}-value`, JSON.stringify(readSchema(topic.schema)), registry)
      wires.set(topic.name, await brokerRetries.untilDone('the schemas', limits.openMsMax, open))
    }
    for (const cluster of Object.values(connected))
      await brokerRetries.untilDone('a connection', limits.openMsMax, () => connect(cluster, topics, prefix))
    const { owners, early } = options
    const partition = early && new Partition(early, prefix + early.name, 0)
    const messages =
      partition && new KafkaMessages({ clusters, partition, wire: wires.get(partition.topic.name) as Wire, brokerRetries, limits })
    const log = new KafkaLog({
      ...{ kafka, admin, clusters, wires, topics, owners, messages, prefix, partitions, brokerRetries, limits },
      closeRegistry: () => registry.close(),
    })
    await log.refresh()
    return log
  } catch (failure) {
    brokerRetries.isClosing = true
    await Promise.all([admin, ...Object.values(clusters)].map((connection) => connection.disconnect().catch(() => {})))
    registry.close()
    throw failure
  }
}

/** With the topics of the log itself. */
const withOwn = ({ topics, owners, early }: KafkaLogOptions): readonly Topic[] => {
  const own = early === undefined ? [owners] : [owners, early]
  return [...topics, ...own.filter(({ name }) => topics.every((topic) => topic.name !== name))]
}

const connect = async (cluster: Cluster, topics: readonly Topic[], prefix: string): Promise<void> => {
  await cluster.connect()
  await cluster.addMultipleTargetTopics(topics.map(({ name }) => prefix + name))
}
