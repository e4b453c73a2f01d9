// Random pairs of versions, upgraded on Kafka under the demo's load: shadow, diff, promotion, sometimes back. A client polls meanwhile.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KafkaAssignment } from '../../topology/logs/kafka/group/assignment.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Assignment } from '../../topology/ports/assignment.ts'
import type { Log } from '../../topology/ports/log.ts'
import { type Folds, startFolds } from '../../topology/runtime/runtime.ts'
import type { Topology } from '../../topology/topology.ts'
import { directoryStaging } from '../../topology/versions/rebuild/staging-stores.ts'
import { differencesOf, foldAll, marketBodies, QUICK } from '../fixtures/rebuild-market.ts'
import { type Beside, diffOf, endOf, shadowOf } from '../fixtures/shadow-beside.ts'
import { contentsIn, isListed, pairOf, topologyOf, type Version, type VersionPair } from '../fixtures/version-pairs.ts'
import { appendRaw } from '../live.ts'
import { findKafka, startKafka } from '../services/kafka.ts'
import type { SharedKafka } from '../services/shared.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { cardsOn, PacedFeed, pollCards, type Seen } from './card-client.ts'
import { kafkaLog } from './kafka-world.ts'

const MARKET_S = 40
const PARTITIONS = 4
/** Share of the market after which the shadow begins. */
const BEGINS_AT = 0.2
const AGE_S_MAX = 2
/** Differences that a report names. */
const NAMED_MAX = 5

interface PairReport extends Seen, Pick<VersionPair, 'seed' | 'changes' | 'isBack'> {
  /** Differences that `mintfold diff` counts before each promotion. */
  readonly listed: readonly number[]
  /** Promotions before which it counts none although there are some. */
  readonly misjudged: number
  /** How the tasks of the replaced version ended. */
  readonly ended: readonly string[]
  /** Between the log after the upgrade and a fresh run of the version that runs last. */
  readonly differences: readonly string[]
}

const isWell = ({ misjudged, missing, ageMaxS, differences, answers }: PairReport): boolean =>
  misjudged === 0 && missing.length + differences.length === 0 && ageMaxS <= AGE_S_MAX && answers > 0

/** The processes of one pair: each has its own connection and member of the group. */
class PairWorld {
  readonly dir = mkdtempSync(join(tmpdir(), 'mintfold-versions-'))
  readonly #services: SharedKafka
  readonly #prefix: string
  readonly #logs: Log[] = []

  constructor(services: SharedKafka, seed: number) {
    this.#services = services
    this.#prefix = `versions-${process.pid}-${seed}.`
  }
  async open(): Promise<Log> {
    const log = await kafkaLog(this.#services, this.#prefix, PARTITIONS)
    this.#logs.push(log)
    return log
  }
  member(): Assignment {
    const group = { group: 'process', prefix: this.#prefix, weightOf: () => 1, standbys: 1, notice: () => {} }
    return new KafkaAssignment({ ...group, brokers: this.#services.brokers.split(','), security: { tls: false, sasl: null } })
  }
  async close(): Promise<void> {
    await Promise.all(this.#logs.map((log) => log.close()))
    removeDirectory(this.dir)
  }
}

/** Promotes a version over the running one. */
const promoted = async (world: PairWorld, running: Folds, version: Version, name: string) => {
  const log = await world.open()
  const topology = topologyOf(version)
  const beside = shadowOf(log, topology, directoryStaging(join(world.dir, name)))
  const listed = await listedBy(log, topology, beside)
  const ended = endOf(running)
  // A process ends with its tasks, and leaves the group.
  const left = ended.then(() => running.stop()).catch(() => {})
  const folds = await beside.promote(log, world.member())
  await left
  return { folds, listed, ended: await ended }
}

/** Number of differences that the diff lists once the shadow follows; ends the shadow if that fails. */
const listedBy = async (log: Log, topology: Topology, beside: Beside): Promise<number> => {
  try {
    await beside.follows()
    return (await diffOf(log, topology, beside)).count
  } catch (failure) {
    await beside.stop()
    throw failure
  }
}

const runPair = async (pair: VersionPair, services: SharedKafka): Promise<PairReport> => {
  const world = new PairWorld(services, pair.seed)
  const over = new AbortController()
  try {
    const bodies = marketBodies(MARKET_S, pair.seed)
    const feed = new PacedFeed(bodies, (MARKET_S * 1_000) / bodies.length)
    const first = await startFolds(await world.open(), [topologyOf(pair.older)], QUICK, { assignment: world.member() })
    const polling = pollCards(await world.open(), feed, over.signal)
    const feeding = feed.send(await world.open())
    // Both are awaited below; if the upgrade fails before, its failure is the one to report.
    for (const one of [polling, feeding]) one.catch(() => {})
    await feed.reached(BEGINS_AT)
    const steps = [await promoted(world, first, pair.newer, 'newer')]
    if (pair.isBack) steps.push(await promoted(world, steps[0]?.folds as Folds, pair.older, 'back'))
    await feeding
    await steps.at(-1)?.folds.caughtUp()
    over.abort()
    const seen = await polling
    await steps.at(-1)?.folds.stop()
    const { seed, changes, isBack } = pair
    const [listed, ended] = [steps.map((step) => step.listed), steps.map((step) => step.ended)]
    const expected = [isListed(pair.older, pair.newer), isListed(pair.newer, pair.older)]
    const misjudged = listed.filter((count, at) => count === 0 && expected[at]).length
    return { seed, changes, isBack, listed, misjudged, ended, ...seen, differences: await differencesTo(await world.open(), pair, bodies) }
  } finally {
    over.abort()
    await world.close()
  }
}

const differencesTo = async (log: Log, pair: VersionPair, bodies: ReturnType<typeof marketBodies>): Promise<readonly string[]> => {
  const last = pair.isBack ? pair.older : pair.newer
  const fresh = createMemoryLog({ partitions: PARTITIONS })
  await appendRaw(fresh, bodies, 1)
  await foldAll(fresh, topologyOf(last))
  await log.refresh()
  const [is, wanted] = [
    { ...(await contentsIn(log, last)), cards: await cardsOn(log) },
    { ...(await contentsIn(fresh, last)), cards: await cardsOn(fresh) },
  ]
  return differencesOf(is, wanted).slice(0, NAMED_MAX)
}

/** A pair whose run has failed. */
const failedOf = ({ seed, changes, isBack }: VersionPair, failure: unknown): PairReport => ({
  ...{ seed, changes, isBack, listed: [], misjudged: 0, ended: [], answers: 0, missing: [], ageMaxS: 0 },
  differences: [failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)],
})

export const soakVersions = async (
  [pairs = '20', seed = String(Date.now() % 1_000_000)]: readonly string[],
  print: (line: string) => void,
): Promise<{ readonly report: object; readonly isWhole: boolean }> => {
  const services = await startKafka(await findKafka())
  try {
    const reports: PairReport[] = []
    for (let n = 0; n < Number(pairs); n++) {
      const pair = pairOf(Number(seed) + n)
      const report = await runPair(pair, services).catch((failure: unknown) => failedOf(pair, failure))
      print(`${isWell(report) ? 'well' : 'NOT WELL'} ${JSON.stringify(report)}`)
      reports.push(report)
    }
    const ageMaxS = Math.max(...reports.map((report) => report.ageMaxS))
    return {
      report: { seed: Number(seed), pairs: reports.length, ageMaxS, notWell: reports.filter((one) => !isWell(one)) },
      isWhole: reports.every(isWell),
    }
  } finally {
    await services.stop()
  }
}
