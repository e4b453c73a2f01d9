// Topics with few copies: refused by every role and by doctor, unless the operator accepts that they may be lost with a broker.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import kafkajs from 'kafkajs'
import type { EngineError } from '../../../schemas/errors.ts'
import { register as registerCapture } from '../../../topology/cli/commands/capture.ts'
import { register as registerProcess } from '../../../topology/cli/commands/process.ts'
import { register as registerServe } from '../../../topology/cli/commands/serve.ts'
import { register as registerUp } from '../../../topology/cli/commands/up.ts'
import { register as registerDoctor } from '../../../topology/cli/doctor/doctor.ts'
import { createAdmin, createClient } from '../../../topology/logs/kafka/client.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { KafkaLogOptions } from '../../../topology/logs/kafka/options.ts'
import { tryCoordinators } from '../../../topology/logs/kafka/rights.ts'
import { type KafkaSetup, kafkaOptions } from '../../contract/kafka-given.ts'
import { EVENTS, out, values, write } from '../../contract/log-topics.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { type Broker, startBroker } from '../../services/broker.ts'
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { until } from '../../tools/until.ts'

const ROLES = [
  ['up', registerUp],
  ['capture', registerCapture],
  ['process', registerProcess],
  ['serve', registerServe],
] as const

describeOwnBroker('copies of topics', () => {
  const brokers: Broker[] = []
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-copies-'))
  let registryUrl = ''
  beforeAll(async () => {
    registryUrl = (await sharedKafka()).registryUrl
    brokers.push(await startBroker())
  }, START_MS_MAX)
  afterAll(async () => {
    for (const broker of brokers.reverse()) await broker.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  const given = (setup: KafkaSetup = {}): Promise<KafkaLogOptions> =>
    kafkaOptions({ services: { brokers: brokers.map(({ address }) => address).join(), registryUrl }, durable: 'all', ...setup })
  const refusalOf = (options: KafkaLogOptions): Promise<EngineError> =>
    openKafkaLog(options).then(
      (log) => log.close().then(() => Promise.reject(new Error('the log was opened'))),
      (failure: EngineError) => failure,
    )
  /** Opens and closes a log, and returns its notices. */
  const opened = async (options: KafkaLogOptions): Promise<readonly string[]> => {
    const notices: string[] = []
    const log = await openKafkaLog({ ...options, notice: (notice) => notices.push(notice) })
    await log.close()
    return notices
  }
  const asked = async <Answer>(ask: (admin: kafkajs.Admin) => Promise<Answer>): Promise<Answer> => {
    const admin = createAdmin(createClient(await given()))
    await admin.connect()
    return ask(admin).finally(() => admin.disconnect())
  }
  const topicsLike = (prefix: string): Promise<readonly string[]> =>
    asked(async (admin) => (await admin.listTopics()).filter((name) => name.startsWith(prefix)))
  const envOf = (prefix: string) => ({
    ...{ MINTFOLD_DATA_DIR: join(dir, prefix), MINTFOLD_PORT: '0', MINTFOLD_METRICS_PORT: '0', MINTFOLD_PAYMENTS: 'off' },
    ...{ KAFKA_BROKERS: brokers.map(({ address }) => address).join(), SCHEMA_REGISTRY_URL: registryUrl, MINTFOLD_TOPIC_PREFIX: prefix },
    ...{ CLICKHOUSE_URL: 'http://127.0.0.1:1', MINTFOLD_PARTITIONS: '1', MINTFOLD_LOG_LEVEL: 'silent' },
  })
  const doctorLine = async (prefix: string): Promise<string> => {
    const { out: text } = await runCommand(registerDoctor, ['doctor'], { env: envOf(prefix) })
    return text.split('\n').find((line) => line.slice(8).startsWith('kafka ')) ?? ''
  }
  test.each(ROLES)('%s on a single broker is refused before it creates a topic, with the flag that accepts it', async (role, register) => {
    const { error } = await runCommand(register, [role], { env: envOf('alone.') })
    expect(error).toMatchObject({ name: 'EngineError', code: 'not_durable', retriable: false })
    expect((error as Error).message).toMatch(
      /^one broker runs, but \d+ topics have to be created \(alone\..* and \d+ more\), each .*: start 2 more brokers\. .* --single-broker /,
    )
    expect(await topicsLike('alone.')).toEqual([])
  })

  test('doctor reports the same', async () => {
    expect(await doctorLine('alone.')).toMatch(/^not ok .*one broker runs, but .* start 2 more brokers/)
    expect(await topicsLike('alone.')).toEqual([])
  })

  test('an accepted single broker has topics with one copy, which all brokers then refuse: each start, with names, values and commands', async () => {
    const few = await given({ prefix: 'few.', durable: 'none' })
    expect(await opened(few)).toEqual([])
    brokers.push(
      await startBroker({ joins: brokers[0] as Broker, nodeId: 2 }),
      await startBroker({ joins: brokers[0] as Broker, nodeId: 3 }),
    )
    const refusal = await refusalOf({ ...few, durable: 'all' })
    expect(refusal).toMatchObject({ code: 'not_durable', retriable: false, facts: { brokers: 3 } })
    for (const words of [
      'may be lost with a broker',
      'few.contract.events (1 copy, min.insync.replicas=1)',
      'give each partition 3 replicas with kafka-reassign-partitions.sh',
      'kafka-configs.sh --alter --entity-type topics --entity-name TOPIC --add-config min.insync.replicas=2',
      'deploy/README.md',
      '--single-broker',
      'MINTFOLD_SINGLE_BROKER=true',
    ])
      expect(refusal.message).toContain(words)
    const warning = expect.stringMatching(/few\.contract\.events \(1 copy, .*kafka-reassign-partitions\.sh/)
    expect(await opened(few)).toEqual([warning])
    expect(await opened({ ...few, durable: 'new' })).toEqual([warning])
  })

  test('three brokers that would keep one copy of their own topics are refused, and then those with one copy', async () => {
    const refusal = await refusalOf(await given({ prefix: 'internal.' }))
    expect(refusal.message).toMatch(/__transaction_state \(will be created with 1 copy, min\.insync\.replicas=1\)/)
    expect(refusal.message).toMatch(
      /set transaction\.state\.log\.replication\.factor=3, .*offsets\.topic\.replication\.factor=3 on each broker/,
    )
    expect(await topicsLike('internal.')).toEqual([])
    // Brokers create their own topics when they are asked for a coordinator.
    const names = { group: 'any', transactionalId: 'any' }
    await tryCoordinators(createClient(await given()), names)
    await until(async () => (await topicsLike('__')).length === 2)
    // Another broker may not know of them yet.
    await until(async () => !/will be created/.test((await refusalOf(await given({ prefix: 'internal.' }))).message))
    expect((await refusalOf(await given({ prefix: 'internal.' }))).message).toMatch(
      /^2 topics .*: __consumer_offsets \(1 copy\), __transaction_state \(1 copy, min\.insync\.replicas=1\): give each/,
    )
    expect(await doctorLine('internal.')).toMatch(/^not ok .*3 brokers at .*__transaction_state \(1 copy/)
    expect(await topicsLike('internal.')).toEqual([])
  })

  test.each(ROLES)('%s with the flag starts on them, and creates its topics', async (role, register) => {
    const stop = new AbortController()
    const prefix = `flagged-${role}.`
    const running = runCommand(register, [role, '--single-broker'], { env: envOf(prefix), stop: stop.signal })
    await until(async () => (await topicsLike(prefix)).length > 20)
    stop.abort()
    await running
  })

  test('three brokers with three copies of their own topics get as many of ours, which outlive the loss of one', async () => {
    await asked(async (admin) => {
      await admin.alterPartitionReassignments({
        topics: [...(await threefold(admin, '__transaction_state')), ...(await threefold(admin, '__consumer_offsets'))],
      })
      await admin.alterConfigs({ validateOnly: false, resources: [TRANSACTION_STATE] })
    })
    await until(async () => (await asked((admin) => admin.listPartitionReassignments({}))).topics.length === 0)
    const options = await given({ prefix: 'safe.' })
    expect(await opened(options)).toEqual([])
    const replicas = await asked(
      async (admin) => (await admin.fetchTopicMetadata({ topics: ['safe.contract.events'] })).topics[0]?.partitions,
    )
    expect(replicas?.map((partition) => partition.replicas.length)).toEqual([3, 3, 3])
    const log = await openKafkaLog(options)
    const owner = await log.own('a')
    await write(owner, [out(EVENTS, 0, 'k', 'before')])
    await brokers.pop()?.kill()
    await write(owner, [out(EVENTS, 0, 'k', 'after')])
    expect(await values(log, EVENTS, 0)).toEqual(['before', 'after'])
    await log.close()
    await until(async () => (await asked((admin) => admin.describeCluster())).brokers.length === 2)
    expect(await opened(options)).toEqual([])
    expect((await refusalOf({ ...options, prefix: 'new.' })).message).toMatch(
      /^2 brokers run, but 4 topics have .*: start another broker\. /,
    )
  })
})

/** Three replicas of each partition. */
const threefold = async (admin: kafkajs.Admin, name: string): Promise<kafkajs.PartitionReassignment[]> => {
  const { topics } = await admin.fetchTopicMetadata({ topics: [name] })
  return topics.map(({ partitions }) => ({
    topic: name,
    partitionAssignment: partitions.map(({ partitionId }) => ({ partition: partitionId, replicas: [1, 2, 3] })),
  }))
}

/** All settings of the topic: an alteration resets those that it does not name. */
const TRANSACTION_STATE = {
  type: kafkajs.ConfigResourceTypes.TOPIC,
  name: '__transaction_state',
  configEntries: Object.entries({
    'cleanup.policy': 'compact',
    'compression.type': 'uncompressed',
    'min.insync.replicas': '2',
    'segment.bytes': '104857600',
    'unclean.leader.election.enable': 'false',
  }).map(([name, value]) => ({ name, value })),
}
