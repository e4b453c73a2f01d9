// Creates missing topics on the brokers, and checks the settings of existing ones.
import kafkajs, { type Admin, type ITopicConfig, type ITopicMetadata } from 'kafkajs'
import { EngineError } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { partitionsOf, VALUE_BYTES_MAX } from '../limits.ts'
import { COPIES_WANTED, minInsync, missingCopies } from './copies.ts'

const HOUR_MS = 3_600_000
/** Compaction skips the active segment: small segments keep a restore short. */
const COMPACT_SEGMENT_BYTES = 64 * 1024 * 1024
/** A record and Kafka's overhead. */
const MESSAGE_BYTES_MAX = VALUE_BYTES_MAX + 64 * 1024

export interface TopicPlan {
  readonly prefix: string
  readonly partitions: number
  readonly topics: readonly Topic[]
}

/** Settings that are checked, in the broker's format. */
const checked = (topic: Topic, replicas: number): Record<string, string> => ({
  'cleanup.policy': topic.cleanup,
  'min.insync.replicas': String(minInsync(replicas)),
  ...(topic.cleanup === 'delete' ? { 'retention.ms': String(topic.retentionHours * HOUR_MS) } : {}),
})

const configOf = (topic: Topic, plan: TopicPlan, replicas: number): ITopicConfig => {
  const settings: Record<string, string> = {
    ...checked(topic, replicas),
    'max.message.bytes': String(MESSAGE_BYTES_MAX),
    ...(topic.cleanup === 'compact' ? { 'segment.bytes': String(COMPACT_SEGMENT_BYTES), 'min.cleanable.dirty.ratio': '0.2' } : {}),
  }
  return {
    topic: plan.prefix + topic.name,
    numPartitions: partitionsOf(topic, plan.partitions),
    replicationFactor: replicas,
    configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
  }
}

/**
 * Returns a warning about topics with too few replicas. @throws EngineError `topic_settings` that lists every difference; existing topics
 * are never changed.
 */
export const ensureTopics = async (admin: Admin, plan: TopicPlan): Promise<string | undefined> => {
  const known = new Set(await admin.listTopics())
  const missing = plan.topics.filter(({ name }) => !known.has(plan.prefix + name))
  const { brokers } = await admin.describeCluster()
  if (missing.length > 0) {
    const replicas = Math.min(COPIES_WANTED, brokers.length)
    // Returns false if another process was faster: its topics are checked below like any other.
    await admin.createTopics({ waitForLeaders: true, topics: missing.map((topic) => configOf(topic, plan, replicas)) })
  }
  const { topics: metadata } = await admin.fetchTopicMetadata({ topics: plan.topics.map(({ name }) => plan.prefix + name) })
  const differences = await differencesOf(admin, plan, metadata)
  if (differences.length === 0) return missingCopies(metadata, brokers.length)
  const advice =
    'Change the topics or the settings (MINTFOLD_PARTITIONS, MINTFOLD_RAW_HOURS, MINTFOLD_TAPE_DAYS), or use another MINTFOLD_TOPIC_PREFIX'
  throw new EngineError('topic_settings', `${differences.join('; ')}. ${advice}`, { facts: { differences: differences.length } })
}

/** What a start would find: the number of existing topics, and the differences it would refuse. */
export interface TriedTopics {
  readonly there: number
  /** Differences of the existing topics; empty if all match. */
  readonly differences: readonly string[]
  readonly warning: string | undefined
}

/** Like `ensureTopics`, but missing topics are only validated, not created. @throws the brokers' refusal */
export const tryTopics = async (admin: Admin, plan: TopicPlan): Promise<TriedTopics> => {
  const known = new Set(await admin.listTopics())
  const isThere = ({ name }: Topic): boolean => known.has(plan.prefix + name)
  const topics = plan.topics.filter(isThere)
  const missing = plan.topics.filter((topic) => !isThere(topic))
  const { brokers } = await admin.describeCluster()
  const replicas = Math.min(COPIES_WANTED, brokers.length)
  if (missing.length > 0)
    await admin.createTopics({ validateOnly: true, waitForLeaders: false, topics: missing.map((topic) => configOf(topic, plan, replicas)) })
  if (topics.length === 0) return { there: 0, differences: [], warning: undefined }
  const { topics: metadata } = await admin.fetchTopicMetadata({ topics: topics.map(({ name }) => plan.prefix + name) })
  const differences = await differencesOf(admin, { ...plan, topics }, metadata)
  return { there: topics.length, differences, warning: missingCopies(metadata, brokers.length) }
}

const differencesOf = async (admin: Admin, plan: TopicPlan, metadata: readonly ITopicMetadata[]): Promise<readonly string[]> => {
  const names = plan.topics.map(({ name }) => plan.prefix + name)
  const described = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name, configNames: [...CHECKED_NAMES] })),
  })
  return plan.topics.flatMap((topic) => {
    const name = plan.prefix + topic.name
    const partitions = metadata.find((at) => at.name === name)?.partitions ?? []
    const entries = described.resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? []
    const has = new Map(entries.map(({ configName, configValue }) => [configName, configValue]))
    const wanted = partitionsOf(topic, plan.partitions)
    const faults = partitions.length === wanted ? [] : [`${name} has ${partitions.length} partitions, wanted ${wanted}`]
    for (const [setting, value] of Object.entries(checked(topic, partitions[0]?.replicas.length ?? 1)))
      if (has.get(setting) !== value) faults.push(`${name} has ${setting}=${has.get(setting)}, wanted ${value}`)
    const bytes = Number(has.get('max.message.bytes'))
    if (bytes < MESSAGE_BYTES_MAX) faults.push(`${name} has max.message.bytes=${bytes}, wanted at least ${MESSAGE_BYTES_MAX}`)
    return faults
  })
}

const CHECKED_NAMES = ['cleanup.policy', 'min.insync.replicas', 'retention.ms', 'max.message.bytes'] as const
