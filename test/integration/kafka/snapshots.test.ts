// Restarts from snapshots over a real broker: few records are read, and nothing else differs.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { openSnapshots } from '../../../topology/cli/wiring/open-snapshots.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { KafkaLogOptions } from '../../../topology/logs/kafka/options.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { startFolds } from '../../../topology/runtime/runtime.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'
import { syntheticTape } from '../../bench/synthetic-tape.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { areCovered, countRecords } from '../../fixtures/compacted-reads.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { appendTape } from '../../live.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { until } from '../../tools/until.ts'

const PARTITIONS = 2
const FRAMES = 400
/** Commits after each frame, so that the topics have as many transactions as over a day. */
const EACH_FRAME = { ...DEFAULT_LIMITS, commitEventsMax: 1, aheadEventsMax: 1 }
const TIMEOUT_MS = 240_000

interface Opened {
  readonly log: Log
  /** Number of records of compacted topics read so far. */
  readonly total: () => number
  readonly notices: (readonly [string, Record<string, string | number>])[]
  close(): Promise<void>
}

/** A process's log with its data directory; `roundMs`: interval of its snapshots. */
const openProcess = async (options: KafkaLogOptions, dataDir: string, roundMs = 3_600_000): Promise<Opened> => {
  const kafka = await openKafkaLog(options)
  const closing = new Closing()
  closing.add('log', () => kafka.close())
  const total = countRecords(kafka)
  const notices: [string, Record<string, string | number>][] = []
  const retention = { rawHours: 1, tapeDays: 1, capBytes: 1e9 }
  const limits = { roundMs, tailOffsetsMin: 1, tailShareMin: 0 }
  const log = await openSnapshots(kafka, { dataDir, retention }, closing, (...notice) => notices.push(notice), limits)
  return { log, total, notices, close: () => closing.run() }
}

/** Restores the tasks and the view; returns the number of records that each of them reads, and what the view shows. */
const restart = async ({ log, total }: Opened) => {
  const folds = await startFolds(log, [LAUNCH_RISK], EACH_FRAME)
  const ofTasks = total()
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const ofView = total() - ofTasks
  await folds.caughtUp()
  await view.caughtUp()
  const shown = { status: view.status(), launches: [...view.launchesSince(0)].map(({ mint, state }) => [mint, state]) }
  await folds.stop()
  await view.stop()
  return { ofTasks, ofView, shown }
}

describeKafka('snapshots of topics on Kafka', () => {
  let dataDir: string
  beforeAll(sharedKafka, START_MS_MAX)
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'mintfold-snapshots-'))
  })
  afterEach(() => removeDirectory(dataDir))
  const optionsFor = () => kafkaOptions({ partitions: PARTITIONS, topics: topicsOf(LAUNCH_RISK), owners: TOPICS.owners })

  test(
    'let tasks and the view restart from few records of the log, with the same rows; in another cluster they are refused',
    async () => {
      const options = await optionsFor()
      const first = await openProcess(options, dataDir, 100)
      await appendTape(first.log, [...syntheticTape({ events: FRAMES * 5, eventsPerFrame: 5, eventsPerMint: 20, seed: 3 })])
      const { shown } = await restart(first)
      await first.close()

      const fromLog = await openProcess(options, mkdtempSync(join(dataDir, 'empty-')))
      const withoutSnapshots = await restart(fromLog)
      expect(withoutSnapshots.shown).toEqual(shown)
      expect(withoutSnapshots.ofTasks).toBeGreaterThan(FRAMES)
      await fromLog.close()

      const second = await openProcess(options, dataDir, 100)
      await restart(second)
      await until(() => areCovered(second.log))
      await second.close()
      expect(second.notices).toEqual([])

      const third = await openProcess(options, dataDir)
      const { ofTasks, ofView, shown: again } = await restart(third)
      expect(again).toEqual(shown)
      expect(third.notices).toEqual([])
      expect(ofTasks).toBeLessThan(withoutSnapshots.ofTasks / 10)
      expect(ofView).toBeLessThan(withoutSnapshots.ofView / 10)
      await third.close()

      const other = await openProcess(await optionsFor(), dataDir)
      await restart(other)
      expect(new Set(other.notices.map(([code]) => code))).toEqual(new Set(['snapshot_refused']))
      expect(other.notices[0]?.[1].reason).toContain('of another cluster, or created again')
      await other.close()
    },
    TIMEOUT_MS,
  )

  test('are used by one process at a time: a second process with the same directory continues without them', async () => {
    const options = await optionsFor()
    const first = await openProcess(options, dataDir)
    const second = await openProcess(options, dataDir)
    expect([first.notices, second.notices.map(([code]) => code)]).toEqual([[], ['snapshots_off']])
    expect(second.notices[0]?.[1].reason).toContain('is in use by process')
    expect(await second.log.beginning?.(TOPICS.progress, 0)).toBeUndefined()
    await second.close()
    await first.close()
    const third = await openProcess(options, dataDir)
    expect(third.notices).toEqual([])
    await third.close()
  })

  test('the id of a topic stays over restarts of the log, and changes when the topic is created again', async () => {
    const options = await optionsFor()
    const idOf = async (): Promise<string | undefined> => {
      const log = await openKafkaLog(options)
      const ids = await log.topicIds()
      await log.close()
      expect(ids.size).toBe(new Set([...options.topics, options.owners].map(({ name }) => name)).size)
      return ids.get(TOPICS.progress.name)
    }
    const [id, again] = [await idOf(), await idOf()]
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(again).toBe(id)
    const admin = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const topic = options.prefix + TOPICS.progress.name
    await admin.deleteTopics({ topics: [topic] })
    await until(async () => !(await admin.listTopics()).includes(topic))
    await admin.disconnect()
    expect(await idOf()).not.toBe(id)
  })
})
