// A data directory of another log on Kafka, and a second installation on the same topics: both are refused, and nothing is changed.
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { register as registerProcess } from '../../../topology/cli/commands/process.ts'
import { register as registerServe } from '../../../topology/cli/commands/serve.ts'
import { register as registerUp } from '../../../topology/cli/commands/up.ts'
import { register as registerDoctor } from '../../../topology/cli/doctor/doctor.ts'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { openWithDirectory } from '../../../topology/cli/wiring/open-kafka-directory.ts'
import { readLogName, writeLogName } from '../../../topology/data-dir/log-of-directory.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { KafkaLogOptions } from '../../../topology/logs/kafka/options.ts'
import { ownRaw } from '../../../topology/sources/source.ts'
import { stagingFolder } from '../../../topology/versions/rebuild/staging-stores.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'

const TIMEOUT_MS = 120_000
const ROLES = [
  ['process', registerProcess],
  ['serve', registerServe],
  ['up', registerUp],
] as const

/** Opens the log of a role with this data directory, and closes it; returns the notices. */
const start = async (dataDir: string, options: KafkaLogOptions): Promise<string[]> => {
  const notices: string[] = []
  const settings = { dataDir, partitions: 1, retention: { rawHours: 1, tapeDays: 1, capBytes: 1e9 } }
  const kafka = { ...options, isSingleBroker: true, standbys: 0 }
  const closing = new Closing()
  try {
    await openWithDirectory(settings, kafka, closing, (code) => notices.push(code), new AbortController().signal)
  } finally {
    await closing.run()
  }
  return notices
}
const topicsWith = async ({ brokers, prefix }: KafkaLogOptions): Promise<number> => {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix))
  await admin.disconnect()
  return topics.length
}

describeKafka('a data directory on Kafka', () => {
  let dir: string
  beforeAll(sharedKafka, START_MS_MAX)
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'mintfold-other-logs-'))
  })
  afterEach(() => removeDirectory(dir))

  test(
    'is refused with another prefix or cluster before a topic is created, and is used again with its own',
    async () => {
      const [own, other] = [await kafkaOptions(), await kafkaOptions()]
      expect(await start(dir, own)).toEqual([])
      const name = readLogName(dir)
      expect(name).toEqual({ cluster: expect.stringMatching(/./), prefix: own.prefix, topic: expect.stringMatching(/^[0-9a-f]{32}$/) })
      const prefixes = new RegExp(`prefix "${own.prefix}".*prefix "${other.prefix}".*set MINTFOLD_DATA_DIR.*MINTFOLD_TOPIC_PREFIX`)
      await expect(start(dir, other)).rejects.toMatchObject({ code: 'data_dir_log', message: expect.stringMatching(prefixes) })
      writeLogName(dir, { cluster: 'another', prefix: other.prefix, topic: '' })
      await expect(start(dir, other)).rejects.toMatchObject({ code: 'data_dir_log', facts: { held: 'another' } })
      expect(await topicsWith(other)).toBe(0)
      writeLogName(dir, name as NonNullable<typeof name>)
      expect(await start(dir, own)).toEqual([])
    },
    TIMEOUT_MS,
  )

  test.each(ROLES)('is refused by %s, and doctor says so', async (role, register) => {
    const { brokers, prefix } = await kafkaOptions()
    const { registryUrl } = await sharedKafka()
    writeLogName(dir, { cluster: 'another', prefix, topic: '' })
    const env = {
      ...{
        MINTFOLD_DATA_DIR: dir,
        MINTFOLD_PORT: '0',
        MINTFOLD_METRICS_PORT: '0',
        MINTFOLD_PAYMENTS: 'off',
        MINTFOLD_SINGLE_BROKER: 'true',
      },
      ...{ KAFKA_BROKERS: brokers.join(), SCHEMA_REGISTRY_URL: registryUrl, MINTFOLD_TOPIC_PREFIX: prefix },
      ...{ CLICKHOUSE_URL: 'http://127.0.0.1:1', MINTFOLD_PARTITIONS: '1', MINTFOLD_LOG_LEVEL: 'silent' },
    }
    expect((await runCommand(register, [role], { env })).error).toMatchObject({ code: 'data_dir_log', facts: { held: 'another' } })
    const { out } = await runCommand(registerDoctor, ['doctor'], { env })
    expect(out).toMatch(/^not ok {2}kafka directory .*belongs to another log on Kafka \(cluster another.*set MINTFOLD_DATA_DIR/m)
    expect(readLogName(dir)).toMatchObject({ cluster: 'another' })
  })

  test(
    'of topics that were made again loses its staging stores, with a notice',
    async () => {
      const options = await kafkaOptions()
      await start(dir, options)
      const staging = stagingFolder(dir, LAUNCH_RISK.chain)
      mkdirSync(staging)
      writeFileSync(join(staging, 'folded.identity'), 'of the former topics')
      expect(await start(dir, options)).toEqual([])
      expect(existsSync(staging)).toBe(true)
      const name = readLogName(dir)
      writeLogName(dir, { ...(name as NonNullable<typeof name>), topic: 'of the former topics' })
      expect(await start(dir, options)).toEqual(['topics_made_again'])
      expect([existsSync(staging), readLogName(dir)]).toEqual([false, name])
    },
    TIMEOUT_MS,
  )
})

describeKafka('topics that another installation fills', () => {
  beforeAll(sharedKafka, START_MS_MAX)

  test('refuse a second source, which names both and the prefix; the capture of the first continues', async () => {
    const options = await kafkaOptions()
    const [first, second] = [await openKafkaLog(options), await openKafkaLog(options)]
    const capture = await ownRaw(first, 'capture-solana', 'demo:seed=1')
    const commit = (frames: number) => capture.commit({ outputs: [], inputs: new Map([['demo:seed=1', frames]]) })
    await commit(1)
    const message = expect.stringMatching(/demo:seed=1.*not of demo:seed=2.*MINTFOLD_TOPIC_PREFIX/)
    await expect(ownRaw(second, 'capture-solana', 'demo:seed=2')).rejects.toMatchObject({ code: 'data_dir_source', message })
    await commit(2)
    expect(Object.fromEntries((await ownRaw(second, 'capture-solana', 'demo:seed=1')).committed())).toEqual({ 'demo:seed=1': 2 })
    await expect(commit(3)).rejects.toMatchObject({ code: 'fenced' })
    await Promise.all([first.close(), second.close()])
  })
})
