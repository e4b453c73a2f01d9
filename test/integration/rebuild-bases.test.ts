// A rebuild where the older part of the tape was trimmed: it continues from a copy of the rows, and nothing is lost.
import { EngineError } from '../../schemas/errors.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Log } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { type Base, basesOf } from '../../topology/versions/folding/bases-of.ts'
import { memoryStaging } from '../../topology/versions/rebuild/staging-stores.ts'
import { Stores } from '../../topology/versions/stores.ts'
import { readRebuild, readStores } from '../../topology/versions/stores-record.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { contentsOf, differencesOf, foldAll, marketBodies, QUICK, trimTape, wiringOf } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'

const TIMEOUT_MS = 120_000
const bodies = marketBodies(60, 9)
/** A copy every few seconds of stream time, each over many commits. */
const COPYING = { ...QUICK, baseIntervalS: 4, basePagesMax: 100 }

const folded = (partitions: number, count: number, mint = 2): Promise<Log> =>
  logOnce(`${[partitions, count, mint]}`, partitions, async (log) => {
    await appendRaw(log, bodies.slice(0, count), 1)
    await foldAll(log, wiringOf(2, mint), {}, COPYING)
  })

const basesIn = (log: Log, partitions: number): Promise<Base[][]> =>
  Promise.all(Array.from({ length: partitions }, (_, partition) => basesOf(log, TOPICS, partition)))

type Contents = Awaited<ReturnType<typeof contentsOf>>

/** Expects the same contents, except for the tape, which is trimmed. */
const expectSame = (is: Contents, wanted: Contents): void => {
  const differences = differencesOf(is, wanted)
  expect([differences.length, differences.slice(0, 4)]).toEqual([0, []])
}

describe('a rebuild of a log whose older tape was trimmed', () => {
  test.each([1, 3])(
    'keeps every row if the new version has the same output: %i partitions',
    async (partitions) => {
      const cut = Math.floor(bodies.length * 0.9)
      const log = await folded(partitions, cut)
      const before = await contentsOf(log)
      expect(before.creators?.length).toBeGreaterThan(20)
      await trimTape(log, 0.8)
      expect(Math.min(...(await basesIn(log, partitions)).map(({ length }) => length))).toBeGreaterThan(0)
      await foldAll(log, wiringOf(2, 5), {}, COPYING)
      expect((await readStores(log, TOPICS.stores, 'solana'))?.versions).toContainEqual({ name: 'mint', version: 5 })
      expectSame(await contentsOf(log), before)

      await appendRaw(log, bodies.slice(cut), cut + 1)
      await foldAll(log, wiringOf(2, 5), {}, COPYING)
      expectSame(await contentsOf(log), await contentsOf(await folded(partitions, bodies.length, 5)))
    },
    TIMEOUT_MS,
  )

  test(
    'has what a version that took over at the copy would have left, and its different output since',
    async () => {
      const log = await folded(1, bodies.length)
      await trimTape(log, 0.5)
      const [base] = await basesOf(log, TOPICS, 0)
      const sequence = base?.mark.sequence ?? 0
      expect(sequence).toBeGreaterThan(bodies.length / 2)
      await foldAll(log, wiringOf(2, 3), {}, COPYING)
      const handed = await folded(1, sequence)
      await appendRaw(handed, bodies.slice(sequence), sequence + 1)
      // The same version number, so that nothing is rebuilt.
      await foldAll(handed, wiringOf(2, 2, false, true), {}, COPYING)
      const expected = await contentsOf(handed)
      expect(expected.flags).not.toEqual((await contentsOf(await folded(1, bodies.length))).flags)
      expectSame(await contentsOf(log), expected)
    },
    TIMEOUT_MS,
  )

  test(
    'keeps the rows that are older than the tape if the log has no copies',
    async () => {
      const log = createMemoryLog({ partitions: 2 })
      await appendRaw(log, bodies, 1)
      await foldAll(log, wiringOf(2))
      const before = await contentsOf(log)
      await trimTape(log, 0.8)
      await foldAll(log, wiringOf(2, 5))
      const after = await contentsOf(log)
      expect(after.creators?.length).toBeGreaterThanOrEqual(before.creators?.length ?? 0)
      const launched = (texts: readonly string[] = []): string[] => texts.filter((text) => text.split(' ')[1] === 'launch')
      expect(launched(after.mints)).toEqual(launched(before.mints))
      expect(after.flags).toEqual(before.flags)
    },
    TIMEOUT_MS,
  )

  test(
    'runs again from the tape when the tasks cannot continue, and records the reason',
    async () => {
      const log = await folded(2, bodies.length)
      const before = await contentsOf(log)
      await trimTape(log, 0.5)
      const counts = { raw: 0 }
      const counted: Log = {
        ...withOwners(log, (id) => log.own(id)),
        read: (topic, ...where) => {
          if (topic === TOPICS.raw) counts.raw++
          return log.read(topic, ...where)
        },
      }
      const stop = new AbortController().signal
      const given = { topology: wiringOf(2), limits: COPYING, staging: memoryStaging(), stop, progress: () => {} }
      const stores = new Stores({ log: counted, ...given })
      const facts = { chain: 'solana', number: 7, hash8: 'a', newest: 9, newestHash8: 'b' }
      const failure = new EngineError('undo_exhausted', 'the fork is too deep', { facts })
      await stores.repair(failure, false, stop)
      const reason = 'undo_exhausted solana 7 a 9 b: the fork is too deep'
      expect(await readRebuild(log, TOPICS.rebuilds, 'solana')).toMatchObject({ reason })
      expect(await stores.prepare(stop)).toBe(true)
      expect(await readRebuild(log, TOPICS.rebuilds, 'solana')).toMatchObject({ state: 'none', reason })
      expect(counts.raw).toBe(0)
      expectSame(await contentsOf(log), before)
    },
    TIMEOUT_MS,
  )

  const behindFork = bodies.findLastIndex(({ type }) => type === 'revert') + 1
  test.each([
    [2, 0.9],
    [2, behindFork / bodies.length],
    [4, 0.9],
  ])(
    'and a redrive keep the rows also where raw frames were trimmed: decoder %i, %f of them',
    async (decoder, share) => {
      const log = await folded(2, bodies.length)
      const before = await contentsOf(log)
      await trimTape(log, 0.5)
      await log.trim(TOPICS.raw, 0, Math.floor(bodies.length * share))
      if (decoder === 2) {
        const folds = await startFolds(log, [wiringOf(2)], COPYING)
        expect(await folds.redrive(new AbortController().signal)).toMatchObject({ ok: true })
        await folds.caughtUp()
        await folds.stop()
        expectSame(await contentsOf(log), before)
      } else {
        await foldAll(log, wiringOf(4), {}, COPYING)
        const { creators = [], letters = [] } = await contentsOf(log)
        expect(letters.length).toBeGreaterThan(0)
        expect(creators.length).toBeGreaterThan((before.creators?.length ?? 0) * 0.9)
      }
    },
    TIMEOUT_MS,
  )
})
