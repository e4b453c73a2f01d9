// Folds on Kafka in several threads of a process, each with its own connections: they leave what one thread leaves.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import type { KafkaLog } from '../../../topology/logs/kafka/kafka.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { KafkaLogOptions } from '../../../topology/logs/kafka/options.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { CommitSeen } from '../../../topology/logs/observed-log.ts'
import type { Assigned, Assignment } from '../../../topology/ports/assignment.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { foldInWorkers } from '../../fixtures/kafka-workers.ts'
import { contentsOf, differencesOf, foldAll, marketBodies, wiringOf } from '../../fixtures/rebuild-market.ts'
import { appendRaw } from '../../live.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { RUN } from '../../tools/run.ts'
import { until } from '../../tools/until.ts'

const KILLED = fileURLToPath(new URL('../../fixtures/killed-folds.ts', import.meta.url))
const PARTITIONS = 4
const SETTLE_MS = 1_000
const TIMEOUT_MS = 240_000
const bodies = marketBodies(32, 9)
const third = Math.floor(bodies.length / 3)

/** A member of a group whose partitions the test moves. */
class Member implements Assignment {
  readonly settleMs = SETTLE_MS
  readonly isKnown = true
  readonly done = new Promise<void>(() => {})
  #assigned: Assigned = async () => {}

  async start(_partitions: readonly string[], assigned: Assigned): Promise<void> {
    this.#assigned = assigned
  }
  assign(partitions: readonly string[]): Promise<void> {
    return this.#assigned(new Set(partitions))
  }
  async stop(): Promise<void> {}
}

describeKafka('folds in several threads on Kafka', () => {
  let options: KafkaLogOptions
  let log: KafkaLog
  beforeAll(sharedKafka, START_MS_MAX)
  beforeEach(async () => {
    options = await kafkaOptions({ topics: topicsOf(LAUNCH_RISK), partitions: PARTITIONS })
    log = await openKafkaLog(options)
  })
  afterEach(() => log.close())

  let clean: Promise<Awaited<ReturnType<typeof contentsOf>>> | undefined
  /** What one thread leaves. */
  const folded = async () => {
    const one = createMemoryLog({ partitions: PARTITIONS })
    await appendRaw(one, bodies, 1)
    await foldAll(one, wiringOf(2))
    return contentsOf(one)
  }
  const expectSame = async (): Promise<void> => {
    clean ??= folded()
    const expected = await clean
    expect(expected.flags?.length).toBeGreaterThan(0)
    await log.refresh()
    const contents = await contentsOf(log)
    expect(differencesOf(contents, expected, Object.keys(expected)).slice(0, 8)).toEqual([])
    for (const name of Object.keys(expected)) expect(isDeepStrictEqual(contents[name], expected[name])).toBe(true)
  }
  const tape = (partition: number): string => `${LAUNCH_RISK.folds(1).input.name}/${partition}`
  const decode = `${LAUNCH_RISK.decode(1).input.name}/0`

  test(
    'leave the same with two, four and one, each number of threads continuing where the other stopped, and report their commits',
    async () => {
      const commits: CommitSeen[] = []
      const owned: ReadonlyMap<string, number>[] = []
      const observer = {
        owned: (inputs: ReadonlyMap<string, number>) => void owned.push(inputs),
        committed: (commit: CommitSeen) => void commits.push(commit),
        failed: () => {},
      }
      await appendRaw(log, bodies.slice(0, third), 1)
      const two = await foldInWorkers({ log, options, threads: 2, decoder: 2, observer })
      await two.caughtUp()
      expect(two.waits()).toEqual([])
      await until(() => new Set(commits.map(({ owner }) => owner)).size === PARTITIONS)
      expect(owned).toHaveLength(PARTITIONS)
      const ends = Object.fromEntries(commits.flatMap(({ inputs }) => [...inputs]))
      for (let partition = 0; partition < PARTITIONS; partition++)
        expect(ends[tape(partition)]).toBe(log.end(LAUNCH_RISK.folds(1).input, partition))
      await two.stop()
      await appendRaw(log, bodies.slice(third, 2 * third), third + 1)
      const four = await foldInWorkers({ log, options, threads: 4, decoder: 2 })
      await four.caughtUp()
      await appendRaw(log, bodies.slice(2 * third), 2 * third + 1)
      await four.stop()
      await foldAll(log, wiringOf(2))
      await expectSame()
    },
    TIMEOUT_MS,
  )

  test(
    'rebuild stores of another version, and run a redrive',
    async () => {
      await appendRaw(log, bodies.slice(0, third), 1)
      await foldAll(log, wiringOf(1))
      const folds = await foldInWorkers({ log, options, threads: 2, decoder: 2 })
      await appendRaw(log, bodies.slice(third), third + 1)
      await folds.caughtUp()
      await expectSame()
      expect(await folds.redrive(new AbortController().signal)).toMatchObject({ ok: true, report: { corrected: 0 } })
      await folds.caughtUp()
      await folds.stop()
      await expectSame()
    },
    TIMEOUT_MS,
  )

  test(
    'lose and duplicate nothing when their process is killed while they commit',
    async () => {
      const { progress } = LAUNCH_RISK.operations.rebuild.reads
      const committed = (): number => Array.from({ length: PARTITIONS }, (_, n) => log.end(progress, n)).reduce((sum, end) => sum + end, 0)
      for (let from = 0; from < bodies.length; from += third) {
        const child = spawn(process.execPath, [...RUN, KILLED, JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'inherit'] })
        const closed = once(child, 'close')
        await log.refresh()
        const before = committed()
        await appendRaw(log, bodies.slice(from, from + third), from + 1)
        await until(() => log.refresh().then(() => committed() > before))
        child.kill('SIGKILL')
        await closed
      }
      await foldAll(log, wiringOf(2))
      await expectSame()
    },
    TIMEOUT_MS,
  )

  test(
    'hand partitions over to the threads of another process, before their old owners know it, and stop while they restore',
    async () => {
      await appendRaw(log, bodies.slice(0, third), 1)
      const [first, second] = [new Member(), new Member()]
      const other = await openKafkaLog(options)
      const one = await foldInWorkers({ log, options, threads: 2, decoder: 2 }, { assignment: first })
      const two = await foldInWorkers({ log: other, options, threads: 2, decoder: 2 }, { assignment: second })
      await first.assign([decode, tape(0), tape(1), tape(2), tape(3)])
      await one.caughtUp()
      await second.assign([tape(1), tape(2)])
      await appendRaw(log, bodies.slice(third, 2 * third), third + 1)
      await first.assign([decode, tape(0), tape(3)])
      await Promise.all([one.caughtUp(), two.caughtUp()])
      const restoring = second.assign([tape(0), tape(1), tape(2), tape(3)])
      await two.stop()
      await restoring.catch(() => {})
      await first.assign([decode, tape(0), tape(1), tape(2), tape(3)])
      await appendRaw(log, bodies.slice(2 * third), 2 * third + 1)
      await one.caughtUp()
      await one.stop()
      await other.close()
      await expectSame()
    },
    TIMEOUT_MS,
  )
})
