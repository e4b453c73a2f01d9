// Checks of `doctor` for the log on Kafka: brokers, rights, topics, registry. Read-only.

import kafkajs, { type Admin } from 'kafkajs'
import { storesCodec } from '../../../schemas/codecs.ts'
import { messageOf } from '../../../schemas/errors.ts'
import { ownName } from '../../../schemas/topics.ts'
import { checkLogName, type KafkaLogName, readLogName } from '../../data-dir/log-of-directory.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'
import { createAdmin, createClient } from '../../logs/kafka/client.ts'
import { peek } from '../../logs/kafka/peek.ts'
import { missingRights, tryCoordinators } from '../../logs/kafka/rights.ts'
import { readConfigs } from '../../logs/kafka/topic-configs.ts'
import { BROKER_DEFAULTS } from '../../logs/kafka/topic-settings.ts'
import { tryTopics } from '../../logs/kafka/topics.ts'
import type { Topology } from '../../topology.ts'
import { isCurrent, versionsOf } from '../../versions/stores-record.ts'
import type { Settings } from '../settings/settings.ts'
import type { KafkaSettings } from '../settings/settings-kafka.ts'
import { keptTopics, salesGroupName, WORK_GROUP } from '../wiring/open-kafka.ts'
import { type Check, good, poor } from './check.ts'

const ANSWER_MS_MAX = 5_000

/** Checks the brokers with their topics, the sellers, then the registry. */
export async function* checkKafka(settings: Settings, kafka: KafkaSettings): AsyncIterable<Check> {
  const { facilitator, redisUrl } = settings
  const brokers = await checkBrokers(settings, kafka)
  yield brokers
  const held = readLogName(settings.dataDir)
  if (held !== undefined) yield await checkHeld(settings.dataDir, held, kafka)
  if (brokers.ok) yield await checkDefaults(kafka)
  if (brokers.ok) yield await checkRights(settings, kafka)
  if (brokers.ok) for (const topology of TOPOLOGIES) yield await checkStores(kafka, topology)
  if (facilitator !== null && redisUrl === null) yield await checkSales(facilitator.payTo, kafka)
  yield await checkRegistry(kafka)
}

/** Whether the data directory belongs to these topics. */
const checkHeld = (dataDir: string, held: KafkaLogName, kafka: KafkaSettings): Promise<Check> =>
  checkWith('kafka directory', kafka, async (admin) => {
    const { clusterId: cluster } = await admin.describeCluster()
    try {
      checkLogName(dataDir, held, { cluster, prefix: kafka.prefix })
      return { ok: true, text: `${dataDir} belongs to these topics` }
    } catch (failure) {
      return { ok: false, text: messageOf(failure) }
    }
  })

/** The processes that sell without a shared store of payments: at most one may. */
const checkSales = (wallet: string, kafka: KafkaSettings): Promise<Check> =>
  checkWith('sales', kafka, async (admin) => {
    const { groups } = await admin.describeGroups([kafka.prefix + salesGroupName(wallet)])
    const sellers = groups[0]?.members.length ?? 0
    const now = sellers === 0 ? 'no process sells' : `${sellers === 1 ? 'one process sells' : `${sellers} processes want to sell`}`
    return {
      ok: sellers < 2,
      text: `${now} to ${wallet}; without REDIS_URL only one process may sell: to sell from several, set REDIS_URL for each of them`,
    }
  })

/** Runs a check with an admin client, or reports why it cannot. */
const checkWith = async (name: string, kafka: KafkaSettings, check: (admin: Admin) => Promise<Omit<Check, 'name'>>): Promise<Check> => {
  const { brokers, security } = kafka
  const admin = createAdmin(createClient(kafka))
  const late = new Promise<never>((_, reject) => setTimeout(reject, ANSWER_MS_MAX, new Error(`no answer in ${ANSWER_MS_MAX} ms`)).unref())
  try {
    const found = await Promise.race([admin.connect().then(() => check(admin)), late])
    return { name, ...found }
  } catch (failure) {
    const login = security.sasl === null && !security.tls ? 'KAFKA_BROKERS' : 'KAFKA_BROKERS, KAFKA_TLS and the login'
    const why = reasonOf(failure)
    const advice = NOT_ALLOWED.test(why) ? `grant ${security.sasl?.username ?? 'this user'} the right` : `start a broker, or check ${login}`
    return poor(name, `${brokers.join(',')} cannot be queried (${why}): ${advice}`)
  } finally {
    await admin.disconnect().catch(() => {})
  }
}

const NOT_ALLOWED = /authoriz/i
/** The first of several refusals: they share one reason. */
const reasonOf = (failure: unknown): string => {
  const all = typeof failure === 'object' && failure !== null && 'errors' in failure && Array.isArray(failure.errors) ? failure.errors : []
  const [first] = all as { readonly message?: string; readonly topic?: string }[]
  return first === undefined ? messageOf(failure) : `${first.topic ?? ''} ${first.message ?? messageOf(failure)}`.trim()
}

const checkBrokers = (settings: Settings, kafka: KafkaSettings): Promise<Check> =>
  checkWith('kafka', kafka, async (admin) => {
    const { brokers, prefix } = kafka
    const { brokers: all } = await admin.describeCluster()
    const topics = keptTopics(settings)
    const durable = kafka.isSingleBroker ? 'none' : 'all'
    const tried = await tryTopics(admin, { prefix, partitions: settings.partitions, topics, durable })
    const { there, differences, unread } = tried
    const words = `${all.length} broker${all.length === 1 ? '' : 's'} at ${brokers.join(',')}`
    if (differences.length > 0) {
      const advice = 'set MINTFOLD_PARTITIONS, MINTFOLD_RAW_HOURS and MINTFOLD_TAPE_DAYS to match, or use another MINTFOLD_TOPIC_PREFIX'
      return { ok: false, text: `${words}; ${differences.join(', ')}: ${advice}` }
    }
    const unsafe = tried.refusal ?? tried.warning
    if (unsafe !== undefined) return { ok: false, text: `${words}; ${unsafe}` }
    const rest = unread.length === 0 ? '' : `; the copies of ${unread.join(' and ')} cannot be read by this user`
    if (there === 0) return { ok: true, text: `${words}; no topics ${prefix}* yet: the first start creates them${rest}` }
    return { ok: true, text: `${words}; ${there} of ${topics.length} topics ${prefix}* exist${rest}` }
  })

/** What brokers give new topics: those that mirrors or other tools create get it. */
const checkDefaults = (kafka: KafkaSettings): Promise<Check> =>
  checkWith('kafka defaults', kafka, async (admin) => {
    const { brokers } = await admin.describeCluster()
    const names = brokers.slice(0, 1).map(({ nodeId }) => String(nodeId))
    const read = await readConfigs(admin, kafkajs.ConfigResourceTypes.BROKER, names, BROKER_DEFAULTS).catch((failure: unknown) => {
      if (NOT_ALLOWED.test(reasonOf(failure))) return new Map<string, ReadonlyMap<string, string>>()
      throw failure
    })
    const found = [...read.values()].flatMap((settings) => [...settings].map(([name, value]) => `${name}=${value}`))
    const words = found.length === 0 ? 'the settings of the brokers cannot be read by this user' : found.join(', ')
    return { ok: true, text: `${words}: topics that mintfold creates have their own` }
  })

const NAMED_MAX = 3

const checkRights = (settings: Settings, kafka: KafkaSettings): Promise<Check> =>
  checkWith('kafka rights', kafka, async () => {
    const { prefix, security } = kafka
    const client = createClient(kafka)
    await tryCoordinators(client, { group: prefix + WORK_GROUP, transactionalId: `${prefix}doctor` })
    const topics = keptTopics(settings).map(({ name }) => prefix + name)
    const missing = await missingRights(client, topics)
    if (missing.length === 0) return { ok: true, text: `topics, groups and transactional ids ${prefix}* can be used` }
    const named = missing.slice(0, NAMED_MAX).join(', ')
    const rest = missing.length > NAMED_MAX ? ` and ${missing.length - NAMED_MAX} more` : ''
    return {
      ok: false,
      text: `${security.sasl?.username ?? 'this user'} may not ${named}${rest}: allow Read and Write on topics ${prefix}*`,
    }
  })

/** The processor versions that wrote the rows. */
const checkStores = (kafka: KafkaSettings, topology: Topology): Promise<Check> =>
  checkWith(ownName(topology.chain, 'kafka stores'), kafka, async (admin) => {
    const { stores: topic } = topology.operations.rebuild.reads
    const topicName = kafka.prefix + topic.name
    const isThere = (await admin.listTopics()).includes(topicName)
    const records = isThere ? await peek(createClient(kafka), topic, topicName) : []
    const newest = records.filter(({ key }) => key === topology.chain.name).at(-1)
    if (newest === undefined) return { ok: true, text: 'none yet: the first start creates them' }
    const stores = storesCodec.decode(newest.value)
    if (!stores.ok)
      return {
        ok: false,
        text: `the record of ${topicName} cannot be read (${stores.reason}): a newer version wrote it: run that version`,
      }
    try {
      const isMine = isCurrent(stores.value, versionsOf(topology))
      return { ok: true, text: isMine ? 'of this version' : 'the next start rebuilds them: they are of an older version' }
    } catch (failure) {
      return { ok: false, text: messageOf(failure) }
    }
  })

const checkRegistry = async ({ registry: { url, login } }: KafkaSettings): Promise<Check> => {
  const name = 'registry'
  const { origin } = new URL(url)
  try {
    const headers: Record<string, string> =
      login === null ? {} : { authorization: `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}` }
    const signal = AbortSignal.timeout(ANSWER_MS_MAX)
    const response = await fetch(`${url.replace(/\/+$/, '')}/subjects`, { headers, redirect: 'manual', signal })
    const subjects: unknown = response.ok ? JSON.parse(await response.text()) : null
    if (Array.isArray(subjects)) return good(name, `${origin} responds: ${subjects.length} subjects`)
    const what =
      response.status === 401 || response.status === 403 ? 'SCHEMA_REGISTRY_USERNAME and _PASSWORD' : 'the path of SCHEMA_REGISTRY_URL'
    return poor(name, `${origin} responds with status ${response.status}: check ${what}`)
  } catch (failure) {
    return poor(name, `${origin} does not list its subjects (${messageOf(failure)}): start it, or check SCHEMA_REGISTRY_URL`)
  }
}
