// What `doctor` looks at of the log on Kafka: brokers, topics, registry. Nothing is made and nothing changed.

import type { Admin } from 'kafkajs'
import { messageOf } from '../../schemas/errors.ts'
import { TOPICS } from '../../schemas/topics.ts'
import { createAdmin, createClient } from '../logs/kafka/client.ts'
import { missingCopies } from '../logs/kafka/copies.ts'
import { partitionsOf } from '../logs/limits.ts'
import type { Check } from './check.ts'
import { salesGroupName } from './open-kafka.ts'
import type { Settings } from './settings.ts'
import type { KafkaSettings } from './settings-kafka.ts'

const ANSWER_MS_MAX = 5_000

/** Brokers with their topics, who sells there, then the registry. */
export async function* checkKafka({ partitions, facilitator, redisUrl }: Settings, kafka: KafkaSettings): AsyncIterable<Check> {
  yield await checkBrokers(partitions, kafka)
  if (facilitator !== null && redisUrl === null) yield await checkSales(facilitator.payTo, kafka)
  yield await checkRegistry(kafka)
}

/** Who sells without a common memory of payments: one process at most. */
const checkSales = (wallet: string, kafka: KafkaSettings): Promise<Check> =>
  asked('sales', kafka, async (admin) => {
    const { groups } = await admin.describeGroups([kafka.prefix + salesGroupName(wallet)])
    const sellers = groups[0]?.members.length ?? 0
    const now = sellers === 0 ? 'nobody sells' : `${sellers === 1 ? 'one process sells' : `${sellers} processes want to sell`}`
    return {
      ok: sellers < 2,
      words: `${now} to ${wallet}; REDIS_URL is not set, so that a second is refused: set it for all of them to sell from several`,
    }
  })

/** What an admin of the brokers finds, or why it cannot. */
const asked = async (name: string, kafka: KafkaSettings, look: (admin: Admin) => Promise<Omit<Check, 'name'>>): Promise<Check> => {
  const { brokers, security } = kafka
  const admin = createAdmin(createClient(kafka))
  const late = new Promise<never>((_, reject) => setTimeout(reject, ANSWER_MS_MAX, new Error(`no answer in ${ANSWER_MS_MAX} ms`)).unref())
  try {
    const found = await Promise.race([admin.connect().then(() => look(admin)), late])
    return { name, ...found }
  } catch (failure) {
    const login = security.sasl === null && !security.tls ? 'KAFKA_BROKERS' : 'KAFKA_BROKERS, KAFKA_TLS and the login'
    return { name, ok: false, words: `${brokers.join(',')} cannot be asked (${messageOf(failure)}): start a broker, or check ${login}` }
  } finally {
    await admin.disconnect().catch(() => {})
  }
}

const checkBrokers = (partitions: number, kafka: KafkaSettings): Promise<Check> =>
  asked('kafka', kafka, async (admin) => {
    const { brokers, prefix } = kafka
    const { brokers: all } = await admin.describeCluster()
    const known = new Set(await admin.listTopics())
    const names = Object.values(TOPICS).map((topic) => prefix + topic.name)
    const there = names.filter((topic) => known.has(topic))
    const words = `${all.length} broker${all.length === 1 ? '' : 's'} at ${brokers.join(',')}`
    if (there.length === 0) return { ok: true, words: `${words}; no topics ${prefix}* yet: the first start makes them` }
    const { topics } = await admin.fetchTopicMetadata({ topics: there })
    const wrong = topics.filter((topic) => topic.partitions.length !== wantedOf(topic.name.slice(prefix.length), partitions))
    const few = missingCopies(topics, all.length)
    if (wrong.length === 0 && few !== undefined) return { ok: false, words: `${words}; ${few}` }
    if (wrong.length === 0) return { ok: true, words: `${words}; ${there.length} of ${names.length} topics ${prefix}* are there` }
    const counts = wrong.map((topic) => `${topic.name} has ${topic.partitions.length}`).join(', ')
    return { ok: false, words: `${words}; ${counts} partitions: set MINTFOLD_PARTITIONS to that, or another MINTFOLD_TOPIC_PREFIX` }
  })

const wantedOf = (name: string, partitions: number): number => {
  const topic = Object.values(TOPICS).find((one) => one.name === name)
  return topic === undefined ? 0 : partitionsOf(topic, partitions)
}

const checkRegistry = async ({ registry: { url, login } }: KafkaSettings): Promise<Check> => {
  const name = 'registry'
  const { origin } = new URL(url)
  try {
    const headers: Record<string, string> =
      login === null ? {} : { authorization: `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}` }
    const signal = AbortSignal.timeout(ANSWER_MS_MAX)
    const response = await fetch(`${url.replace(/\/+$/, '')}/subjects`, { headers, redirect: 'manual', signal })
    const subjects: unknown = response.ok ? JSON.parse(await response.text()) : null
    if (Array.isArray(subjects)) return { name, ok: true, words: `${origin} answers: ${subjects.length} subjects` }
    const what =
      response.status === 401 || response.status === 403 ? 'SCHEMA_REGISTRY_USERNAME and _PASSWORD' : 'the path of SCHEMA_REGISTRY_URL'
    return { name, ok: false, words: `${origin} answers with status ${response.status}: check ${what}` }
  } catch (failure) {
    return {
      name,
      ok: false,
      words: `${origin} does not list its subjects (${messageOf(failure)}): start it, or check SCHEMA_REGISTRY_URL`,
    }
  }
}
