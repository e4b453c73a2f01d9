// The log on Kafka, and the group that shares its work out. Loaded only where a broker is named: Kafka's packages are a third of all that
// `up` would load.
import type { Topic } from '../../../schemas/topics.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../launch-risk.ts'
import { KafkaAssignment } from '../../logs/kafka/group/assignment.ts'
import { openKafkaLog } from '../../logs/kafka/open.ts'
import type { Assignment } from '../../ports/assignment.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { chainPlaceOf } from '../../runtime/runtime.ts'
import { topicsOfAll } from '../../topology.ts'
import { atStop } from '../../waiting/waiting.ts'
import type { Settings } from '../settings/settings.ts'
import type { KafkaSettings } from '../settings/settings-kafka.ts'
import type { Closing } from '../start/closing.ts'

/** The decoder and the sink together cost about what the folds of so many partitions do. */
const CHAIN_WEIGHT = 4
const CHAIN_PLACES = new Set(TOPOLOGIES.map(chainPlaceOf))

/** The topics of the log, kept for as long as the settings say. */
export const keptTopics = (settings: Pick<Settings, 'retention'>): readonly Topic[] =>
  topicsOfAll(TOPOLOGIES).map((topic) => ({ ...topic, retentionHours: hoursOf(topic, settings) }))

/** The log; `closing` learns how it ends. From `stop` on, brokers that are away are not waited for. */
export const openShared = async (
  settings: Settings,
  kafka: KafkaSettings,
  closing: Closing,
  notice: Notice,
  stop: AbortSignal = new AbortController().signal,
): Promise<Log> => {
  const topics = keptTopics(settings)
  // One topic for all.
  const { owners } = LAUNCH_RISK.operations.kafka.writes
  const { partitions } = settings
  const log = await openKafkaLog({ ...kafka, partitions, topics, owners, notice: (reason) => notice('log', { reason }) })
  closing.add('log', () => log.close())
  atStop(stop, () => log.hurry())
  return log
}

/** Of those who share the work out. */
export const WORK_GROUP = 'process'

/** The group's member in this process. */
export const assignmentOf = (kafka: KafkaSettings, notice: Notice): Assignment =>
  new KafkaAssignment({
    ...kafka,
    group: WORK_GROUP,
    notice: (reason) => notice('group', { reason }),
    weightOf: (place) => (CHAIN_PLACES.has(place) ? CHAIN_WEIGHT : 1),
  })

/** Of those who sell to a wallet without a common memory of payments. */
export const salesGroupName = (wallet: string): string => `sales.${wallet}`
export const salesGroupOf = (kafka: KafkaSettings, wallet: string, notice: Notice): Assignment =>
  new KafkaAssignment({ ...kafka, group: salesGroupName(wallet), notice: (reason) => notice('group', { reason }), weightOf: () => 1 })

/** What the brokers keep: they let go of it by themselves. */
const hoursOf = (topic: Topic, { retention }: Pick<Settings, 'retention'>): number => {
  if (topic.cleanup === 'compact') return topic.retentionHours
  return topic.schema === 'raw' ? retention.rawHours : retention.tapeDays * 24
}
