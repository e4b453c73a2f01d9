// A rebuild that dies at any of its commits: mixed rows of two versions are never shown, and the next start completes it.

import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Log, TaskOwner } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { memoryStaging, type StagingStores } from '../../topology/versions/rebuild/staging-stores.ts'
import { readStores } from '../../topology/versions/stores-record.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { contentsOf, foldAll, marketBodies, QUICK, wiringOf } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'

const TIMEOUT_MS = 120_000
const bodies = marketBodies(40, 9)

const clean = (partitions: number, count: number, decoder = 2): Promise<Log> =>
  logOnce(`${[partitions, count, decoder]}`, partitions, async (log) => {
    await appendRaw(log, bodies.slice(0, count), 1)
    await foldAll(log, wiringOf(decoder))
  })

/** The log, with commits that fail once `isDead` is true. */
const failingFrom = (log: Log, isDead: () => boolean): Log =>
  withOwners(log, async (id) => {
    const owner = await log.own(id)
    return { ...owner, commit: (one) => (isDead() ? Promise.reject(new Error('killed')) : owner.commit(one)) }
  })

describe('a rebuild that is killed', () => {
  /** The log, with commits that fail from number `at` on. If `isAfter` is true, commit `at` is written before it fails. */
  const dying = (log: Log, at: number, isAfter: boolean): { readonly log: Log; readonly commits: () => number } => {
    let commits = 0
    const own = async (id: string): Promise<TaskOwner> => {
      const owner = await log.own(id)
      const commit: TaskOwner['commit'] = async (one) => {
        commits++
        if (commits > at || (commits === at && !isAfter)) throw new Error('killed')
        await owner.commit(one)
        if (commits === at) throw new Error('killed')
      }
      return { ...owner, commit }
    }
    return { log: withOwners(log, own), commits: () => commits }
  }
  const COUNT = 110

  test(
    'at any commit, before or after it, and then completed leaves what the newer version alone would have left',
    async () => {
      const expected = await contentsOf(await clean(2, COUNT))
      let kills = 0
      for (let at = 1; ; at++) {
        const log = await clean(2, COUNT, 1)
        let wasKilled = false
        for (const isAfter of [false, true]) {
          const run = dying(log, at, isAfter)
          const folds = await startFolds(run.log, [wiringOf(2)], QUICK).catch(() => undefined)
          if (folds === undefined) wasKilled = true
          else await folds.stop().catch(() => {})
        }
        if (!wasKilled) break
        kills++
        await foldAll(log, wiringOf(2))
        const rebuilt = await contentsOf(log)
        for (const name of Object.keys(expected)) expect([at, name, rebuilt[name]]).toEqual([at, name, expected[name]])
      }
      expect(kills).toBeGreaterThan(5)
    },
    TIMEOUT_MS,
  )

  test(
    'at any commit of its staged stores is resumed: the next start folds only the rest',
    async () => {
      const expected = await contentsOf(await clean(2, COUNT))
      const reads: number[] = []
      for (let at = 1; ; at += 3) {
        const log = await clean(2, COUNT, 1)
        const staging = memoryStaging()
        let commits = 0
        const dying: StagingStores = {
          ...staging,
          open: async (name, shape) => failingFrom(await staging.open(name, shape), () => ++commits >= at),
        }
        const died = await startFolds(log, [wiringOf(2)], QUICK, { staging: () => dying }).then(
          (folds) => folds.stop().then(() => false),
          () => true,
        )
        if (!died) break
        let read = 0
        const counted: Log = {
          ...withOwners(log, (id) => log.own(id)),
          read: async (topic, ...where) => {
            const records = await log.read(topic, ...where)
            if (topic === TOPICS.raw) read += records.length
            return records
          },
        }
        await foldAll(counted, wiringOf(2), { staging: () => staging })
        reads.push(read)
        const rebuilt = await contentsOf(log)
        for (const name of Object.keys(expected)) expect([at, name, rebuilt[name]]).toEqual([at, name, expected[name]])
      }
      expect(reads.length).toBeGreaterThan(3)
      expect(reads.at(-1)).toBeLessThan((reads[0] as number) / 2)
    },
    TIMEOUT_MS,
  )

  test(
    'during the swap shows no mixed rows of two versions, and older programs can rebuild too',
    async () => {
      const log = await clean(2, COUNT, 1)
      let state = ''
      for (let at = 1; state !== 'installing'; at++) {
        await startFolds(dying(log, at, false).log, [wiringOf(2)], QUICK).catch(() => {})
        state = (await readStores(log, TOPICS.stores, 'solana'))?.state ?? ''
      }
      const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
      await view.start()
      expect(view.status().ready).toBe(false)
      await foldAll(log, wiringOf(1))
      await view.caughtUp()
      expect(view.status().ready).toBe(true)
      await view.stop()
      const expected = await contentsOf(await clean(2, COUNT, 1))
      const back = await contentsOf(log)
      for (const name of Object.keys(expected)) expect([name, back[name]]).toEqual([name, expected[name]])
    },
    TIMEOUT_MS,
  )
})
