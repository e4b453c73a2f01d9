// Creates missing topics on the brokers, and checks the settings and copies of existing ones.
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs'
import { EngineError } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { COPIES_WANTED, type Kept, missingCopies, notDurable, tooFewBrokers } from './copies.ts'
import { type InternalTopics, NO_INTERNAL_TOPICS, readInternalTopics } from './internal-topics.ts'
import { copiesOf, MIN_INSYNC, numberIn, readConfigs } from './topic-configs.ts'
import { CHECKED_NAMES, configOf, differencesOf, type TopicPlan } from './topic-settings.ts'

/**
 * Returns a warning about topics that could have more copies. A start that is refused creates nothing.
 * @throws EngineError `not_durable`; `topic_settings`, which lists every difference. Existing topics are never changed.
 */
export const ensureTopics = async (admin: Admin, plan: TopicPlan): Promise<string | undefined> => {
  const found = await look(admin, plan)
  refuse(plan, found)
  if (found.missing.length === 0) return warningOf(found)
  // Returns false if another process was faster: its topics are checked below like any other.
  await admin.createTopics({ waitForLeaders: true, topics: creations(found, plan) })
  const now = { ...found, ...(await describe(admin, plan, plan.topics)), missing: [] }
  refuse(plan, now)
  return warningOf(now)
}

/** What a start would find: the number of existing topics, and what it would refuse. */
export interface TriedTopics {
  readonly there: number
  /** Differences of the existing topics; empty if all match. */
  readonly differences: readonly string[]
  /** Why topics would not outlive the loss of a broker, if they must. */
  readonly refusal: string | undefined
  readonly warning: string | undefined
  /** The brokers' own topics that this user may not describe. */
  readonly unread: readonly string[]
}

/** Like `ensureTopics`, but missing topics are only validated, not created. @throws the brokers' refusal */
export const tryTopics = async (admin: Admin, plan: TopicPlan): Promise<TriedTopics> => {
  const found = await look(admin, plan)
  const { missing, differences, internal } = found
  const refusal = refusalOf(plan, found)?.message
  if (missing.length > 0 && refusal === undefined)
    await admin.createTopics({ validateOnly: true, waitForLeaders: false, topics: creations(found, plan) })
  const there = plan.topics.length - missing.length
  return { there, differences, refusal, warning: warningOf(found), unread: internal.unread }
}

/** The existing topics of the plan. */
interface Described {
  readonly kept: readonly Kept[]
  readonly differences: readonly string[]
}

interface Found extends Described {
  /** The number of live brokers. */
  readonly brokers: number
  readonly missing: readonly Topic[]
  readonly internal: InternalTopics
}

const look = async (admin: Admin, plan: TopicPlan): Promise<Found> => {
  const known = new Set(await admin.listTopics())
  const { brokers } = await admin.describeCluster()
  const isThere = ({ name }: Topic): boolean => known.has(plan.prefix + name)
  const described = await describe(admin, plan, plan.topics.filter(isThere))
  const [any] = brokers
  const isChecked = plan.durable !== 'new' && any !== undefined
  const internal = isChecked ? await readInternalTopics(admin, known, any.nodeId) : NO_INTERNAL_TOPICS
  return { ...described, internal, missing: plan.topics.filter((topic) => !isThere(topic)), brokers: brokers.length }
}

const describe = async (admin: Admin, plan: TopicPlan, topics: readonly Topic[]): Promise<Described> => {
  if (topics.length === 0) return { kept: [], differences: [] }
  const names = topics.map(({ name }) => plan.prefix + name)
  const { topics: metadata } = await admin.fetchTopicMetadata({ topics: names })
  const configs = await readConfigs(admin, kafkajs.ConfigResourceTypes.TOPIC, names, CHECKED_NAMES)
  const read = topics.map((topic) => {
    const name = plan.prefix + topic.name
    const found = metadata.find((at) => at.name === name) ?? { name, partitions: [] }
    const has = configs.get(name) ?? new Map<string, string>()
    const kept = { name, copies: copiesOf(found), minInsync: numberIn(has, MIN_INSYNC) }
    return { kept, differences: differencesOf(topic, plan, kept, { partitions: found.partitions.length, has }) }
  })
  return { kept: read.map(({ kept }) => kept), differences: read.flatMap(({ differences }) => differences) }
}

const creations = ({ missing, brokers }: Found, plan: TopicPlan): ITopicConfig[] =>
  missing.map((topic) => configOf(topic, plan, Math.min(COPIES_WANTED, brokers)))

const warningOf = ({ kept, internal, brokers }: Found): string | undefined => missingCopies([...kept, ...internal.kept], brokers)

const refuse = (plan: TopicPlan, found: Found): void => {
  const refusal = refusalOf(plan, found)
  if (refusal !== undefined) throw refusal
  const { differences } = found
  if (differences.length === 0) return
  const advice =
    'Change the topics or the settings (MINTFOLD_PARTITIONS, MINTFOLD_RAW_HOURS, MINTFOLD_TAPE_DAYS), or use another MINTFOLD_TOPIC_PREFIX'
  throw new EngineError('topic_settings', `${differences.join('; ')}. ${advice}`, { facts: { differences: differences.length } })
}

const refusalOf = ({ durable, prefix }: TopicPlan, { missing, brokers, kept, internal }: Found): EngineError | undefined => {
  if (durable === 'none') return undefined
  const names = missing.map(({ name }) => prefix + name)
  if (names.length > 0 && brokers < COPIES_WANTED) return tooFewBrokers(names, brokers)
  return durable === 'all' ? notDurable([...kept, ...internal.kept], brokers) : undefined
}
