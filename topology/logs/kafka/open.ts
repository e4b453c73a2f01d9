// Opens the log on Kafka: creates or checks topics and schemas, and refuses to start if they differ.
import type { Cluster } from 'kafkajs'
import { readSchema } from '../../../schemas/avro.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { BrokerRetries } from './broker-retries.ts'
import { createAdmin, createClient, createCluster } from './client.ts'
import { KafkaLog } from './kafka.ts'
import { KAFKA_LIMITS, type KafkaLogOptions } from './options.ts'
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
  const topics = withOwners(options)
  const registry = new SchemaRegistry(options.registry)
  const kafka = createClient(options)
  const admin = createAdmin(kafka)
  const clusters = { reads: createCluster(kafka), tail: createCluster(kafka), owners: createCluster(kafka) }
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
    for (const cluster of Object.values(clusters))
      await brokerRetries.untilDone('a connection', limits.openMsMax, () => connect(cluster, topics, prefix))
    const log = new KafkaLog({
      ...{ kafka, admin, clusters, wires, topics, owners: options.owners, prefix, partitions, brokerRetries, limits },
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

const withOwners = ({ topics, owners }: KafkaLogOptions): readonly Topic[] =>
  topics.some(({ name }) => name === owners.name) ? topics : [...topics, owners]

const connect = async (cluster: Cluster, topics: readonly Topic[], prefix: string): Promise<void> => {
  await cluster.connect()
  await cluster.addMultipleTargetTopics(topics.map(({ name }) => prefix + name))
}
