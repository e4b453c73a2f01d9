import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { foldInThread, type ThreadFolds } from '../../topology/threads/folds/thread-folds.ts'
import { topicsOf } from '../../topology/topology.ts'
import { stumblingLog } from '../fakes/stumbling-log.ts'
import { contentsOf, marketBodies } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'

const ENTRY = new URL('../../topology/cli/threads/folds-thread.mjs', import.meta.url)
const WORKER = new URL('../../topology/cli/threads/worker-thread.mjs', import.meta.url)
const PARTITIONS = 4
const bodies = marketBodies(40, 9)
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

describe.each([1, 2, 4])('the tasks in %i threads', (count) => {
  let expected: Awaited<ReturnType<typeof contentsOf>>
  beforeAll(async () => {
    const log = await withRaw()
    const folds = await startFolds(log, [LAUNCH_RISK])
    await folds.caughtUp()
    await folds.stop()
    expected = await contentsOf(log)
    expect(expected.flags?.length).toBeGreaterThan(0)
  })
  const expectSame = async (log: Log): Promise<void> => {
    const contents = await contentsOf(log)
    for (const name of Object.keys(expected)) expect([name, contents[name]]).toEqual([name, expected[name]])
  }

  test('write to the log what they would write in the main thread, also through forks', async () => {
    const log = await withRaw()
    await foldThere(log, count)
    await expectSame(log)
  })
  test('continue from the committed offsets, and retry what the log refused temporarily', async () => {
    const log = await withRaw(half)
    await foldThere(stumblingLog(log), count)
    await appendRaw(log, bodies.slice(half), half + 1)
    await foldThere(stumblingLog(log), count)
    await expectSame(log)
  })
  test('receive new records, report what they wait for and their memory, and leave the log to another number of threads', async () => {
    const log = createMemoryLog({ partitions: PARTITIONS })
    const folds = await inThreads(log, count)
    await appendRaw(log, bodies.slice(0, half), 1)
    await folds.caughtUp()
    expect(await folds.waits()).toEqual([])
    const memory = await folds.memory()
    expect([...memory.keys()]).toEqual(['folds', 'folds-1', 'folds-2', 'folds-3'].slice(0, count))
    for (const { heapBytes, externalBytes } of memory.values()) expect([heapBytes > 0, externalBytes > 0]).toEqual([true, true])
    await folds.stop()
    await folds.done
    await appendRaw(log, bodies.slice(half), half + 1)
    await foldThere(log, (count % 4) + 1)
    await expectSame(log)
  })
  test('run a redrive in their threads, and discard the result of an aborted one', async () => {
    const log = await withRaw()
    const folds = await inThreads(log, count)
    await folds.caughtUp()
    expect(await folds.redrive(new AbortController().signal)).toMatchObject({ ok: true, report: { corrected: 0, lettersDead: 0 } })
    await folds.caughtUp()
    await expectSame(log)
    expect(await folds.redrive(AbortSignal.abort())).toBeUndefined()
    await folds.stop()
  })
  test('fail as in the main thread: fenced with its code, a bug with its message', async () => {
    const log = await withRaw(half)
    const folds = await inThreads(log, count)
    await folds.caughtUp()
    await log.own(`${LAUNCH_RISK.folds(PARTITIONS).name}-${count - 1}`)
    await appendRaw(log, bodies.slice(half), half + 1)
    await expect(folds.done).rejects.toMatchObject({ name: 'EngineError', code: 'fenced', retriable: false })
    await expect(folds.stop()).rejects.toMatchObject({ code: 'fenced' })
    expect(log.end(TOPICS.tape, 0)).toBeGreaterThan(0)
    await expect(inThreads(log, count, MISSING)).rejects.toThrow('no-such-thread')
    const broken = await inThreads(log, count, BROKEN_FOLDS)
    await expect(broken.done).rejects.toThrow('a bug outside of any call')
    await expect(broken.stop()).rejects.toThrow('a bug outside of any call')
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
