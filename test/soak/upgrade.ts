// Three upgrades in a row under load: a detector, the decoder, the shape of a row. Each rebuilds once; no conclusion is lost.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { type Assignment, everything } from '../../topology/ports/assignment.ts'
import type { Log } from '../../topology/ports/log.ts'
import { type Folds, startFolds } from '../../topology/runtime/runtime.ts'
import { FORK_DEPTH_MAX } from '../../topology/simulator/solana/forks/forks.ts'
import type { Topology } from '../../topology/topology.ts'
import { basesOf, offsetIn } from '../../topology/versions/folding/bases-of.ts'
import { directoryStaging } from '../../topology/versions/rebuild/staging-stores.ts'
import { readStores } from '../../topology/versions/stores-record.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { grownState, withGrownCreators } from '../fixtures/grown-creators.ts'
import { contentsOf, foldAll, marketBodies, QUICK, wiringOf } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'
import { findKafka, startKafka } from '../services/kafka.ts'
import type { SharedKafka } from '../services/shared.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { kafkaLog } from './kafka-world.ts'

const LOOK_MS = 20

/** How often the view was polled, was not ready, and showed a frame older than the deepest fork allows. */
interface Looks {
  readonly looks: number
  readonly notReady: number
  readonly older: number
}

/** Polls a view, as the API would. */
class Watch {
  readonly #view: LogMintView
  readonly #stopping = new AbortController()
  #looking: Promise<void> = Promise.resolve()
  #newest = -1
  #counts = { looks: 0, notReady: 0, older: 0 }

  constructor(log: Log) {
    this.#view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  }
  async start(): Promise<void> {
    await this.#view.start()
    this.#looking = this.#look()
  }
  async stop(): Promise<Looks> {
    this.#stopping.abort()
    await this.#looking
    await this.#view.stop()
    return this.#counts
  }
  async #look(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await pause(LOOK_MS)
      const { ready, folded } = this.#view.status()
      this.#counts.looks++
      if (!ready) this.#counts.notReady++
      else if (folded !== null && folded.number < this.#newest - FORK_DEPTH_MAX) this.#counts.older++
      if (ready && folded !== null) this.#newest = Math.max(this.#newest, folded.number)
    }
  }
}

const CHUNK_FRAMES = 5
const SETTLE_MS = 2_000
/** Number of base copies of the rows in a run: frequent enough that most of the tape can be trimmed. */
const COPIES_A_RUN = 16
/** Share of the tape trimmed before each upgrade, unless the newest base copy of the rows allows less. */
const TAPE_GONE = 0.7

export interface UpgradePlan {
  /** Length of the market. */
  readonly seconds: number
  /** Market seconds per second of wall time. */
  readonly speed: number
  readonly seed: number
  readonly partitions: number
  readonly print: (line: string) => void
}

export interface UpgradeReport extends Looks {
  readonly log: string
  /** Number of rebuilds in each upgrade. */
  readonly rebuilds: readonly number[]
  readonly tookMs: readonly number[]
  /** Rows and conclusions that differ from those of a run that was never upgraded. */
  readonly differences: readonly string[]
  readonly creators: number
}

export const isUpgradedWell = ({ rebuilds, differences, creators, older, looks }: UpgradeReport): boolean =>
  rebuilds.every((count) => count === 1) && differences.length === 0 && creators > 0 && older === 0 && looks > 0

/** Opens the log for another process. */
type OpenLog = () => Promise<Log>

interface World {
  readonly name: string
  readonly open: OpenLog
  readonly assignment: () => Assignment
  /** Whether the older tasks continue while a newer program starts. */
  readonly isRolling: boolean
}

export const upgradesHere = async (plan: UpgradePlan): Promise<UpgradeReport> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-upgrade-'))
  const log = await openLmdbLog({ dir: join(dir, 'log'), partitions: plan.partitions })
  try {
    return await run(plan, { name: 'embedded', open: async () => log, assignment: everything, isRolling: false }, dir)
  } finally {
    await log.close()
    removeDirectory(dir)
  }
}

const upgradesOnKafka = async (plan: UpgradePlan, services: SharedKafka): Promise<UpgradeReport> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-upgrade-'))
  const prefix = `upgrade-${process.pid}-${Date.now()}.`
  const logs: Log[] = []
  const open = async (): Promise<Log> => {
    const log = await kafkaLog(services, prefix, plan.partitions)
    logs.push(log)
    return log
  }
  /** Assigns all partitions from the moment it joins: the previous owner is fenced. */
  const assignment = (): Assignment => ({ ...everything(), settleMs: SETTLE_MS, done: new Promise(() => {}) })
  try {
    return await run(plan, { name: 'kafka', open, assignment, isRolling: true }, dir)
  } finally {
    await Promise.all(logs.map((log) => log.close()))
    removeDirectory(dir)
  }
}

const run = async ({ seconds, speed, seed, partitions, print }: UpgradePlan, world: World, dir: string): Promise<UpgradeReport> => {
  const bodies = marketBodies(seconds, seed)
  const limits = { ...QUICK, baseIntervalS: Math.ceil(seconds / COPIES_A_RUN), basePagesMax: 100 }
  const grown = grownState()
  const versions = [wiringOf(2), wiringOf(2, 5), wiringOf(3, 5), withGrownCreators(wiringOf(3, 5), grown)]
  const log = await world.open()
  const watch = new Watch(log)
  let folds = await startFolds(await world.open(), [versions[0] as Topology], limits, { assignment: world.assignment() })
  await watch.start()
  const stop = new AbortController()
  const load = loaded(log, bodies, (seconds * 1_000) / speed / bodies.length, stop.signal)
  const [rebuilds, tookMs]: [number[], number[]] = [[], []]
  for (const [n, topology] of versions.slice(1).entries()) {
    await load.reached((n + 1) / versions.length)
    await trim(log, partitions)
    const before = (await readStores(log, TOPICS.stores, 'solana'))?.revision ?? 0
    const startedMs = performance.now()
    const staging = directoryStaging(join(dir, `scratch-${n}`))
    folds = await upgraded(world, folds, () =>
      world.open().then((own) => startFolds(own, [topology], limits, runOptionsOf(world, staging))),
    )
    tookMs.push(Math.round(performance.now() - startedMs))
    rebuilds.push(((await readStores(log, TOPICS.stores, 'solana'))?.revision ?? 0) - before)
    print(`${world.name}: upgrade ${n + 1} took ${tookMs.at(-1)} ms, ${rebuilds.at(-1)} rebuilds`)
  }
  await load.done
  await folds.caughtUp()
  const seen = await watch.stop()
  await folds.stop()
  await log.refresh()
  const clean = createMemoryLog({ partitions })
  await appendRaw(clean, bodies, 1)
  await foldAll(clean, versions.at(-1) as Topology, {}, limits)
  const [is, wanted] = [await contentsOf(log, { creators: grown }), await contentsOf(clean, { creators: grown })]
  return { log: world.name, rebuilds, tookMs, differences: differencesOf(is, wanted), creators: is.creators?.length ?? 0, ...seen }
}

const runOptionsOf = (world: World, staging: ReturnType<typeof directoryStaging>) => ({
  ...{ staging: () => staging, assignment: world.assignment(), by: 'newer' },
})

/** Starts the newer tasks. The older ones are stopped before; in a rolling upgrade they end because the newer ones fence them. */
const upgraded = async (world: World, older: Folds, start: () => Promise<Folds>): Promise<Folds> => {
  if (!world.isRolling) {
    await older.stop()
    return start()
  }
  const ended = older.done.catch(() => {})
  const newer = await start()
  await ended
  return newer
}

const trim = async (log: Log, partitions: number): Promise<void> => {
  await log.refresh()
  for (let partition = 0; partition < partitions; partition++) {
    // A fork may still roll back newer copies: retention keeps the tape far longer.
    const bases = await basesOf(log, TOPICS, partition)
    const settled = bases.findLast(({ mark }) => mark.number <= (bases.at(-1)?.mark.number ?? 0) - FORK_DEPTH_MAX)
    const copied = settled === undefined ? 0 : offsetIn(settled, TOPICS.tape)
    const gone = Math.floor(log.end(TOPICS.tape, partition) * TAPE_GONE)
    const to = Math.min(gone, copied)
    if (to > log.start(TOPICS.tape, partition)) await log.trim(TOPICS.tape, partition, to)
  }
}

/** Sends the frames at their pace. */
const loaded = (log: Log, bodies: ReturnType<typeof marketBodies>, frameMs: number, stop: AbortSignal) => {
  let sent = 0
  const send = async (): Promise<void> => {
    while (sent < bodies.length && !stop.aborted) {
      const chunk = bodies.slice(sent, sent + CHUNK_FRAMES)
      await appendRaw(log, chunk, sent + 1)
      sent += chunk.length
      await pause(frameMs * chunk.length)
    }
  }
  const done = send()
  return {
    done,
    reached: async (share: number): Promise<void> => {
      while (sent < bodies.length * share) await Promise.race([pause(LOOK_MS), done])
    },
  }
}

const differencesOf = (is: Readonly<Record<string, readonly string[]>>, wanted: typeof is): string[] =>
  ['mints', 'creators', 'flags', 'outcomes', 'judgements', 'letters'].flatMap((name) => {
    const [have, want] = [new Set(is[name]), new Set(wanted[name])]
    const missing = [...want].filter((text) => !have.has(text)).map((text) => `${name} lacks ${text}`)
    return [...missing, ...[...have].filter((text) => !want.has(text)).map((text) => `${name} has unexpected ${text}`)].slice(0, 5)
  })

export const upgradeSoak = async (
  [minutes = '10', seed = String(Date.now() % 1_000_000)]: readonly string[],
  print: (line: string) => void,
) => {
  const plan = { seconds: Number(minutes) * 60, speed: 1, seed: Number(seed), partitions: 4, print }
  const services = await startKafka(await findKafka())
  try {
    const reports = [await upgradesHere(plan), await upgradesOnKafka(plan, services)]
    return { report: { seed: plan.seed, reports }, isWhole: reports.every(isUpgradedWell) }
  } finally {
    await services.stop()
  }
}
