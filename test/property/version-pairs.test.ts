// Random pairs of versions over a log in memory: the promotion dies at a random commit, and is repeated; sometimes it is rolled back.
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { type Folds, startFolds } from '../../topology/runtime/runtime.ts'
import { memoryStaging } from '../../topology/versions/rebuild/staging-stores.ts'
import { randomOf } from '../bench/synthetic-tape.ts'
import { differencesOf, foldAll, marketBodies, QUICK } from '../fixtures/rebuild-market.ts'
import { diffOf, dying, endOf, member, shadowOf } from '../fixtures/shadow-beside.ts'
import { contentsIn, isListed, pairOf, topologyOf, type Version } from '../fixtures/version-pairs.ts'
import { appendRaw } from '../live.ts'

const TIMEOUT_MS = 120_000
const SEEDS = [1, 2, 3, 4]
const PARTITIONS = 2
/** Kills are drawn from this many commits: some come after the promotion. */
const COMMITS = 40

/** Promotes with a process that dies at commit `at`, and then with another one. Returns the tasks and what the diff counts. */
const promoted = async (log: Log, running: Folds, version: Version, at: number) => {
  const ended = endOf(running)
  const staging = memoryStaging()
  const first = shadowOf(log, topologyOf(version), staging)
  await first.follows()
  const listed = (await diffOf(log, topologyOf(version), first)).count
  const mortal = await first.promote(dying(log, at).log).catch(() => undefined)
  await mortal?.stop().catch(() => {})
  const second = shadowOf(log, topologyOf(version), staging)
  await second.follows()
  const folds = await second.promote()
  expect(await ended).toMatch(/stores_newer|stores_rolled_back/)
  return { folds, listed }
}

test.each(SEEDS)(
  'pair %i: whatever differs and wherever the promotion dies, the end equals a fresh run of the version that runs last',
  async (seed) => {
    const pair = pairOf(seed)
    const random = randomOf(seed + 1_000)
    const at = (): number => 1 + Math.floor(random() * COMMITS)
    const bodies = marketBodies(24, seed + 1)
    const log = createMemoryLog({ partitions: PARTITIONS })
    const half = Math.floor(bodies.length / 2)
    await appendRaw(log, bodies.slice(0, half), 1)
    const running = await startFolds(log, [topologyOf(pair.older)], QUICK, { assignment: member() })
    await running.caughtUp()
    const steps = [await promoted(log, running, pair.newer, at())]
    await appendRaw(log, bodies.slice(half), half + 1)
    if (pair.isBack) steps.push(await promoted(log, steps[0]?.folds as Folds, pair.older, at()))
    const last = steps.at(-1)?.folds
    await last?.caughtUp()
    await last?.stop()
    const version = pair.isBack ? pair.older : pair.newer
    const fresh = createMemoryLog({ partitions: PARTITIONS })
    await appendRaw(fresh, bodies, 1)
    await foldAll(fresh, topologyOf(version))
    expect({
      seed,
      changes: pair.changes,
      differences: differencesOf(await contentsIn(log, version), await contentsIn(fresh, version)),
    }).toEqual({
      ...{ seed, changes: pair.changes, differences: [] },
    })
    const listed = [isListed(pair.older, pair.newer), isListed(pair.newer, pair.older)]
    expect(steps.every((step, at) => step.listed > 0 || !listed[at])).toBe(true)
  },
  TIMEOUT_MS,
)
