// How long folds and view of the product need until they are ready on a log with a day of today's launches and trades: from snapshots and
// the log behind them, and from the log's start.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { startFolds } from '../../../topology/runtime/runtime.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'
import { pause } from '../../../topology/waiting/waiting.ts'
import { areCovered, countRecords } from '../../fixtures/compacted-reads.ts'
import { fillTape, tapeRecordsOn } from '../fill-tape.ts'
import { runChild } from './child.ts'
import { dayFrames, framesIn } from './day.ts'
import { openKept, type Services } from './engine.ts'
import { cpuSeconds } from './figures.ts'
import { measurePromotion } from './promotion.ts'
import { openReadyLog, PARTITIONS } from './ready-log.ts'
import { field, inRounds, median, round } from './report.ts'
import { measureServes } from './serve-figures.ts'
import { compareTakeovers, measureRestart } from './takeover.ts'
import type { Figures } from './together.ts'

/**
 * Frames behind the newest snapshots. In the product each task has up to 2,600 commits there (2,000 offsets, half of them markers, and
 * those of a round of 5 minutes), of 450,000 a day.
 */
const TAIL_FRAMES = 1_250
const POLL_MS = 50

export interface DayOptions extends Services {
  readonly events: number
  /** Frames to append to the log, one by one; 0 makes the day before them. */
  readonly tail: number
}
export interface ReadyOptions extends Services {
  /** Data directory with the snapshots; null reads the log from its start. */
  readonly dataDir: string | null
  /** Stays until the snapshots reach the end of the log. */
  readonly keeps: boolean
}

/** Fills the log, and folds what it gets: the day at once, the frames of the tail one after the other. */
export const makeDay = async ({ events, tail, ...services }: DayOptions): Promise<object> => {
  const log = await openReadyLog(services)
  const day = framesIn(events)
  if (tail === 0) await fillTape(log, dayFrames(0, day))
  const folds = await startFolds(log, [LAUNCH_RISK])
  await folds.caughtUp()
  if (tail > 0) {
    const owner = await log.own('bench')
    const recordsOf = tapeRecordsOn(log)
    for (const frame of dayFrames(day, day + TAIL_FRAMES)) {
      await owner.commit({ outputs: recordsOf(frame), inputs: new Map() })
      await folds.caughtUp()
    }
  }
  await folds.stop()
  await log.close()
  return { events }
}

/** Opens the log, restores the tasks and starts the view, as `process` and `serve` do. Times begin when the log is open. */
export const becomeReady = async ({ dataDir, keeps, ...services }: ReadyOptions): Promise<object> => {
  const closing = new Closing()
  const kafka = await openReadyLog(services)
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
  readonly events: number
  readonly rounds: number
  /** Of the market, for the figures of `serve`. */
  readonly days: readonly number[]
  readonly print: (line: object) => void
}

/** Prints each run, and the ratio of both. The log has fewer commits than a day's: the day was folded at once. */
export const compareReady = async ({ services, events, rounds, days, print }: ReadyPlan): Promise<void> => {
  const kept = mkdtempSync(join(tmpdir(), 'mintfold-bench-ready-'))
  try {
    await runChild('day', { ...services, events, tail: 0 })
    await runChild('ready', { ...services, dataDir: kept, keeps: true })
    await runChild('day', { ...services, events, tail: TAIL_FRAMES })
    const runs = { log: [] as Figures[], snapshots: [] as Figures[] }
    const step = (from: 'log' | 'snapshots') => async (): Promise<void> => {
      const figures = await runChild('ready', { ...services, dataDir: from === 'log' ? null : kept, keeps: false })
      runs[from].push(figures)
      print({ run: 'ready', from, ...figures })
    }
    await inRounds(rounds, [step('log'), step('snapshots')])
    for (const figure of ['ready_s', 'cpu_s']) {
      const [log, snapshots] = [median(runs.log.map(field(figure))), median(runs.snapshots.map(field(figure)))]
      print({ bench: `kafka_${figure.replace('_s', '')}_ratio`, value: round(snapshots / log), unit: 'ratio', detail: { log, snapshots } })
    }
    const [other, third] = ['other', 'third'].map((name) => join(kept, name)) as [string, string]
    for (const dir of [other, third]) cpSync(join(kept, 'snapshots'), join(dir, 'snapshots'), { recursive: true })
    await measureRestart(services, kept, rounds, print)
    await compareTakeovers(services, [kept, other], print)
    await measurePromotion(services, [kept, other, third], framesIn(events) + TAIL_FRAMES, print)
    await measureServes({ services, days, rounds, dir: kept, print })
  } finally {
    rmSync(kept, { recursive: true, force: true })
  }
}
