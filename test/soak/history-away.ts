// Takes ClickHouse away while the demo runs: first suspends it, then another listener takes its port. The API must answer all the time,
// memory must stay flat, and once ClickHouse is back the history must become equal to that of an undisturbed run. However slow the machine
// is, the market continues until the history has caught up; only then the end of both runs is set.
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ACCESS_FILE } from '../../topology/history/engine/access.ts'
import { historyDirOf } from '../../topology/history/engine/where.ts'
import type { HistoryTarget } from '../../topology/history/target.ts'
import { DEMO_DEFAULTS } from '../../topology/simulator/solana/defaults.ts'
import { copyHistory } from '../fixtures/migrated-history.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { differences } from './compare.ts'
import { both, ENV, type Head, headOf, playToEnd, reached } from './demo-run.ts'
import type { DemoPlan } from './demo-up.ts'
import type { Line } from './gauges.ts'
import { reachOf } from './history-reader.ts'
import { askSteadily } from './requests.ts'
import { demoArgs, UpProcess } from './up-process.ts'

/** Of the market by default; speed 1 is a tenth of today's load. */
const SPEED = 10
const SAMPLE_S = 10
const MEASURED = { liveEveryS: SAMPLE_S, rowsEveryS: null }
/** Seconds played before ClickHouse stops; less for a short absence. */
const BEFORE_S_MAX = 10
/** Both runs play this long beyond the stop of the disturbed one, wall seconds: more than its source can be behind its pace. */
const AFTER_S = 5
/** The history is level with the head if it is at most this far behind, wall seconds: enough for a machine with other jobs. */
const LEVEL_S = 3
const ASK_EVERY_MS = 1_000
const HEALTH_MS_MAX = 5_000
const HOLD_MS = 100
const FOLDED_TRIES_MAX = 100
const START_MS_MAX = 300_000
const MB = 1e6
/** ClickHouse restarts after up to 30 s; then the missed rows are written. */
const BACK_MS_MAX = 45_000
const CATCH_UP_MS_MAX = 30_000
/** Samples scatter by 25 MB around their mean; a process that kept unwritten rows in memory would grow by 5 MB a minute or more. */
const GROWTH_MB_PER_MIN_MAX = 4

/** A sample during the absence. */
interface Sample {
  readonly atS: number
  /** Heap and external memory after a collection. */
  readonly heapMb: number
  readonly anonymousMb: number
}

/** The result; `isAwayWell` states what it must be. */
export interface AwayReport {
  readonly seed: number
  readonly awayS: number
  readonly asked: number
  readonly failed: number
  readonly faults: readonly string[]
  readonly askMsMax: number
  /** Requests during the absence that ClickHouse answered. */
  readonly answeredByClickHouse: number
  readonly samples: readonly Sample[]
  /** By least squares over the absence. */
  readonly heapMbPerMin: number
  readonly anonymousMbPerMin: number
  /** Stream seconds folded during the absence. */
  readonly behindS: number
  /** From when the port was free until ClickHouse answered, and from then until the history was level with the head. */
  readonly backMs: number
  readonly catchUpMs: number
  readonly differences: readonly string[]
  readonly rows: number
  readonly exitCode: number | null
}

/** A soak has so many seconds of history before that as many launches are evicted as arrive. */
export const runHistoryAway = async (awayS: number, seed: number, historyS: number, speed = SPEED): Promise<AwayReport> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-away-'))
  const beforeS = Math.min(BEFORE_S_MAX, awayS / 3)
  const plan = { seed, rate: 1, historyS, catchUpS: 60, endS: null, speed, crowd: 0, measured: MEASURED }
  try {
    const { asked, playedToS, exitCode, ...seen } = await awayRun(join(dir, 'away'), plan, beforeS, awayS)
    const ended = { ...plan, endS: Math.ceil(playedToS) - DEMO_DEFAULTS.startMs / 1_000 + AFTER_S * speed }
    const playIn = (name: string) => playToEnd({ dir: join(dir, name), plan: ended })
    const [whole, played] = await both(playIn('clean'), playIn('away'))
    return {
      seed,
      awayS,
      asked: asked.answered,
      failed: asked.failed,
      faults: asked.faults,
      askMsMax: Math.round(Math.max(...asked.took)),
      ...seen,
      heapMbPerMin: slopePerMin(seen.samples, ({ heapMb }) => heapMb),
      anonymousMbPerMin: slopePerMin(seen.samples, ({ anonymousMb }) => anonymousMb),
      differences: differences(whole.contents, played.contents),
      rows: Object.values(whole.stored.rows).reduce((sum, rows) => sum + rows.length, 0),
      exitCode: exitCode === 0 ? played.exitCode : exitCode,
    }
  } finally {
    removeDirectory(dir)
  }
}

/** Whether the run passes. */
export const isAwayWell = (report: AwayReport): boolean => {
  const { failed, answeredByClickHouse, heapMbPerMin, backMs, catchUpMs, exitCode } = report
  const isQuick = backMs <= BACK_MS_MAX && catchUpMs <= CATCH_UP_MS_MAX
  const isWhole = failed + answeredByClickHouse + report.differences.length === 0 && exitCode === 0
  return isQuick && isWhole && heapMbPerMin <= GROWTH_MB_PER_MIN_MAX
}

type AwayPlan = DemoPlan & { readonly speed: number }

const awayRun = async (dir: string, plan: AwayPlan, beforeS: number, awayS: number) => {
  await copyHistory(dir)
  const levelS = LEVEL_S * plan.speed
  const memory = new Memory()
  const pacedFromS = DEMO_DEFAULTS.startMs / 1_000 + plan.historyS + plan.catchUpS
  const up = new UpProcess({
    dataDir: dir,
    port: await freePort(),
    args: demoArgs(plan),
    env: { ...ENV, MINTFOLD_METRICS_PORT: String(await freePort()) },
    out: (line) => memory.take(line),
  })
  const stop = new AbortController()
  try {
    await up.printed('mintfold answers on', START_MS_MAX)
    await reached(up, dir, async ({ upTo }) => upTo >= pacedFromS && (await isLevel(up, upTo, levelS)))
    await pause(beforeS * 1_000)
    const { asked, done } = askSteadily(up.url, ASK_EVERY_MS, stop.signal)
    memory.begin()
    let upToBefore = 0
    await reached(up, dir, ({ upTo }) => {
      upToBefore = upTo
      return true
    })
    const stopped = await hold(up, dir, (awayS / 2) * 1_000, () => stopEngine(up))
    const port = await takePort(up, dir)
    const refused = await hold(up, dir, (awayS / 2) * 1_000, () => {})
    const samples = memory.end()
    const returnedMs = performance.now()
    const { folded: foldedAtReturn } = await headNow(up)
    await new Promise((resolve) => port.close(resolve))
    const behindS = Math.round(foldedAtReturn - upToBefore)
    await reached(up, dir, () => true)
    const backAtMs = performance.now()
    await reached(up, dir, ({ upTo }) => isLevel(up, upTo, levelS))
    const catchUpMs = Math.round(performance.now() - backAtMs)
    const backMs = Math.round(backAtMs - returnedMs)
    stop.abort()
    await done
    const { now } = await headNow(up)
    const headMs = performance.now()
    const exitCode = await up.stop()
    const playedToS = now + ((performance.now() - headMs) / 1_000) * plan.speed
    return { asked, samples, answeredByClickHouse: stopped + refused, behindS, backMs, catchUpMs, playedToS, exitCode }
  } finally {
    stop.abort()
    if (up.isAlive) await up.kill()
  }
}

/** Positions of source and folds, as soon as the product reports them. */
const headNow = async (up: UpProcess): Promise<Head> => {
  for (let tries = 0; tries < FOLDED_TRIES_MAX && up.isAlive; tries++) {
    const head = await headOf(up, HEALTH_MS_MAX)
    if (head !== null) return head
    await pause(HOLD_MS)
  }
  throw new Error(`the product does not report its position\n${up.lines.join('\n')}`)
}

/** Whether folds and history are close to the source. */
const isLevel = async (up: UpProcess, upTo: number, levelS: number): Promise<boolean> => {
  const head = await headOf(up, HEALTH_MS_MAX)
  return head !== null && head.now - head.folded <= levelS && head.folded - upTo <= levelS
}

/** Repeats `keep` for this long; returns how often ClickHouse answered anyway. */
const hold = async (up: UpProcess, dir: string, ms: number, keep: () => void): Promise<number> => {
  let answers = 0
  const endMs = performance.now() + ms
  keep()
  for (let look = 1; performance.now() < endMs && up.isAlive; look++) {
    await pause(HOLD_MS)
    keep()
    if (look % 20 === 0 && (await reachOf(dir, HOLD_MS)) !== null) answers++
  }
  return answers
}

const signal = (up: UpProcess, name: NodeJS.Signals): void => {
  const pid = up.enginePid()
  try {
    if (pid !== null) process.kill(pid, name)
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ESRCH') throw failure
  }
}
const stopEngine = (up: UpProcess): void => signal(up, 'SIGSTOP')

/** Kills ClickHouse and listens on its port. */
const takePort = async (up: UpProcess, dir: string): Promise<Server> => {
  const { url } = JSON.parse(readFileSync(join(historyDirOf(dir), ACCESS_FILE), 'utf8')) as HistoryTarget
  for (;;) {
    signal(up, 'SIGKILL')
    const server = createServer((socket) => socket.destroy())
    const isBound = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(Number(new URL(url).port), '127.0.0.1', () => resolve(true))
    })
    if (isBound) return server
    await pause(HOLD_MS)
  }
}

/** Memory samples of the process. */
class Memory {
  #samples: Sample[] = []

  take(text: string): void {
    const line = JSON.parse(text) as Line
    if (line.type !== 'live') return
    const atS = (this.#samples.length + 1) * SAMPLE_S
    const heapMb = Math.round((line.heapBytes + line.externalBytes) / MB)
    this.#samples.push({ atS, heapMb, anonymousMb: Math.round(line.anonymousBytes / MB) })
  }
  /** Discards earlier samples. */
  begin(): void {
    this.#samples = []
  }
  /** Samples so far; later ones do not count. */
  end(): readonly Sample[] {
    return [...this.#samples]
  }
}

const slopePerMin = (samples: readonly Sample[], of: (sample: Sample) => number): number => {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanS, meanMb] = [mean(samples.map(({ atS }) => atS)), mean(samples.map(of))]
  const above = samples.reduce((sum, sample) => sum + (sample.atS - meanS) * (of(sample) - meanMb), 0)
  const below = samples.reduce((sum, { atS }) => sum + (atS - meanS) ** 2, 0)
  return below === 0 ? 0 : Math.round((above / below) * 60 * 100) / 100
}
