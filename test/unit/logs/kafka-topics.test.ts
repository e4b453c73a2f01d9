// Which topics a start refuses or creates, over a fake admin client: a broker away, unusual copies, rights that a user lacks.
import { type Admin, ConfigResourceTypes } from 'kafkajs'
import { notDurable } from '../../../topology/logs/kafka/copies.ts'
import type { Durable } from '../../../topology/logs/kafka/options.ts'
import { configOf, type TopicPlan } from '../../../topology/logs/kafka/topic-settings.ts'
import { ensureTopics, tryTopics } from '../../../topology/logs/kafka/topics.ts'
import { EVENTS } from '../../contract/log-topics.ts'

const TOPIC = `x.${EVENTS.name}`
const FORBIDDEN = Object.assign(new Error('Cluster authorization failed'), { name: 'KafkaJSProtocolError', retriable: false })

interface Given {
  readonly brokers?: number
  /** Of the only topic; absent: it does not exist. */
  readonly copies?: number
  readonly minInsync?: string
  /** Settings of each broker; absent: this user may not read them. */
  readonly settings?: Readonly<Record<string, string>>
}

const DURABLE = {
  'transaction.state.log.replication.factor': '3',
  'transaction.state.log.min.isr': '2',
  'offsets.topic.replication.factor': '3',
}

const cluster = ({ brokers = 3, copies, minInsync = '2', settings }: Given) => {
  const created: (number | undefined)[] = []
  const hasTopic = (): boolean => copies !== undefined || created.length > 0
  const replicas = (): number => copies ?? created[0] ?? 0
  const entriesOf = (type: number): readonly (readonly [string, string])[] => {
    if (type === ConfigResourceTypes.TOPIC) {
      const own = configOf(EVENTS, plan('all'), 3).configEntries ?? []
      return [...own.map(({ name, value }) => [name, value] as const), ['min.insync.replicas', minInsync]]
    }
    if (settings === undefined) throw FORBIDDEN
    return Object.entries(settings)
  }
  const admin = {
    listTopics: async () => (hasTopic() ? [TOPIC] : []),
    describeCluster: async () => ({ brokers: Array.from({ length: brokers }, (_, nodeId) => ({ nodeId })) }),
    fetchTopicMetadata: async () => ({ topics: [{ name: TOPIC, partitions: Array(3).fill({ replicas: Array(replicas()).fill(0) }) }] }),
    describeConfigs: async ({ resources }: { resources: { type: number; name: string }[] }) => ({
      resources: resources.map(({ type, name }) => ({
        resourceName: name,
        configEntries: entriesOf(type).map(([configName, configValue]) => ({ configName, configValue })),
      })),
    }),
    createTopics: async ({ topics, validateOnly }: { topics: { replicationFactor: number }[]; validateOnly?: boolean }) => {
      if (validateOnly !== true) created.push(...topics.map(({ replicationFactor }) => replicationFactor))
    },
  }
  return { admin: admin as unknown as Admin, created }
}
const plan = (durable: Durable): TopicPlan => ({ prefix: 'x.', partitions: 3, topics: [EVENTS], durable })
const start = (given: Given, durable: Durable = 'all') => ensureTopics(cluster({ settings: DURABLE, ...given }).admin, plan(durable))

describe('copies of topics', () => {
  test('three are accepted while a broker is away', async () => {
    expect(await start({ copies: 3, brokers: 2 })).toBeUndefined()
  })
  test.each([
    [{ copies: 2, minInsync: '1' }, 'x.contract.events (2 copies, min.insync.replicas=1): give each partition 3 replicas'],
    [{ copies: 3, minInsync: '1' }, 'x.contract.events (3 copies, min.insync.replicas=1): run kafka-configs.sh'],
    [{ copies: 1, minInsync: '1', brokers: 1 }, 'x.contract.events (1 copy, min.insync.replicas=1): start 2 more brokers, then give'],
    [{ copies: 3, settings: { ...DURABLE, 'transaction.state.log.min.isr': '1' } }, 'set transaction.state.log.replication.factor=3'],
  ])('%j are refused with the flag that accepts them, and accepted by it', async (given, words) => {
    await expect(start(given)).rejects.toMatchObject({ code: 'not_durable', message: expect.stringContaining(words) })
    await expect(start(given)).rejects.toThrow('--single-broker')
    await expect(start(given, 'none')).resolves.not.toThrow()
  })
  test('more are accepted with more acknowledgements, as long as one broker may fail', async () => {
    expect(await start({ copies: 5, minInsync: '3' })).toBeUndefined()
    await expect(start({ copies: 3, minInsync: '3' })).rejects.toMatchObject({
      code: 'topic_settings',
      message: expect.stringContaining('min.insync.replicas=3 with replicas: 3, wanted at most 2'),
    })
  })
  test('that do not exist are created only where three brokers are, or by the flag with as many as there are', async () => {
    for (const [durable, brokers, copies] of [
      ['all', 3, [3]],
      ['new', 3, [3]],
      ['all', 2, []],
      ['new', 2, []],
      ['none', 2, [2]],
    ] as const) {
      const { admin, created } = cluster({ brokers, settings: DURABLE, minInsync: brokers === 3 ? '2' : '1' })
      await ensureTopics(admin, plan(durable)).catch((failure: unknown) => expect(failure).toMatchObject({ code: 'not_durable' }))
      expect({ durable, brokers, created }).toEqual({ durable, brokers, created: copies })
    }
  })
  test('of the brokers’ own topics are named by doctor, and no fault, if this user may not read them', async () => {
    const tried = await tryTopics(cluster({ copies: 3 }).admin, plan('all'))
    expect(tried).toMatchObject({ refusal: undefined, warning: undefined, unread: ['__transaction_state', '__consumer_offsets'] })
  })
  test('are named for at most three topics, with the number of the others', () => {
    const topics = ['d', 'c', 'b', 'a', 'e'].map((name) => ({ name, copies: 1, minInsync: null }))
    expect(notDurable(topics, 3)?.message).toMatch(/^5 topics have .*: a \(1 copy\), b \(1 copy\), c \(1 copy\) and 2 more: give/)
  })
})
