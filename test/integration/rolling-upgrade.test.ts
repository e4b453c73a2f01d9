// A newer program joins while an older one runs: it rebuilds in parallel, once, and takes over.

import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Assigned, Assignment } from '../../topology/ports/assignment.ts'
import type { Log } from '../../topology/ports/log.ts'
import { type Folds, startFolds } from '../../topology/runtime/runtime.ts'
import { memoryStaging, type StagingStores } from '../../topology/versions/rebuild/staging-stores.ts'
import { readRebuild, readStores } from '../../topology/versions/stores-record.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { contentsOf, foldAll, marketBodies, QUICK, wiringOf } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'

const TIMEOUT_MS = 120_000
const SETTLE_MS = 400
const bodies = marketBodies(40, 9)
const half = Math.floor(bodies.length / 2)
const most = Math.floor(bodies.length * 0.8)

/** One member of a group: all partitions are assigned to it as soon as it joins. */
const member = (): Assignment & { readonly joined: Promise<void> } => {
  let join = (): void => {}
  const joined = new Promise<void>((resolve) => {
    join = resolve
  })
  return {
    settleMs: SETTLE_MS,
    isKnown: true,
    start: (partitions, assigned: Assigned) => {
      join()
      return assigned(new Set(partitions))
    },
    done: new Promise(() => {}),
    stop: async () => {},
    joined,
  }
}

/** Staging stores that open no log until `open_` is called; `asked` resolves when one is requested. */
const gated = (): StagingStores & { readonly asked: Promise<void>; open_(): void } => {
  const staging = memoryStaging()
  let [ask, open] = [(): void => {}, (): void => {}]
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return {
    ...staging,
    open: async (name, shape) => {
      ask()
      await opened
      return staging.open(name, shape)
    },
    asked,
    open_: () => open(),
  }
}

type Versions = Parameters<typeof wiringOf>
const clean = (count: number, versions: Versions = [2]): Promise<Log> =>
  logOnce(`${[count, versions]}`, 2, async (log) => {
    await appendRaw(log, bodies.slice(0, count), 1)
    await foldAll(log, wiringOf(...versions))
  })
const endOf = (folds: Folds): Promise<string> =>
  folds.done.then(
    () => 'stopped',
    (failure: { code?: string }) => failure.code ?? String(failure),
  )
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}

test.each<readonly [string, Versions]>([
  ['a fold', [2, 3]],
  ['the decoder', [4]],
])(
  'a newer version of %s is built next to running older tasks, once, and leaves what a clean run of that version leaves',
  async (_what, newer) => {
    const log = await clean(half)
    const old = await startFolds(log, [wiringOf(2)], QUICK, { assignment: member() })
    const ended = endOf(old)
    const staging = gated()
    const starting = startFolds(log, [wiringOf(...newer)], QUICK, { assignment: member(), staging: () => staging, by: 'newer' })
    await staging.asked
    expect(await readRebuild(log, TOPICS.rebuilds, 'solana')).toMatchObject({ state: 'beside', by: 'newer' })
    const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
    await view.start()
    await appendRaw(log, bodies.slice(half, most), half + 1)
    await old.caughtUp()
    await view.caughtUp()
    expect(view.status()).toMatchObject({ ready: true, rebuild: expect.stringContaining('newer') })
    staging.open_()
    const folds = await starting
    expect(await ended).toBe('stores_newer')
    expect(await readStores(log, TOPICS.stores, 'solana')).toMatchObject({ state: 'whole', revision: 1 })
    await appendRaw(log, bodies.slice(most), most + 1)
    await folds.caughtUp()
    await folds.stop()
    await view.caughtUp()
    expect(view.status()).toMatchObject({ ready: true, rebuild: null })
    await view.stop()
    const [is, expected] = [await contentsOf(log), await contentsOf(await clean(bodies.length, newer))]
    for (const name of Object.keys(expected)) expect([name, is[name]]).toEqual([name, expected[name]])
  },
  TIMEOUT_MS,
)

test(
  'a second newer process waits for the rebuild of the first, and takes it over when the first dies',
  async () => {
    const log = await clean(most)
    let isDead = false
    const dying = withOwners(log, async (id) => {
      const owner = await log.own(id)
      return {
        ...owner,
        commit: async (commit) => {
          if (isDead) throw new Error('killed')
          await owner.commit(commit)
        },
      }
    })
    const staging = gated()
    const first = startFolds(dying, [wiringOf(2, 3)], QUICK, { assignment: member(), staging: () => staging, by: 'first' }).catch(String)
    await staging.asked
    const joining = member()
    const second = startFolds(log, [wiringOf(2, 3)], QUICK, { assignment: joining, by: 'second' })
    const { beat } = await readRebuild(log, TOPICS.rebuilds, 'solana')
    await until(async () => (await readRebuild(log, TOPICS.rebuilds, 'solana')).beat > beat + 8)
    expect(await readRebuild(log, TOPICS.rebuilds, 'solana')).toMatchObject({ by: 'first' })
    isDead = true
    await joining.joined
    await (await second).stop()
    staging.open_()
    expect(await first).toMatch(/killed|fenced/)
    expect(await readStores(log, TOPICS.stores, 'solana')).toMatchObject({
      state: 'whole',
      versions: expect.arrayContaining([{ name: 'mint', version: 3 }]),
    })
    expect(await contentsOf(log)).toEqual(await contentsOf(await clean(most, [2, 3])))
  },
  TIMEOUT_MS,
)

test(
  'older tasks that wait for a switch continue when its initiator dies, and nothing was swapped',
  async () => {
    const log = await clean(half)
    const old = await startFolds(log, [wiringOf(2)], QUICK, { assignment: member() })
    let isDead = false
    const dying = withOwners(log, async (id) => {
      if (id.startsWith('mint-')) isDead = true
      const owner = await log.own(id)
      return { ...owner, commit: async (commit) => (isDead ? Promise.reject(new Error('killed')) : owner.commit(commit)) }
    })
    await expect(startFolds(dying, [wiringOf(2, 3)], QUICK, { assignment: member(), by: 'newer' })).rejects.toThrow('killed')
    expect(await readRebuild(log, TOPICS.rebuilds, 'solana')).toMatchObject({ state: 'switching' })
    await appendRaw(log, bodies.slice(half, most), half + 1)
    await until(async () => (await readRebuild(log, TOPICS.rebuilds, 'solana')).state === 'none')
    await old.caughtUp()
    await old.stop()
    expect(log.end(TOPICS.tape, 0)).toBeGreaterThan(half)
    expect(await contentsOf(log)).toEqual(await contentsOf(await clean(most)))
  },
  TIMEOUT_MS,
)
