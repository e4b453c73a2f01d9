// After forks the history has the canonical branch only, whichever records arrive late or twice and whenever the sink is killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { HistoryClient } from '../../topology/history/client.ts'
import { readFinding } from '../../topology/history/findings.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log, OutRecord } from '../../topology/ports/log.ts'
import { randomOf } from '../bench/synthetic-tape.ts'
import { append, appendSteps, type Move, recordsOf, type Step, storyOf } from '../fixtures/forked-log.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { RUN } from '../tools/run.ts'
import { until } from '../tools/until.ts'
import { describeEngine } from './history-server-given.ts'
import { contentsBy, contentsOf, countOf, type GivenHistories, givenHistories, sinkAll, startSink } from './sink-given.ts'
import { QUICK } from './sink-quick.ts'

const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)
const PROCESS = fileURLToPath(new URL('./sink-process.ts', import.meta.url))
const PARTITIONS = 3
/** The first chain begins at this slot, the second at twice as much. */
const CHAIN_SLOTS = 10_000
const CHAIN = `intDiv(slot, ${CHAIN_SLOTS})`

const on = (branch: 'a' | 'b', frames: number): Move[] => Array.from({ length: frames }, () => ({ back: 0, branch }))
const fork = (back: number, branch: 'a' | 'b', frames: number): Move[] => [{ back, branch }, ...on(branch, frames - 1)]
/** Ways in which chains fork; each ends with canonical frames. */
const SHAPES: Readonly<Record<string, readonly Move[]>> = {
  'one frame': [...on('a', 3), ...fork(1, 'b', 3)],
  'two frames': [...on('a', 4), ...fork(2, 'b', 2)],
  '33 frames': [...on('a', 40), ...fork(33, 'b', 9)],
  'a branch that comes back': [...on('a', 6), ...fork(3, 'b', 4), ...fork(4, 'a', 6)],
  'a branch that comes back and is left again': [...on('a', 6), ...fork(3, 'b', 2), ...fork(2, 'a', 3), ...fork(3, 'b', 5)],
  'two orphaned branches': [...on('a', 5), ...fork(2, 'b', 3), ...fork(5, 'a', 1), ...fork(1, 'b', 2)],
  'a fork within a fork': [...on('a', 8), ...fork(2, 'b', 4), ...fork(1, 'a', 2), ...fork(5, 'b', 3)],
}
const random = randomOf(SEED)
const int = (n: number): number => Math.floor(random() * n)
const randomMoves = (): Move[] =>
  Array.from({ length: 10 + int(30) }, () => ({
    back: random() < 0.25 ? 1 + int(random() < 0.2 ? 12 : 3) : 0,
    branch: random() < 0.7 ? 'a' : 'b',
  }))

/** Several chains one after the other: all observed steps, and the steps of the canonical branches. */
const joined = (stories: readonly (readonly Move[])[]): { readonly steps: readonly Step[]; readonly canonical: readonly Step[] } => {
  const all = stories.map((moves, n) => storyOf(moves, (n + 1) * CHAIN_SLOTS))
  return { steps: all.flatMap(({ steps }) => steps), canonical: all.flatMap((one) => one.canonical) }
}
const logOf = async (steps: readonly Step[]): Promise<Log> => {
  const log = createMemoryLog({ partitions: PARTITIONS })
  await appendSteps(log, steps)
  return log
}
/** Records of all partitions shuffled into commits, in order within each partition. */
const shuffled = (steps: readonly Step[], recordsMax: number): OutRecord[][] => {
  const queues = [...recordsOf(steps, PARTITIONS).values()].map((records) => [...records])
  const commits: OutRecord[][] = []
  for (let left = queues.filter(({ length }) => length > 0); left.length > 0; left = left.filter(({ length }) => length > 0))
    commits.push((left[int(left.length)] as OutRecord[]).splice(0, 1 + int(recordsMax)))
  return commits
}
const retractedIn = ({ database, rows }: HistoryClient) =>
  rows<{ id: string; by: string }>(
    `SELECT finding_id AS id, retraction_id AS by FROM ${database}.retracted_flags ORDER BY slot, finding_id`,
  )
const findingsOf = (steps: readonly Step[]): string[] =>
  steps.flatMap((step) => (step.type === 'frame' ? step.conclusions : [])).flatMap(({ id, body }) => (body.type === 'finding' ? [id] : []))

describeEngine(`forks in the history (seed ${SEED})`, () => {
  let given: GivenHistories
  const story = joined([...Object.values(SHAPES), ...Array.from({ length: 3 }, randomMoves)])
  let forked: HistoryClient
  let expected: Readonly<Record<string, string>>
  let chains: readonly Awaited<ReturnType<typeof contentsBy>>[]
  beforeAll(async () => {
    given = await givenHistories({ views: false, copied: 2 })
    forked = await given.fresh()
    const canonicalHistory = await given.lent()
    await sinkAll(await logOf(story.steps), forked)
    await sinkAll(await logOf(story.canonical), canonicalHistory)
    expected = await contentsOf(canonicalHistory)
    chains = [await contentsBy(forked, CHAIN), await contentsBy(canonicalHistory, CHAIN)]
    given.rollBack()
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())

  test.each([...Object.keys(SHAPES).entries()])('for chain %i, %s, the tables hold the canonical branch', async (n) => {
    const isOfChain = `WHERE ${CHAIN} = ${n + 1}`
    const { canonical } = joined([Object.values(SHAPES)[n] as Move[]])
    expect(await countOf(forked, `frames ${isOfChain} AND hash IS NOT NULL`)).toBe(canonical.length)
    expect(await countOf(forked, `flags ${isOfChain}`)).toBe(canonical.length)
    expect(chains[0]?.get(n + 1)).toEqual(chains[1]?.get(n + 1))
    // The view hides frames without a tick; this count shows that orphaned raw frames were removed too.
    expect(await countOf(forked, `raw_frames_log FINAL ${isOfChain}`)).toBe(canonical.length)
  })
  test('after many forks every retracted finding is listed with its retraction', async () => {
    const client = forked
    expect(await contentsOf(client)).toEqual(expected)
    expect(Math.min(await countOf(client, 'judgements'), await countOf(client, 'odds'))).toBeGreaterThan(10)
    const valid = new Set(findingsOf(story.canonical))
    const retracted = [...new Set(findingsOf(story.steps))].filter((id) => !valid.has(id))
    const found = await retractedIn(client)
    expect(retracted.length).toBeGreaterThan(30)
    expect(found.map(({ id }) => id).sort()).toEqual(retracted.sort())
    for (const { id, by } of found) expect([id, by]).toEqual([id, expect.stringMatching(retractionOf(id))])
    expect(await retractedIn(client)).toEqual(found)
    await client.command(`OPTIMIZE TABLE ${client.database}.flags_log FINAL`)
    expect(await retractedIn(client)).toEqual(found)
  })
  test('a finding is read by its id as it was published, and states whether it was retracted', async () => {
    const valid = new Set(findingsOf(story.canonical))
    const conclusions = story.steps.flatMap((step) => (step.type === 'frame' ? step.conclusions : []))
    for (const { id, number, at, body } of conclusions.slice(-60)) {
      if (body.type !== 'finding') continue
      const { mint, flag, detector, detectorVersion, detectorHash, mintAgeS, evidence, events } = body
      expect([id, await readFinding(forked, { id, mint, number })]).toEqual([
        id,
        { flag, detector, detectorVersion, detectorHash, at, mintAgeS, evidence, events, isRetracted: !valid.has(id) },
      ])
      expect(await readFinding(forked, { id: `${id}x`, mint, number })).toBeNull()
    }
  })
  test('a new log that adopts the history and delivers all records again changes nothing', async () => {
    const retracted = await retractedIn(forked)
    await sinkAll(await logOf(story.steps), forked, undefined, { adopts: true })
    expect(await contentsOf(forked)).toEqual(expected)
    expect(await retractedIn(forked)).toEqual(retracted)
  })
  test.each([1, 30])(
    'partitions at different paces, at most %i records at once, do not change the result',
    async (recordsMax) => {
      const client = await given.lent()
      const log = createMemoryLog({ partitions: PARTITIONS })
      const { sink, stop } = await startSink(log, client)
      for (const [n, commit] of shuffled(story.steps, recordsMax).entries()) {
        await append(log, commit)
        if (n % 100 === 0) await until(() => sink.isCaughtUp)
      }
      await until(() => sink.isCaughtUp)
      await stop()
      expect(await contentsOf(client)).toEqual(expected)
    },
    600_000,
  )
  test('a partition that lags by a whole fork delays no other, and its orphaned rows do not come back', async () => {
    const records = [...recordsOf(story.steps, PARTITIONS)]
    const isLate = (name: string): boolean => name === `${TOPICS.tape.name}/2` || name === `${TOPICS.flags.name}/1`
    const client = await given.lent()
    const log = createMemoryLog({ partitions: PARTITIONS })
    for (const late of [false, true]) {
      const due = records.flatMap(([name, queue]) => (isLate(name) === late ? queue : []))
      await append(log, due)
      await sinkAll(log, client)
      expect(await countOf(client, 'frames')).toBe(story.canonical.length)
    }
    expect(await contentsOf(client)).toEqual(expected)
  })
  test('a fork of more rows than `batchRowsMax` is retracted in several batches', async () => {
    const { steps } = joined([[...on('a', 60), ...fork(50, 'b', 2)]])
    const client = await given.lent()
    let rowsMax = 0
    const watched = {
      ...client,
      insert: async (batch: Parameters<HistoryClient['insert']>[0]) => {
        rowsMax = Math.max(rowsMax, batch.table === 'ticks_log' ? batch.body.length : 0)
        await client.insert(batch)
      },
    }
    await sinkAll(await logOf(steps), watched, { ...QUICK, batchRowsMax: 40 })
    expect(rowsMax).toBeLessThan(45 * 60)
    expect(await countOf(client, 'frames')).toBe(13)
  })
  test('if a sink fails at any insert, also between rows and their retraction, the next one continues', async () => {
    const client = await given.lent()
    const log = await logOf(story.steps)
    let deaths = 0
    for (let isDone = false; !isDone; ) {
      let left = 1 + int(25)
      const dying = {
        ...client,
        insert: async (batch: Parameters<HistoryClient['insert']>[0]) => {
          if (left-- <= 0) throw new Error('killed')
          await client.insert(batch)
        },
      }
      const { sink, stop } = await startSink(log, dying)
      await until(() => sink.isCaughtUp || left < 0)
      isDone = left >= 0
      deaths += isDone ? 0 : 1
      await stop().catch((failure: Error) => expect(failure.message).toBe('killed'))
    }
    expect(deaths).toBeGreaterThan(3)
    expect(await contentsOf(client)).toEqual(expected)
  })
  test('reports that rows of orphaned frames stay when the log no longer holds these frames', async () => {
    const { steps } = joined([[...on('a', 60), ...fork(50, 'b', 1)]])
    const log = createMemoryLog({ partitions: PARTITIONS })
    const client = await given.lent()
    const revertAt = steps.findIndex(({ type }) => type === 'revert')
    const before = recordsOf(steps.slice(0, revertAt), PARTITIONS)
    await append(log, [...before.values()].flat())
    await sinkAll(log, client)
    for (const partition of [0, 1, 2]) await log.trim(TOPICS.tape, partition, 30)
    const rest = [...recordsOf(steps, PARTITIONS)].flatMap(([name, queue]) => queue.slice(before.get(name)?.length ?? 0))
    await append(log, rest)
    const { sink, notices, stop } = await startSink(log, client)
    await until(() => sink.isCaughtUp)
    await stop()
    expect(notices).toEqual(Array(3).fill('history_dead_rows_kept'))
    // The first frame, ten others before the fork, one of the other branch, and nineteen whose rows could not be removed.
    expect(await countOf(client, 'frames')).toBe(31)
  })
  test('after kill -9 at random times nothing is lost, duplicated or left over', async () => {
    const client = await given.lent()
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-forks-'))
    const log = await openLmdbLog({ dir, partitions: PARTITIONS })
    await appendSteps(log, story.steps)
    await log.close()
    const { url, username, password } = given.engine.server.target()
    const start = (mode: string): ChildProcess =>
      spawn(process.execPath, [...RUN, PROCESS, dir, url, username, password, client.database, mode, String(PARTITIONS)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    for (let kill = 0; kill < 3; kill++) {
      const child = start('sink')
      await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
      await new Promise((resolve) => setTimeout(resolve, int(400)))
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const [code] = await once(start('sink to end'), 'exit')
    expect(code).toBe(0)
    expect(await contentsOf(client)).toEqual(expected)
    rmSync(dir, { recursive: true })
  })
})

/** A retraction of the finding's frame: its tick, its hash, some partition, some fork. */
const retractionOf = (findingId: string): RegExp => {
  const [, slot, hash8] = /^solana:(\d+)\..*@(.{8}):/.exec(findingId) as unknown as [string, string, string]
  return new RegExp(`^solana:${slot}\\.~@${hash8}:retraction:[0-2]:\\d+$`)
}
