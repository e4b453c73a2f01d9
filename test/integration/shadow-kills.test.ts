// A promotion that dies at any of its commits, forward and back, while a client polls a view: every look answers, from rows of one version.
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { Log } from '../../topology/ports/log.ts'
import { type Folds, startFolds } from '../../topology/runtime/runtime.ts'
import type { Topology } from '../../topology/topology.ts'
import { memoryStaging } from '../../topology/versions/rebuild/staging-stores.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { contentsOf, foldAll, marketBodies, QUICK, wiringOf } from '../fixtures/rebuild-market.ts'
import { dying, endOf, member, shadowOf } from '../fixtures/shadow-beside.ts'
import { appendRaw } from '../live.ts'

const TIMEOUT_MS = 240_000
const bodies = marketBodies(30, 9)
/** Commits between two kills. */
const STEP = 4

type Versions = Parameters<typeof wiringOf>
const clean = (versions: Versions): Promise<Log> =>
  logOnce(`${versions}`, 2, async (log) => {
    await appendRaw(log, bodies, 1)
    await foldAll(log, wiringOf(...versions))
  })

/** Rows of all mints as one text. */
const cardsIn = (view: LogMintView): string =>
  JSON.stringify(
    [...view.launchesSince(0)].map(({ state: { timers: _timers, ...rows } }) => rows),
    (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )

const cardsOf = async (log: Log): Promise<string> => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  await view.stop()
  return cardsIn(view)
}

/** Polls a view; `looks` counts what was seen. */
const polled = async (log: Log, versions: readonly [string, string]) => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const looks = { older: 0, newer: 0, mixed: 0, missing: 0 }
  const look = (): void => {
    const at = view.status().ready ? versions.indexOf(cardsIn(view)) : -2
    if (at === -2) looks.missing++
    else if (at === -1) looks.mixed++
    else looks[at === 0 ? 'older' : 'newer']++
  }
  const timer = setInterval(look, 3)
  return {
    looks,
    stop: async () => {
      clearInterval(timer)
      await view.stop()
    },
  }
}

/** Promotes with a process that dies at commit `at`, and then with another one. Undefined if the first did not die. */
const promoteTwice = async (log: Log, topology: Topology, running: Folds, at: number): Promise<Folds | undefined> => {
  const ended = endOf(running)
  const staging = memoryStaging()
  const first = shadowOf(log, topology, staging)
  await first.follows()
  const mortal = dying(log, at)
  const died = await first.promote(mortal.log).then(
    (folds) =>
      folds.stop().then(
        () => false,
        () => true,
      ),
    () => true,
  )
  if (!died && !mortal.isDead()) return undefined
  const second = shadowOf(log, topology, staging)
  await second.follows()
  const promoted = await second.promote()
  expect(await ended).toMatch(/stores_newer|stores_rolled_back/)
  await promoted.caughtUp()
  return promoted
}

test.each<readonly [string, Versions, Versions]>([
  ['a newer version is promoted', [2], [2, 3]],
  ['an older version is promoted back', [2, 3], [2]],
])(
  '%s by processes that die at any commit: every look answers, with rows of one version, and the end equals a clean run',
  async (_what, from, to) => {
    const wanted = await contentsOf(await clean(to))
    const versions = [await cardsOf(await clean(from)), await cardsOf(await clean(to))] as const
    expect(versions[0]).not.toBe(versions[1])
    let kills = 0
    for (let at = 1; ; at += STEP) {
      const log = await clean(from)
      const running = await startFolds(log, [wiringOf(...from)], QUICK, { assignment: member() })
      const client = await polled(log, versions)
      const promoted = await promoteTwice(log, wiringOf(...to), running, at)
      await new Promise((resolve) => setTimeout(resolve, 20))
      await client.stop()
      expect(client.looks).toMatchObject({ missing: 0, mixed: 0 })
      if (promoted === undefined) break
      kills++
      expect(client.looks.older).toBeGreaterThan(0)
      expect(client.looks.newer).toBeGreaterThan(0)
      await promoted.stop()
      const is = await contentsOf(log)
      for (const name of Object.keys(wanted)) expect([at, name, is[name]]).toEqual([at, name, wanted[name]])
    }
    expect(kills).toBeGreaterThan(2)
  },
  TIMEOUT_MS,
)
