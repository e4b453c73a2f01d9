// Random pairs of versions, upgraded on Kafka under the demo's load: shadow, diff, promotion, sometimes back, sometimes another number of
// partitions. A client polls meanwhile.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../schemas/errors.ts'
import { KafkaAssignment } from '../../topology/logs/kafka/group/assignment.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Assignment } from '../../topology/ports/assignment.ts'
import type { Log } from '../../topology/ports/log.ts'
import { type Folds, startFolds } from '../../topology/runtime/runtime.ts'
import type { Topology } from '../../topology/topology.ts'
import { repartition } from '../../topology/versions/partitions/repartition.ts'
import { directoryStaging } from '../../topology/versions/rebuild/staging-stores.ts'
import { retry } from '../../topology/waiting/retry.ts'
import { differencesOf, foldAll, marketBodies, QUICK } from '../fixtures/rebuild-market.ts'
import { type Beside, diffOf, endOf, shadowOf } from '../fixtures/shadow-beside.ts'
import { contentsIn, isListed, pairOf, topologyOf, type Version, type VersionPair } from '../fixtures/version-pairs.ts'
import { appendRaw } from '../live.ts'
import { findKafka, startKafka } from '../services/kafka.ts'
import type { SharedKafka } from '../services/shared.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { Clients, cardsOn, PacedFeed, type Seen } from './card-client.ts'
import { kafkaLog } from './kafka-world.ts'

const MARKET_S = 50
/** Some 20 s until a frame is final, and the fill, come on top. */
const MOVED_MARKET_S = 90
const PARTITIONS = 4
/** When the shadow begins: within 10 s of a market two decoders may have made the same of everything, so that there is nothing to list. */
const BEGINS_S = 18
const AGE_S_MAX = 2
/** Differences that a report names. */
const NAMED_MAX = 5

interface PairReport extends Seen, Pick<VersionPair, 'seed' | 'changes' | 'isBack' | 'partitions'> {
  /** What `mintfold diff` counts before each promotion. */
  readonly listed: readonly Listed[]
  /** Promotions before which it counts none, and no moving key either, although there are some. */
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
  /** Another number of partitions has topics of its own. */
  async open(partitions = PARTITIONS): Promise<Log> {
    const log = await kafkaLog(this.#services, this.#prefixOf(partitions), partitions)
    this.#logs.push(log)
    return log
  }
  member(partitions = PARTITIONS): Assignment {
    const group = { group: 'process', prefix: this.#prefixOf(partitions), weightOf: () => 1, standbys: 1, notice: () => {} }
    return new KafkaAssignment({ ...group, brokers: this.#services.brokers.split(','), security: { tls: false, sasl: null } })
  }
  async close(): Promise<void> {
    await Promise.all(this.#logs.map((log) => log.close()))
    removeDirectory(this.dir)
  }
  #prefixOf(partitions: number): string {
    return `${this.#prefix}${partitions}.`
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

/** What the diff counts: keys that events keep changing are not compared. */
interface Listed {
  readonly count: number
  readonly moving: number
}

/** What the diff lists once the shadow follows; ends the shadow if that fails. */
const listedBy = async (log: Log, topology: Topology, beside: Beside): Promise<Listed> => {
  try {
    await beside.follows()
    const { count, kinds } = await diffOf(log, topology, beside)
    return { count, moving: kinds.reduce((sum, [, { moving }]) => sum + moving, 0) }
  } catch (failure) {
    await beside.stop()
    throw failure
  }
}

/** Gives a version that runs another number of partitions, as an operator does with `mintfold repartition`; clients move to its new view. */
const moved = async (world: PairWorld, former: Folds, version: Version, partitions: number, clients: Clients): Promise<Folds> => {
  const [from, to, topology] = [await world.open(), await world.open(partitions), topologyOf(version)]
  const committed = (id: string): Promise<ReadonlyMap<string, number>> => from.peek?.(id) ?? Promise.resolve(new Map())
  const filling = { from, to, topology, committed, limits: QUICK, staging: directoryStaging(join(world.dir, 'partitions')) }
  let isMoved: Promise<boolean> = Promise.resolve(false)
  const fill = (): Promise<void> =>
    new Promise((resolve, reject) => {
      isMoved = repartition({ ...filling, stop: clients.over, progress: () => {}, follows: resolve })
      isMoved.catch(reject)
    })
  // It is refused until a frame is final.
  await retry(fill, { firstMs: 500, isPassing: (failure) => hasCode(failure, 'repartition_refused') && clients.feed.share < 1 })
  const folds = await startFolds(await world.open(partitions), [topology], QUICK, { assignment: world.member(partitions) })
  await folds.caughtUp()
  await clients.pollOn(await world.open(partitions))
  clients.feed.moveTo(await world.open(partitions))
  if (!(await isMoved)) throw new Error('the feed ended before it moved')
  await former.stop()
  return folds
}

const runPair = async (pair: VersionPair, services: SharedKafka): Promise<PairReport> => {
  const world = new PairWorld(services, pair.seed)
  const over = new AbortController()
  try {
    const marketS = pair.partitions === null ? MARKET_S : MOVED_MARKET_S
    const bodies = marketBodies(marketS, pair.seed)
    const clients = new Clients(new PacedFeed(bodies, (marketS * 1_000) / bodies.length), over.signal)
    const first = await startFolds(await world.open(), [topologyOf(pair.older)], QUICK, { assignment: world.member() })
    const polling = clients.pollOn(await world.open())
    const feeding = clients.feed.send(await world.open())
    // Both are awaited below; if the upgrade fails before, its failure is the one to report.
    for (const one of [polling, feeding]) one.catch(() => {})
    await clients.feed.reached(BEGINS_S / marketS)
    const steps = [await promoted(world, first, pair.newer, 'newer')]
    if (pair.isBack) steps.push(await promoted(world, steps[0]?.folds as Folds, pair.older, 'back'))
    let folds = steps.at(-1)?.folds as Folds
    if (pair.partitions !== null) folds = await moved(world, folds, lastOf(pair), pair.partitions, clients)
    await feeding
    await folds.caughtUp()
    over.abort()
    const seen = await clients.seen()
    await folds.stop()
    const { seed, changes, isBack, partitions } = pair
    const [listed, ended] = [steps.map((step) => step.listed), steps.map((step) => step.ended)]
    const expected = [isListed(pair.older, pair.newer), isListed(pair.newer, pair.older)]
    const misjudged = listed.filter(({ count, moving }, at) => count + moving === 0 && expected[at]).length
    const differences = await differencesTo(await world.open(partitions ?? PARTITIONS), pair, bodies)
    return { seed, changes, isBack, partitions, listed, misjudged, ended, ...seen, differences }
  } finally {
    over.abort()
    await world.close()
  }
}

const lastOf = (pair: VersionPair): Version => (pair.isBack ? pair.older : pair.newer)

const differencesTo = async (log: Log, pair: VersionPair, bodies: ReturnType<typeof marketBodies>): Promise<readonly string[]> => {
  const last = lastOf(pair)
  const fresh = createMemoryLog({ partitions: pair.partitions ?? PARTITIONS })
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
const failedOf = ({ seed, changes, isBack, partitions }: VersionPair, failure: unknown): PairReport => ({
  ...{ seed, changes, isBack, partitions, listed: [], misjudged: 0, ended: [], answers: 0, missing: [], ageMaxS: 0 },
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
    const repartitioned = reports.filter(({ partitions }) => partitions !== null).length
    return {
      report: { seed: Number(seed), pairs: reports.length, repartitioned, ageMaxS, notWell: reports.filter((one) => !isWell(one)) },
      isWhole: reports.every(isWell),
    }
  } finally {
    await services.stop()
  }
}
