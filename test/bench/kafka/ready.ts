// How long folds and view of the product need until they are ready on a log of many commits: from the log's start, and from snapshots.
// A day has 450,000 commits in a partition: the difference between both, divided by the commits, is what a commit costs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import type { KafkaLog } from '../../../topology/logs/kafka/kafka.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { startFolds } from '../../../topology/runtime/runtime.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'
import { pause } from '../../../topology/waiting/waiting.ts'
import { areCovered, countRecords } from '../../fixtures/compacted-reads.ts'
import { fillTape } from '../fill-tape.ts'
import { DEFAULT_SHAPE, syntheticTape } from '../synthetic-tape.ts'
import { runChild } from './child.ts'
import { openKept, type Services } from './engine.ts'
import { cpuSeconds } from './figures.ts'
import { field, inRounds, median, round } from './report.ts'
import type { Figures } from './together.ts'

const PARTITIONS = 4
const FRAME = { eventsPerFrame: 8 }
/** A commit for each frame and task. */
const AT_ONCE = { commitIntervalMs: 0, promptIntervalMs: 0, catchUpIntervalMs: 0 }
const EACH_FRAME = { ...DEFAULT_LIMITS, ...AT_ONCE, commitEventsMax: 1, aheadEventsMax: 1 }
const DAY = { commits: 450_000, partitions: 12 }
/** Of a task, behind its newest snapshot in the product: 2,000 offsets, half of them markers, and those of a round of 5 minutes. */
const TAIL_COMMITS = 2_600
const POLL_MS = 50

export interface DayOptions extends Services {
  readonly frames: number
}
export interface ReadyOptions extends Services {
  /** Data directory with the snapshots; null reads the log from its start. */
  readonly dataDir: string | null
  /** Stays until the snapshots reach the end of the log. */
  readonly keeps: boolean
}

const openLog = ({ brokers, registryUrl }: Services): Promise<KafkaLog> =>
  openKafkaLog({
    brokers: brokers.split(','),
    registry: { url: registryUrl, login: null },
    security: { tls: false, sasl: null },
    prefix: 'bench.ready.',
    partitions: PARTITIONS,
    topics: topicsOf(LAUNCH_RISK),
    owners: LAUNCH_RISK.operations.kafka.writes.owners,
    notice: (message) => process.stderr.write(`${message}\n`),
  })

/** Fills the log: each task folds each frame in a commit of its own. */
export const makeDay = async (options: DayOptions): Promise<object> => {
  const log = await openLog(options)
  await fillTape(log, syntheticTape({ ...DEFAULT_SHAPE, ...FRAME, events: options.frames * FRAME.eventsPerFrame }))
  const folds = await startFolds(log, [LAUNCH_RISK], EACH_FRAME)
  await folds.caughtUp()
  await folds.stop()
  await log.close()
  return { frames: options.frames }
}

/** Opens the log, restores the tasks and starts the view, as `process` and `serve` do. Times begin when the log is open. */
export const becomeReady = async ({ dataDir, keeps, ...services }: ReadyOptions): Promise<object> => {
  const closing = new Closing()
  const kafka = await openLog(services)
  closing.add('log', () => kafka.close())
  const records = countRecords(kafka)
  const [cpu, started] = [cpuSeconds(), performance.now()]
  const log = dataDir === null ? kafka : await openKept(kafka, { dataDir, keeps }, closing)
  const folds = await startFolds(log, [LAUNCH_RISK])
  closing.add('folds', () => folds.stop())
  const restored = performance.now()
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  closing.add('view', () => view.stop())
  const ready = performance.now()
  const figures = {
    ...{ ready_s: (ready - started) / 1_000, tasks_s: (restored - started) / 1_000, view_s: (ready - restored) / 1_000 },
    ...{ cpu_s: cpuSeconds() - cpu, records: records(), mints: view.status().tracked, commits: commitsOn(log) },
  }
  while (keeps && !(await areCovered(log))) await pause(POLL_MS)
  await closing.run()
  return figures
}

/** Commits of all tasks: each is one record of progress and its marker. */
const commitsOn = (log: Log): number => {
  const { progress } = LAUNCH_RISK.views.mints.reads
  return Array.from({ length: PARTITIONS }, (_, partition) => log.end(progress, partition) / 2).reduce((sum, commits) => sum + commits, 0)
}

export interface ReadyPlan {
  readonly services: Services
  /** At most, of each task. */
  readonly commits: number
  readonly rounds: number
  readonly print: (line: object) => void
}

/** Prints each run, the ratio of both, and what they give for a day of the product. */
export const compareReady = async ({ services, commits, rounds, print }: ReadyPlan): Promise<void> => {
  await runChild('day', { ...services, frames: commits })
  const kept = mkdtempSync(join(tmpdir(), 'mintfold-bench-ready-'))
  try {
    await runChild('ready', { ...services, dataDir: kept, keeps: true })
    const runs = { log: [] as Figures[], snapshots: [] as Figures[] }
    const step = (from: 'log' | 'snapshots') => async (): Promise<void> => {
      const figures = await runChild('ready', { ...services, dataDir: from === 'log' ? null : kept, keeps: false })
      runs[from].push(figures)
      print({ run: 'ready', from, ...figures })
    }
    await inRounds(rounds, [step('log'), step('snapshots')])
    const of = (from: 'log' | 'snapshots', figure: string): number => median(runs[from].map(field(figure)))
    for (const figure of ['ready_s', 'cpu_s']) {
      const [log, snapshots, made] = [of('log', figure), of('snapshots', figure), of('log', 'commits')]
      const dayOf = (each: number): number => round(snapshots + ((log - snapshots) / made) * each * DAY.partitions)
      const detail = { commits: made, log, snapshots, day_from_log: dayOf(DAY.commits), day_from_snapshots: dayOf(TAIL_COMMITS) }
      print({ bench: `kafka_${figure.replace('_s', '')}_ratio`, value: round(snapshots / log), unit: 'ratio', detail })
    }
  } finally {
    rmSync(kept, { recursive: true, force: true })
  }
}
