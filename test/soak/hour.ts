// The long hour: the demo at ten times today's load in real time, with an API client. Lag, memory and the log must stay flat.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import type { DemoPlan } from './demo-up.ts'
import { ask } from './history-reader.ts'
import { LAG_MS_MAX, middle, Watch, WINDOW_S, type Window } from './hour-window.ts'
import { askSteadily } from './requests.ts'
import { demoArgs, UpProcess } from './up-process.ts'

/** Rows are counted rarely: a count reads the whole changelog, in the measured process. No garbage collection is forced. */
const MEASURED = { liveEveryS: null, rowsEveryS: 4 * WINDOW_S }
/** Ten times today's load on average, 4,000 launchpad transactions a second: pools accumulate, so the load starts lower and ends higher. */
const PLAN: DemoPlan = { seed: 7, rate: 80, historyS: 600, catchUpS: 60, endS: null, speed: 1, crowd: 4, measured: MEASURED }
const START_MS_MAX = 600_000
/** At first the view lags by the frames of `catchUpS` and those that arrive meanwhile: this time is not measured. */
const WARM_S = 60
const HISTORY_MS_MAX = 60_000
/** Allowed growth from the second window to the last. */
const GROWTH_SHARE_MAX = 0.1
/** Limit for the memory of ClickHouse, whose caches fill as the data grows. */
const ENGINE_MB_MAX = 600

/** The result; the run passes if `verdict` is empty. */
export interface HourReport {
  readonly minutes: number
  readonly windows: readonly Window[]
  readonly history: unknown
  readonly lagMsMax: number
  readonly secondsOverLimit: number
  /** Those of `secondsOverLimit` that other jobs on the machine cannot explain. */
  readonly secondsOverLimitOwn: number
  /** The first of all seconds over the limit, as text. */
  readonly late: readonly string[]
  readonly faults: readonly string[]
  readonly verdict: readonly string[]
}

/** Load and speed of the demo; `TEN_TIMES` is ten times today's load in real time. */
export type HourPace = Pick<DemoPlan, 'rate'> & { readonly speed: number }
export const TEN_TIMES: HourPace = { rate: PLAN.rate, speed: 1 }

/** Runs for this many minutes after the start; `print` gets one table line per window. Lag is wall time at any speed. */
export const runHour = async (minutes: number, pace: HourPace, print: (line: string) => void): Promise<HourReport> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-hour-'))
  const watch = new Watch(dir)
  const env = { MINTFOLD_PAYMENTS: 'off', MINTFOLD_METRICS_PORT: String(await freePort()) }
  const up = new UpProcess({
    dataDir: dir,
    port: await freePort(),
    args: demoArgs({ ...PLAN, ...pace }),
    env,
    out: (line) => watch.take(line, up),
  })
  const stop = new AbortController()
  try {
    await up.printed('mintfold answers on', START_MS_MAX)
    await pause(WARM_S * 1_000)
    const { asked, done } = askSteadily(up.url, 1_000, stop.signal)
    const sinking = watch.followSink(dir, stop.signal)
    watch.followDisk(stop.signal)
    watch.begin(asked)
    const windows: Window[] = []
    for (let left = minutes * 60; left > 0 && up.isAlive; left -= WINDOW_S) {
      await pause(Math.min(left, WINDOW_S) * 1_000)
      const window = watch.take5(windows.length)
      if (windows.length === 0) print(Object.keys(window).join('\t'))
      print(Object.values(window).join('\t'))
      windows.push(window)
    }
    const history = await ask(dir, HISTORY, HISTORY_MS_MAX)
    stop.abort()
    await Promise.all([done, sinking])
    const alive = up.isAlive
    const code = await up.stop()
    const ended = alive && code === 0 ? [] : [`the product ended with code ${code}: ${up.lines.slice(-5).join(' | ')}`]
    const { all, own, late } = watch.lateness
    return {
      minutes,
      windows,
      history,
      lagMsMax: Math.max(...windows.map(({ lagMsMax }) => lagMsMax)),
      secondsOverLimit: all,
      secondsOverLimitOwn: own,
      late,
      faults: asked.faults,
      verdict: [...ended, ...verdictOn(windows, own)],
    }
  } finally {
    stop.abort()
    if (up.isAlive) await up.kill()
    removeDirectory(dir)
  }
}

/** The load of the last 20 minutes according to the history: per second; launches per hour. */
const HISTORY = `WITH (SELECT max(tick_at) - INTERVAL 20 MINUTE FROM mintfold.ticks_log) AS since SELECT
  (SELECT round(count() / 1200) FROM mintfold.trades WHERE tick_at > since) AS curve_trades_per_s,
  (SELECT round(count() / 1200) FROM mintfold.pool_trades WHERE tick_at > since) AS pool_trades_per_s,
  (SELECT count() * 3 FROM mintfold.launches WHERE tick_at > since) AS launches_per_h,
  (SELECT round(sum(launchpad_transactions) / 1200) FROM mintfold.raw_frames_log WHERE block_at > since) AS launchpad_per_s,
  (SELECT round(sum(launchpad_failed) / 1200) FROM mintfold.raw_frames_log WHERE block_at > since) AS failed_per_s`

/** Faults of the hour, as text. Figures per row count from the window in which rows were first counted. */
const verdictOn = (windows: readonly Window[], secondsOver: number): string[] => {
  const late =
    secondsOver > 0 ? [`in ${secondsOver} seconds the lag was over ${LAG_MS_MAX} ms, and the machine was not busy with other jobs`] : []
  const failed = windows.at(-1)?.apiFailed ?? 0
  // Skips the first window and those before rows were counted.
  const settled = windows.slice(1).filter(({ rows }) => rows > 0)
  const [first, last] = [settled[0], settled.at(-1)]
  if (first === undefined || last === undefined) return late
  // Bytes per row must stay constant; for figures with outliers within five minutes, the median of each half is compared.
  const bytes = (['changelogBytesPerRow', 'heapBytesPerRow'] as const).map((name) => [name, first[name], last[name]] as const)
  const half = settled.length / 2
  const middles = (['handles', 'files', 'sinkLagSMax'] as const).map((name) => {
    const each = settled.map((window) => window[name])
    return [name, middle(each.slice(0, half)), middle(each.slice(-half))] as const
  })
  const grown = [...bytes, ...middles]
    .filter(([, from, to]) => to > from * (1 + GROWTH_SHARE_MAX) && to - from > 2)
    .map(([name, from, to]) => `${name} grew from ${from} to ${to}`)
  const engineMb = Math.max(...windows.map((window) => window.engineMb))
  if (engineMb > ENGINE_MB_MAX) grown.push(`ClickHouse took ${engineMb} MB`)
  return [...late, ...(failed > 0 ? [`${failed} requests were not answered`] : []), ...grown]
}
