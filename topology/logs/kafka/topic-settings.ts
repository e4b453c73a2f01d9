// The settings of topics on the brokers: those that new topics get, and in which existing ones may not differ.
import type { ITopicConfig } from 'kafkajs'
import type { Topic } from '../../../schemas/topics.ts'
import { partitionsOf, VALUE_BYTES_MAX } from '../limits.ts'
import { acknowledgedMax, type Kept, minInsync } from './copies.ts'
import type { Durable } from './options.ts'
import { MIN_INSYNC } from './topic-configs.ts'

const HOUR_MS = 3_600_000
/** Compaction skips the active segment: small segments keep a restore short. */
const COMPACT_SEGMENT_BYTES = 64 * 1024 * 1024
/** Snapshots, views and standbys miss a deletion if its tombstone is gone before they read on. */
const TOMBSTONE_MS = 24 * HOUR_MS
/** A record and Kafka's overhead. */
const MESSAGE_BYTES_MAX = VALUE_BYTES_MAX + 64 * 1024

export interface TopicPlan {
  readonly prefix: string
  readonly partitions: number
  readonly topics: readonly Topic[]
  readonly durable: Durable
}

const TOMBSTONE_SETTING = 'delete.retention.ms'
export const CHECKED_NAMES = ['cleanup.policy', MIN_INSYNC, 'retention.ms', 'max.message.bytes', TOMBSTONE_SETTING] as const
/** Settings of brokers that new topics would get, and do not. */
export const BROKER_DEFAULTS = ['compression.type', 'log.message.timestamp.type', 'log.cleaner.delete.retention.ms'] as const

/** Settings that must be equal, in the broker's format. */
const fixed = (topic: Topic): Record<string, string> => ({
  'cleanup.policy': topic.cleanup,
  ...(topic.cleanup === 'delete' ? { 'retention.ms': String(topic.retentionHours * HOUR_MS) } : {}),
})

const compacted = {
  'segment.bytes': String(COMPACT_SEGMENT_BYTES),
  'min.cleanable.dirty.ratio': '0.2',
  'min.compaction.lag.ms': '0',
  [TOMBSTONE_SETTING]: String(TOMBSTONE_MS),
}

/** A new topic with this many replicas. */
export const configOf = (topic: Topic, plan: TopicPlan, replicas: number): ITopicConfig => {
  const settings: Record<string, string> = {
    ...fixed(topic),
    [MIN_INSYNC]: String(minInsync(replicas)),
    'max.message.bytes': String(MESSAGE_BYTES_MAX),
    'compression.type': 'producer',
    'message.timestamp.type': 'CreateTime',
    ...(topic.cleanup === 'compact' ? compacted : {}),
  }
  return {
    topic: plan.prefix + topic.name,
    numPartitions: partitionsOf(topic, plan.partitions),
    replicationFactor: replicas,
    configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
  }
}

/** An existing topic: its number of partitions and its settings. */
interface Existing {
  readonly partitions: number
  readonly has: ReadonlyMap<string, string>
}

/** Each difference from the plan, with what is wanted. Too few copies are not among them. */
export const differencesOf = (topic: Topic, plan: TopicPlan, kept: Kept, { partitions, has }: Existing): readonly string[] => {
  const { name, minInsync: acknowledged } = kept
  const wanted = partitionsOf(topic, plan.partitions)
  const faults = partitions === wanted ? [] : [`${name} has ${partitions} partitions, wanted ${wanted}`]
  for (const [setting, value] of Object.entries(fixed(topic)))
    if (has.get(setting) !== value) faults.push(`${name} has ${setting}=${has.get(setting)}, wanted ${value}`)
  const most = acknowledgedMax(kept.copies)
  if (acknowledged !== null && acknowledged > most)
    faults.push(`${name} has min.insync.replicas=${acknowledged} with replicas: ${kept.copies}, wanted at most ${most}`)
  const keptMs = Number(has.get(TOMBSTONE_SETTING))
  if (topic.cleanup === 'compact' && keptMs < TOMBSTONE_MS)
    faults.push(`${name} has ${TOMBSTONE_SETTING}=${keptMs}, wanted at least ${TOMBSTONE_MS}`)
  const bytes = Number(has.get('max.message.bytes'))
  if (bytes < MESSAGE_BYTES_MAX) faults.push(`${name} has max.message.bytes=${bytes}, wanted at least ${MESSAGE_BYTES_MAX}`)
  return faults
}
