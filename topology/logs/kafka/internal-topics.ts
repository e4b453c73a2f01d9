// The brokers' own topics that commits depend on. Commits are safe only if these outlive the loss of a broker too.
import kafkajs, { type Admin } from 'kafkajs'
import { COPIES_WANTED, type Kept, minInsync } from './copies.ts'
import { isRefusedAnswer } from './failures.ts'
import { copiesOf, MIN_INSYNC, numberIn, readConfigs } from './topic-configs.ts'

interface InternalTopic {
  readonly name: string
  /** Settings of the brokers that create it; null: not checked. */
  readonly copies: string
  readonly minInsync: string | null
}

/** The first has the outcome of each transaction. The second has no positions of ours: without it no group forms, but nothing is lost. */
const INTERNAL: readonly InternalTopic[] = [
  { name: '__transaction_state', copies: 'transaction.state.log.replication.factor', minInsync: 'transaction.state.log.min.isr' },
  { name: '__consumer_offsets', copies: 'offsets.topic.replication.factor', minInsync: null },
]

export interface InternalTopics {
  readonly kept: readonly Kept[]
  /** Names of those that this user may not describe, or whose brokers keep to themselves how they are kept. */
  readonly unread: readonly string[]
}

export const NO_INTERNAL_TOPICS: InternalTopics = { kept: [], unread: [] }

/**
 * Describes them, or the broker settings that will create them. `known`: the existing topics; `nodeId`: any broker.
 * @throws as kafkajs does if brokers are unreachable
 */
export const readInternalTopics = async (admin: Admin, known: ReadonlySet<string>, nodeId: number): Promise<InternalTopics> => {
  const kept: Kept[] = []
  const unread: string[] = []
  for (const topic of INTERNAL) {
    const found = await readOne(admin, topic, known, nodeId)
    if (found === null) unread.push(topic.name)
    else kept.push(found)
  }
  return { kept, unread }
}

const readOne = async (admin: Admin, topic: InternalTopic, known: ReadonlySet<string>, nodeId: number): Promise<Kept | null> => {
  try {
    const kept = await (known.has(topic.name) ? existing(admin, topic) : toBeCreated(admin, topic, nodeId))
    return Number.isNaN(kept.copies) ? null : kept
  } catch (failure) {
    if (isRefusedAnswer(failure)) return null
    throw failure
  }
}

const existing = async (admin: Admin, { name, minInsync: setting }: InternalTopic): Promise<Kept> => {
  const { topics } = await admin.fetchTopicMetadata({ topics: [name] })
  const copies = Math.min(...topics.map(copiesOf))
  if (setting === null) return { name, copies, minInsync: null }
  const configs = await readConfigs(admin, kafkajs.ConfigResourceTypes.TOPIC, [name], [MIN_INSYNC])
  return { name, copies, minInsync: numberIn(configs.get(name), MIN_INSYNC) }
}

const toBeCreated = async (admin: Admin, topic: InternalTopic, nodeId: number): Promise<Kept> => {
  const names = topic.minInsync === null ? [topic.copies] : [topic.copies, topic.minInsync]
  const configs = (await readConfigs(admin, kafkajs.ConfigResourceTypes.BROKER, [String(nodeId)], names)).get(String(nodeId))
  return {
    name: topic.name,
    copies: numberIn(configs, topic.copies) ?? Number.NaN,
    minInsync: topic.minInsync === null ? null : numberIn(configs, topic.minInsync),
    brokerSettings: names.map((name) => `${name}=${name === topic.copies ? COPIES_WANTED : minInsync(COPIES_WANTED)}`),
  }
}
