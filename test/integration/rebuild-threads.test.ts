// Rebuilds that fold in worker threads leave what a rebuild in one thread leaves.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../topology/ports/log.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { contentsOf, foldAll, marketBodies, wiringOf } from '../fixtures/rebuild-market.ts'
import { rebuildIn } from '../fixtures/rebuild-workers.ts'
import { appendRaw } from '../live.ts'

const BROKEN_WORKER = new URL('../fixtures/broken-worker.mjs', import.meta.url)
const PARTITIONS = 4
const bodies = marketBodies(40, 9)
const dataDir = mkdtempSync(join(tmpdir(), 'mintfold-rebuild-threads-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** A log that a decoder and a mint fold of the given versions have folded. */
const folded = (decoder: number, mint?: number): Promise<Log> =>
  logOnce(`${[decoder, mint]}`, PARTITIONS, async (log) => {
    await appendRaw(log, bodies, 1)
    await foldAll(log, wiringOf(decoder, mint))
  })
const expectSame = async (log: Log, ...versions: Parameters<typeof folded>): Promise<void> => {
  const [contents, expected] = [await contentsOf(log), await contentsOf(await folded(...versions))]
  expect(expected.flags?.length).toBeGreaterThan(0)
  for (const name of Object.keys(expected)) expect([name, contents[name]]).toEqual([name, expected[name]])
}

describe.each([1, 2, 4])('a rebuild in %i threads, through forks', (threads) => {
  test('of a newer decoder leaves tape, rows and results of a log that this decoder has decoded', async () => {
    const log = await folded(1)
    await foldAll(log, wiringOf(2), { rebuildThreads: rebuildIn(threads, dataDir, { decoder: 2 }) })
    await expectSame(log, 2)
  })
  test('of a newer fold leaves rows and results of a log that this fold has folded', async () => {
    const log = await folded(2, 3)
    await foldAll(log, wiringOf(2, 4), { rebuildThreads: rebuildIn(threads, dataDir, { decoder: 2, mint: 4 }) })
    await expectSame(log, 2, 4)
  })
})

test('a thread that dies ends the rebuild with its failure, and the next start does the rebuild', async () => {
  const log = await folded(1)
  const broken = rebuildIn(2, dataDir, { decoder: 2 }, { entry: BROKEN_WORKER })
  await expect(foldAll(log, wiringOf(2), { rebuildThreads: broken })).rejects.toThrow('a bug outside of any call')
  await foldAll(log, wiringOf(2), { rebuildThreads: rebuildIn(2, dataDir, { decoder: 2 }) })
  await expectSame(log, 2)
})

test('a rebuild of fewer records than the minimum starts no threads', async () => {
  const log = await folded(1)
  const broken = rebuildIn(2, dataDir, { decoder: 2 }, { entry: BROKEN_WORKER, recordsMin: 1_000_000 })
  await foldAll(log, wiringOf(2), { rebuildThreads: broken })
  await expectSame(log, 2)
})
