import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { foldInThread, type ThreadFolds } from '../../topology/threads/folds/thread-folds.ts'
import { topicsOf } from '../../topology/topology.ts'
import { stumblingLog } from '../fakes/stumbling-log.ts'
import { contentsOf, foldAll, marketBodies } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'

const ENTRY = new URL('../../topology/cli/threads/folds-thread.mjs', import.meta.url)
const WORKER = new URL('../../topology/cli/threads/worker-thread.mjs', import.meta.url)
const PARTITIONS = 4
const all = marketBodies(40, 9)
/** Frames that are appended after what the comparisons are about. */
const LATER = 20
const bodies = all.slice(0, -LATER)
const half = Math.floor(bodies.length / 2)
const dataDir = mkdtempSync(join(tmpdir(), 'mintfold-folds-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const inThreads = (log: Log, count: number, entry = ENTRY, worker = WORKER): Promise<ThreadFolds> =>
  foldInThread(
    log,
    {
      ...{ entry, topics: topicsOf(LAUNCH_RISK), dataDir, given: { chains: ['solana'], addresses: null } },
      workers: { entry: worker, count: count - 1 },
    },
    { rebuilding: () => {}, notice: () => {}, stop: new AbortController().signal },
  )
const foldThere = async (log: Log, count: number): Promise<void> => {
  const folds = await inThreads(log, count)
  await folds.caughtUp()
  await folds.stop()
}
const withRaw = async (count = bodies.length): Promise<Log> => {
  const log = createMemoryLog({ partitions: PARTITIONS })
  await appendRaw(log, bodies.slice(0, count), 1)
  return log
}
const MISSING = new URL('./no-such-thread.mjs', import.meta.url)
const BROKEN_FOLDS = new URL('../fixtures/broken-folds.mjs', import.meta.url)
const BROKEN_WORKER = new URL('../fixtures/broken-worker.mjs', import.meta.url)

/** Contents of the log after the tasks ran in the main thread. */
let expected: Awaited<ReturnType<typeof contentsOf>>
beforeAll(async () => {
  const log = await withRaw()
  await foldAll(log, LAUNCH_RISK, {}, DEFAULT_LIMITS)
  expected = await contentsOf(log)
  expect(expected.flags?.length).toBeGreaterThan(0)
})
const expectSame = async (log: Log): Promise<void> => {
  const contents = await contentsOf(log)
  for (const name of Object.keys(expected)) expect([name, contents[name]]).toEqual([name, expected[name]])
}

// A start of a thread costs as much processor time as folding the whole market, so tests share their threads.
describe.each([1, 2, 4])('the tasks in %i threads', (count) => {
  const another = (count % 4) + 1
  const growing = createMemoryLog({ partitions: PARTITIONS })
  let next: ThreadFolds

  test('write what they would in the main thread, through forks and a redrive, and discard the result of an aborted redrive', async () => {
    const log = await withRaw()
    const folds = await inThreads(log, count)
    await folds.caughtUp()
    await expectSame(log)
    expect(await folds.redrive(new AbortController().signal)).toMatchObject({ ok: true, report: { corrected: 0, lettersDead: 0 } })
    await folds.caughtUp()
    await expectSame(log)
    expect(await folds.redrive(AbortSignal.abort())).toBeUndefined()
    await folds.stop()
  })
  test('receive new records, retry what the log refused temporarily, and leave the log to another number of threads', async () => {
    const folds = await inThreads(stumblingLog(growing), count)
    await appendRaw(growing, bodies.slice(0, half), 1)
    await folds.caughtUp()
    expect(await folds.waits()).toEqual([])
    const memory = await folds.memory()
    expect([...memory.keys()]).toEqual(['folds', 'folds-1', 'folds-2', 'folds-3'].slice(0, count))
    for (const { heapBytes, externalBytes } of memory.values()) expect([heapBytes > 0, externalBytes > 0]).toEqual([true, true])
    await folds.stop()
    await folds.done
    await appendRaw(growing, bodies.slice(half), half + 1)
    next = await inThreads(stumblingLog(growing), another)
    await next.caughtUp()
    await expectSame(growing)
  })
  test('fail as in the main thread: fenced with its code, a bug with its message', async () => {
    await growing.own(`${LAUNCH_RISK.folds(PARTITIONS).name}-${another - 1}`)
    await appendRaw(growing, all.slice(-LATER), bodies.length + 1)
    await expect(next.done).rejects.toMatchObject({ name: 'EngineError', code: 'fenced', retriable: false })
    await expect(next.stop()).rejects.toMatchObject({ code: 'fenced' })
    expect(growing.end(TOPICS.tape, 0)).toBeGreaterThan(0)
    await expect(inThreads(growing, count, MISSING)).rejects.toThrow('no-such-thread')
    const broken = await inThreads(growing, count, BROKEN_FOLDS)
    await expect(broken.done).rejects.toThrow('a bug outside of any call')
    await expect(broken.stop()).rejects.toThrow('a bug outside of any call')
  })
})

describe('the tasks in as many threads as before', () => {
  test('continue from the committed offsets', async () => {
    const log = await withRaw(half)
    await foldThere(log, 2)
    await appendRaw(log, bodies.slice(half), half + 1)
    await foldThere(log, 2)
    await expectSame(log)
  })
})

describe('a worker thread that dies', () => {
  test('ends the tasks of all threads with its failure, whether it has tasks or not', async () => {
    const log = await withRaw(half)
    await expect(inThreads(log, 2, ENTRY, MISSING)).rejects.toThrow('no-such-thread')
    const folds = await inThreads(log, 2, ENTRY, BROKEN_WORKER)
    await expect(folds.done).rejects.toThrow('a bug outside of any call')
    await expect(folds.stop()).rejects.toThrow('a bug outside of any call')
    const idle = await inThreads(log, PARTITIONS + 1, ENTRY, BROKEN_WORKER)
    await expect(idle.done).rejects.toThrow('a bug outside of any call')
    await expect(idle.stop()).rejects.toThrow('a bug outside of any call')
  })
})
