// Topics on a real broker: created once, and refused if their settings differ.
import kafkajs, { type Admin, Kafka, logLevel } from 'kafkajs'
import type { EngineError } from '../../../schemas/errors.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { kafkaOptions, openKafka } from '../../contract/kafka-given.ts'
import { EVENTS, out, ROWS, readAll, values, write } from '../../contract/log-topics.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { until } from '../../tools/until.ts'

const failureOf = async (opening: Promise<{ close(): Promise<void> }>): Promise<EngineError> => {
  const outcome = await opening.then(
    (log) => log.close().then(() => undefined),
    (failure: EngineError) => failure,
  )
  if (outcome === undefined) throw new Error('the log was opened')
  return outcome
}

/** Sets a topic's settings; those that are not named become the broker's. */
const change = (admin: Admin, name: string, settings: Readonly<Record<string, string>>): Promise<unknown> => {
  const configEntries = Object.entries(settings).map(([setting, value]) => ({ name: setting, value }))
  return admin.alterConfigs({ validateOnly: false, resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name, configEntries }] })
}

describeKafka('topics on Kafka', () => {
  beforeAll(sharedKafka, START_MS_MAX)

  test('every topic of the product can be created by two logs at once, and opened again', async () => {
    const options = await kafkaOptions({ topics: topicsOf(LAUNCH_RISK), partitions: 2 })
    const logs = await Promise.all([openKafkaLog(options), openKafkaLog(options)])
    const again = await openKafkaLog(options)
    expect(topicsOf(LAUNCH_RISK).map((topic) => again.partitions(topic))).toEqual(
      topicsOf(LAUNCH_RISK).map(({ partitions }) => (partitions === 'one' ? 1 : 2)),
    )
    await Promise.all([...logs, again].map((log) => log.close()))
  })

  test('a start with another partition count, retention or clean-up is refused with each difference, and changes nothing', async () => {
    const options = await kafkaOptions()
    const log = await openKafkaLog(options)
    await write(await log.own('a'), [out(EVENTS, 2, 'k', 'v')])
    await log.close()
    const topics = [
      { ...EVENTS, retentionHours: 2 },
      { ...ROWS, cleanup: 'delete' as const },
    ]
    const failure = await failureOf(openKafkaLog({ ...options, topics, partitions: 4 }))
    expect(failure).toMatchObject({ name: 'EngineError', code: 'topic_settings', retriable: false })
    for (const difference of [
      `${options.prefix}contract.events has 3 partitions, wanted 4`,
      `${options.prefix}contract.events has retention.ms=3600000, wanted 7200000`,
      `${options.prefix}contract.rows has 3 partitions, wanted 4`,
      `${options.prefix}contract.rows has cleanup.policy=compact, wanted delete`,
      `${options.prefix}owners has 3 partitions, wanted 4`,
    ])
      expect(failure.message).toContain(difference)
    const again = await openKafkaLog(options)
    expect(await values(again, EVENTS, 2)).toEqual(['v'])
    await again.close()
  })

  test('a topic that was created with the broker’s default settings is refused', async () => {
    const options = await kafkaOptions()
    const admin = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const name = `${options.prefix}contract.events`
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic: name, numPartitions: 3 }] })
    await admin.disconnect()
    const { message } = await failureOf(openKafkaLog(options))
    expect(message).toMatch(/contract\.events has retention\.ms=604800000, wanted 3600000/)
    expect(message).toMatch(/contract\.events has max\.message\.bytes=\d+, wanted at least \d+/)
  })

  test('topics do not inherit what brokers give new topics, and a shorter life of tombstones is refused', async () => {
    const options = await kafkaOptions()
    await (await openKafkaLog(options)).close()
    const admin = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const [name, type] = [`${options.prefix}contract.rows`, kafkajs.ConfigResourceTypes.TOPIC]
    const own = ['compression.type', 'message.timestamp.type', 'delete.retention.ms', 'min.compaction.lag.ms']
    const [read] = (await admin.describeConfigs({ includeSynonyms: false, resources: [{ type, name, configNames: own }] })).resources
    expect(Object.fromEntries(read?.configEntries.map((entry) => [entry.configName, [entry.configValue, entry.isDefault]]) ?? [])).toEqual({
      'compression.type': ['producer', false],
      'message.timestamp.type': ['CreateTime', false],
      'delete.retention.ms': ['86400000', false],
      'min.compaction.lag.ms': ['0', false],
    })
    await change(admin, name, { 'cleanup.policy': 'compact', 'max.message.bytes': '20000000', 'delete.retention.ms': '3600000' })
    await admin.disconnect()
    expect((await failureOf(openKafkaLog(options))).message).toMatch(/rows has delete\.retention\.ms=3600000, wanted at least 86400000/)
  })

  test.each(['gzip', 'snappy', 'lz4', 'zstd'])('a topic whose broker compresses it with %s is read', async (codec) => {
    const options = await kafkaOptions()
    const log = await openKafkaLog(options)
    const admin = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    await change(admin, `${options.prefix}contract.events`, {
      ...{ 'cleanup.policy': 'delete', 'retention.ms': '3600000', 'max.message.bytes': '20000000', 'compression.type': codec },
    })
    await admin.disconnect()
    const written = Array.from({ length: 50 }, (_, n) => `${n} `.repeat(200))
    const owner = await log.own('a')
    await write(
      owner,
      written.map((value) => out(EVENTS, 0, 'k', value)),
    )
    expect(await values(log, EVENTS, 0)).toEqual(written)
    await log.close()
  })

  test('logs that were opened before and after refuse to read a deleted and re-created topic that ends before the offset', async () => {
    const options = await kafkaOptions()
    const log = await openKafkaLog(options)
    const owner = await log.own('a')
    for (let i = 0; i < 3; i++) await write(owner, [out(EVENTS, 0, 'k', `${i}`)])
    const offset = ((await readAll(log, EVENTS, 0)).at(-1)?.offset ?? 0) + 1
    const admin = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    await admin.deleteTopics({ topics: [`${options.prefix}contract.events`] })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await admin.disconnect()
    const again = await openKafkaLog(options)
    const limits = { recordsMax: 9, bytesMax: 99 }
    await expect(again.read(EVENTS, 0, offset, limits)).rejects.toMatchObject({ code: 'log_rewound', facts: { offset, end: 0 } })
    let failure: unknown
    await until(async () => {
      await log.read(EVENTS, 0, offset, limits).catch((thrown: unknown) => {
        failure = thrown
      })
      return failure !== undefined
    })
    expect(failure).toMatchObject({ code: 'log_rewound' })
    await Promise.all([log.close(), again.close()])
  })

  test('a start without brokers fails after its time limit', async () => {
    const options = await kafkaOptions({ limits: { openMsMax: 500 } })
    const failure = await failureOf(openKafkaLog({ ...options, brokers: ['127.0.0.1:1'] }))
    expect(failure).toMatchObject({ code: 'log_unreachable', retriable: true, facts: { brokers: '127.0.0.1:1' } })
  })

  test('a rejected login is refused at the start, without the password in the message', async () => {
    const sasl = { mechanism: 'plain', username: 'someone', password: 'secret-1234' } as const
    const notices: string[] = []
    const security = { tls: false, sasl }
    const failure = await failureOf(openKafka({ security, limits: { openMsMax: 500 }, notice: (message) => notices.push(message) }))
    expect(['log_refused', 'log_unreachable']).toContain(failure.code)
    expect([failure.message, JSON.stringify(failure.facts), ...notices].join()).not.toContain('secret-1234')
  })
})
