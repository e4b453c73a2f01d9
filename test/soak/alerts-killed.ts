// Runs `kill -9` on processes that deliver alerts from a data directory, while the receiver fails now and then.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Subscription } from '../../query-api/alerts/alert.ts'
import { alertId } from '../../query-api/alerts/matching.ts'
import { type AlertStore, TableRows } from '../../query-api/alerts/rows/table-rows.ts'
import { openLmdbTables } from '../../topology/data-dir/lmdb-tables.ts'
import { ALERT_TABLES, ALERTS_FOLDER } from '../../topology/operations/backup/data-dir.ts'
import { startReceiver } from '../fakes/alert-receiver.ts'
import { Dice } from '../simulation/dice.ts'
import { RUN } from '../tools/run.ts'
import { until } from '../tools/until.ts'
import {
  type AlertsProgress,
  type AlertsReport,
  BARS,
  givenUpIn,
  mintOf,
  PPM,
  reportOf,
  runAlerts,
  START_S,
  STEP_MS,
  TERM_S,
  valueAt,
} from './alerts.ts'

const PROGRAM = join('test', 'soak', 'alerts-process.ts')
const VALUES_PER_LIFE = 8
const LATE_VALUES = 20
/** A process is killed at most this long after its first output. */
const LIFE_MS_MAX = 120

const runKilled = async (kills: number, seed: number): Promise<AlertsReport> => {
  const dice = new Dice(seed, 'killed')
  const dir = await mkdtemp(join(tmpdir(), 'mintfold-alerts-soak-'))
  const receiver = await startReceiver()
  const subscriptions = BARS.map((bar, n): Subscription => {
    const begins = { graduation_odds: [0, 0] }
    const target = { kind: 'generic', url: `${receiver.url}/hook` } as const
    return {
      id: `sub_${n}`,
      secret: 's',
      kinds: ['graduation_odds'],
      minPpm: bar * PPM,
      target,
      startedAt: START_S,
      expiresAt: START_S + TERM_S,
      begins,
    }
  })
  let progress: AlertsProgress = { values: 0, nowS: START_S, wallMs: START_S * 1_000 }
  const step = (values: number, nowS: number): AlertsProgress => {
    progress = { values: progress.values + values, nowS, wallMs: progress.wallMs + STEP_MS }
    return progress
  }
  try {
    await keep(dir, subscriptions)
    for (let kill = 0; kill < kills; kill++) {
      receiver.answer = dice.pick([200, 204, 204, 500, 'cut'] as const)
      const child = await begun(dir, seed)
      child.send(step(VALUES_PER_LIFE, progress.nowS + 1))
      await pause(dice.int(0, LIFE_MS_MAX))
      await killed(child)
    }
    receiver.answer = 200
    const last = await begun(dir, seed)
    const due = crossingsOf(seed, progress.values, subscriptions)
    const isDone = (): boolean => {
      last.send(step(0, progress.nowS))
      return new Set(receiver.taken).size >= due.length
    }
    await until(isDone, { everyMs: 20 }).catch(() => undefined)
    last.send(step(LATE_VALUES, START_S + TERM_S))
    await pause(500)
    await killed(last)
    const crossings = due.map((id) => ({ id, isLate: false }))
    return { ...reportOf(crossings, receiver.taken, await withRows(dir, givenUpIn)), seed, kills }
  } finally {
    await receiver.close()
    await rm(dir, { recursive: true, force: true })
  }
}

const withRows = async <T>(dir: string, work: (rows: TableRows) => Promise<T>): Promise<T> => {
  const { tables, close } = openLmdbTables<Record<string, never>>(join(dir, ALERTS_FOLDER), ALERT_TABLES)
  try {
    return await work(new TableRows(tables as unknown as AlertStore))
  } finally {
    await close()
  }
}

const keep = (dir: string, subscriptions: readonly Subscription[]): Promise<void> =>
  withRows(dir, async (rows) => {
    for (const one of subscriptions) await rows.add('subscriptions', one.id, one)
  })

const begun = (dir: string, seed: number): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...RUN, PROGRAM, dir, String(seed)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.once('message', () => resolve(child))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the process ended with code ${code}`)))
  })

const killed = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.removeAllListeners('exit').once('exit', () => resolve())
    child.kill('SIGKILL')
  })

/** Ids of the alerts that the subscriptions must receive. */
const crossingsOf = (seed: number, values: number, subscriptions: readonly Subscription[]): readonly string[] => {
  const ids = new Set<string>()
  for (let n = 0; n < values; n++) {
    const { mint, ppm } = valueAt(seed, n)
    for (const { id, minPpm } of subscriptions)
      if (ppm >= minPpm) ids.add(alertId(id, 'graduation_odds', { mint: mintOf(mint), findingId: null }))
  }
  return [...ids]
}

/** `npm run soak -- alerts [kills] [seed]`: this many simulated kills between any two steps within one process, then as many `kill -9`. */
export const soakAlerts = async ([count = '200', seed = String(Date.now() % 1_000_000)]: readonly string[]) => {
  const inProcess = await runAlerts(Number(count), Number(seed))
  const killed = await runKilled(Number(count), Number(seed))
  const wrong = [inProcess.lost, inProcess.strange, inProcess.late, killed.lost, killed.strange]
  return { report: { inProcess, killed }, isWhole: wrong.every((list) => list.length === 0) }
}
