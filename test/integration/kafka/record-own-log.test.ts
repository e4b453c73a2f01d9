// A recording of a log on Kafka: its replay concludes what the live folds concluded of the same frames.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Conclusion, RawFrame } from '../../../schemas/types.ts'
import { register as registerBacktest } from '../../../topology/cli/commands/backtest/backtest.ts'
import { register as registerExplain } from '../../../topology/cli/commands/explain/explain.ts'
import { register as registerWhy } from '../../../topology/cli/commands/explain/why.ts'
import { register as registerRecord } from '../../../topology/cli/commands/recordings/record.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { readRecording } from '../../../topology/sources/recording/recording-file.ts'
import { type Ran, runCommand } from '../../fakes/run-command.ts'
import { forkedMinute, liveAndReplayed } from '../../fixtures/own-log.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { appendRaw, foldToEnd, standingConclusionsOn } from '../../live.ts'
import { describeKafka, type SharedKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { kafkaLog } from '../../soak/kafka-world.ts'

const { bodies, canonical } = forkedMinute
const PARTITIONS = 3

describeKafka('a recording of a log on Kafka', () => {
  const prefix = `own-log-${process.pid}-${Date.now()}.`
  let services: SharedKafka
  let log: Log
  let dir: string
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'mintfold-own-log-'))
    services = await sharedKafka()
    log = await kafkaLog(services, prefix, PARTITIONS)
    await appendRaw(log, bodies, 0)
    await foldToEnd(log, DEFAULT_LIMITS)
  }, START_MS_MAX)
  afterAll(async () => {
    await log.close()
    rmSync(dir, { recursive: true })
  })

  const envOf = () => ({
    MINTFOLD_DATA_DIR: join(dir, 'data'),
    KAFKA_BROKERS: services.brokers,
    SCHEMA_REGISTRY_URL: services.registryUrl,
    MINTFOLD_TOPIC_PREFIX: prefix,
    MINTFOLD_PARTITIONS: String(PARTITIONS),
  })
  const record = (...args: string[]): Promise<Ran> =>
    runCommand(registerRecord, ['record', '--source', 'log', '--out', join(dir, 'out.avro'), ...args], { env: envOf() })
  const recorded = async (): Promise<RawFrame[]> => {
    const frames: RawFrame[] = []
    for await (const frame of readRecording(join(dir, 'out.avro'))) frames.push(frame)
    return frames
  }

  test('with forks and a gap has the canonical frames, and their replay equals the live conclusions', async () => {
    const { error, stderr } = await record()
    expect(error).toBeUndefined()
    expect(stderr.at(-1)).toBe(`${join(dir, 'out.avro')}: ${canonical.length} frames`)
    const frames = await recorded()
    expect(frames.map(({ hash }) => hash)).toEqual(canonical.map(({ hash }) => hash))
    const { live, replayed } = await liveAndReplayed(log, frames)
    expect(live.conclusions.length).toBeGreaterThan(5)
    expect(replayed).toEqual(live)
  })

  test('from a time before the newest frame has everything since', async () => {
    expect((await record('--from', '-20s')).error).toBeUndefined()
    const newest = canonical.at(-1)?.blockTime as number
    const since = canonical.filter(({ blockTime }) => (blockTime as number) >= newest - 20)
    expect((await recorded()).map(({ hash }) => hash)).toEqual(since.map(({ hash }) => hash))
    expect((await record('--from', 'solana:7')).error).toMatchObject({ message: expect.stringMatching(/outside the kept range/) })
  })

  test('a backtest over its topics equals one over the recording', async () => {
    await record()
    const backtest = (...args: string[]): Promise<Ran> => runCommand(registerBacktest, ['backtest', ...args], { env: envOf() })
    const [ofLog, ofFile] = [await backtest(), await backtest('--in', join(dir, 'out.avro'))]
    expect([ofLog.error, ofFile.error]).toEqual([undefined, undefined])
    const ofCluster = ofLog.out.replace('"input":["the topics of the cluster"]', `"input":["${join(dir, 'out.avro')}"]`)
    const parts = (text: string) => text.split(/(?<=[,{])/).filter((part) => !part.startsWith('"tookS"'))
    expect(parts(ofCluster)).toEqual(parts(ofFile.out))
    expect(ofLog.out).toMatch(/"flagged":[1-9]/)
  })

  test('recomputation confirms every finding on it, and why shows what changed a field', async () => {
    const findings = (await standingConclusionsOn(log, TOPICS.flags)).map((text) => JSON.parse(text) as Conclusion)
    const ran = await runCommand(registerExplain, ['explain', ...findings.map(({ id }) => id)], { env: envOf() })
    expect([ran.error, ran.code, ran.stderr.filter((line) => line.endsWith(': reproduced from the tape')).length]).toEqual([
      undefined,
      0,
      findings.length,
    ])
    const mint = findings[0]?.id.split(':').at(-1) ?? ''
    for (const field of ['holders.top5_share', 'creator_prior_at_launch']) {
      const { error, out } = await runCommand(registerWhy, ['why', mint, field, '--limit', '2'], { env: envOf() })
      expect([error, out.split('\n').length > 1]).toEqual([undefined, true])
    }
  })
})
