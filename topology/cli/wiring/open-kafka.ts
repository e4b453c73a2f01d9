// The log on Kafka and its consumer groups. Loaded only if brokers are set: Kafka's packages are a third of everything that `up` would
// load.
import { assert } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../launch-risk.ts'
import { KafkaAssignment } from '../../logs/kafka/group/assignment.ts'
import type { KafkaLog } from '../../logs/kafka/kafka.ts'
import { openKafkaLog } from '../../logs/kafka/open.ts'
import { type Durable, KAFKA_LIMITS, type KafkaLogOptions } from '../../logs/kafka/options.ts'
import type { Assignment } from '../../ports/assignment.ts'
import type { Notice } from '../../ports/notice.ts'
import { chainPartitionOf } from '../../runtime/task-parts.ts'
import { topicsOfAll } from '../../topology.ts'
import { atStop } from '../../waiting/waiting.ts'
import type { Settings } from '../settings/settings.ts'
import type { KafkaSettings } from '../settings/settings-kafka.ts'
import type { Closing } from '../start/closing.ts'
import type { GivenWorker } from '../threads/threads.ts'
import { openMember } from './open-member.ts'

/** Decoder and sink together cost about as much as the folds of this many partitions. */
const CHAIN_WEIGHT = 4
const CHAIN_PARTITIONS = new Set(TOPOLOGIES.map(chainPartitionOf))

/** The topics of the log, with the retention of the settings. */
export const keptTopics = (settings: Pick<Settings, 'retention'>): readonly Topic[] =>
  topicsOfAll(TOPOLOGIES).map((topic) => ({ ...topic, retentionHours: hoursOf(topic, settings) }))

type SharedSettings = Pick<Settings, 'partitions' | 'retention'>

const optionsOf = (settings: SharedSettings, kafka: KafkaSettings, durable: Durable): Omit<KafkaLogOptions, 'notice'> => {
  const topics = keptTopics(settings)
  // All chains share these topics.
  const { owners, early } = LAUNCH_RISK.operations.kafka.writes
  return { ...kafka, durable: kafka.isSingleBroker ? 'none' : durable, partitions: settings.partitions, topics, owners, early }
}

/** Opens the log for a command and registers its end with `closing`. Existing topics may have any number of copies: the roles refuse them. */
export const openShared = async (
  settings: SharedSettings,
  kafka: KafkaSettings,
  closing: Closing,
  notice: Notice,
  durable: Durable = 'new',
  checkCluster: (id: string) => void = () => {},
): Promise<KafkaLog> => {
  const log = await openKafkaLog({ ...optionsOf(settings, kafka, durable), notice: (reason) => notice('log', { reason }), checkCluster })
  closing.add('log', () => log.close())
  return log
}

/**
 * As `openShared`, for a role: all topics must outlive the loss of a broker. After `stop` it does not wait for unreachable brokers.
 * `checkCluster`: see the options of the log.
 */
export const openForRole = async (
  settings: SharedSettings,
  kafka: KafkaSettings,
  closing: Closing,
  notice: Notice,
  stop: AbortSignal,
  checkCluster?: (id: string) => void,
): Promise<KafkaLog> => {
  const log = await openShared(settings, kafka, closing, notice, 'all', checkCluster)
  atStop(stop, () => log.hurry())
  return log
}

/** Opens the log of a worker thread. Drops notices while it opens: the main thread opens its log first and reports faults of the topics. */
export const openForWorker = async (given: NonNullable<GivenWorker['shared']>, notice: Notice): Promise<KafkaLog> => {
  const { kafka, foldThreads } = given
  assert(kafka !== null, 'only a log on Kafka is opened by several threads')
  let isOpen = false
  const log = await openKafkaLog({
    ...optionsOf(given, kafka, 'new'),
    notice: (reason) => isOpen && notice('log', { reason }),
    limits: { keptBytesMax: KAFKA_LIMITS.keptBytesMax / foldThreads },
  })
  isOpen = true
  return log
}

/** Consumer group of the processes that decode and fold. */
export const WORK_GROUP = 'process'

/** This process's member of the group. */
export const assignmentOf = async (
  { dataDir }: Pick<Settings, 'dataDir'>,
  kafka: KafkaSettings,
  closing: Closing,
  notice: Notice,
): Promise<Assignment> =>
  new KafkaAssignment({
    ...kafka,
    group: WORK_GROUP,
    memory: await openMember(dataDir, WORK_GROUP, closing),
    notice: (reason) => notice('group', { reason }),
    weightOf: (partition) => (CHAIN_PARTITIONS.has(partition) ? CHAIN_WEIGHT : 1),
  })

/** Consumer group of the processes that take payments to a wallet without a shared store of payments. */
export const salesGroupName = (wallet: string): string => `sales.${wallet}`
export const salesGroupOf = async (
  { dataDir }: Pick<Settings, 'dataDir'>,
  kafka: KafkaSettings,
  wallet: string,
  closing: Closing,
  notice: Notice,
): Promise<Assignment> =>
  new KafkaAssignment({
    ...kafka,
    group: salesGroupName(wallet),
    memory: await openMember(dataDir, salesGroupName(wallet), closing),
    notice: (reason) => notice('group', { reason }),
    weightOf: () => 1,
    standbys: 0,
  })

/** Retention of a topic; the brokers delete older records. What is not of use for a day keeps its own. */
const hoursOf = (topic: Topic, { retention }: Pick<Settings, 'retention'>): number => {
  if (topic.cleanup === 'compact' || topic.retentionHours < 24) return topic.retentionHours
  return topic.schema === 'raw' ? retention.rawHours : retention.tapeDays * 24
}
