// The long hour: the demo at ten times the load of today, in real time, with somebody at the API. Lag, memory and the log must stay flat.
import { mkdtempSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DemoPlan } from './demo-up.ts'
import { anonymousOf, type Line, type Live, type Reading, type RowCount } from './gauges.ts'
import { ask, reachOf } from './history-reader.ts'
import { type Asked, askSteadily } from './probe.ts'
import { demoArgs, freePort, removed, UpProcess } from './up-process.ts'

/** Ten times today over the hour, 4,000 launchpad transactions a second: pools add up, so that it is less at first and more at its end. */
const WINDOW_S = 300
/** Rows are counted seldom: that reads the whole changelog, in the process that is measured. */
const MEASURED = { liveEveryS: WINDOW_S, rowsEveryS: 4 * WINDOW_S }
const PLAN: DemoPlan = { seed: 7, rate: 80, historyS: 600, catchUpS: 60, endS: null, speed: 1, crowd: 4, measured: MEASURED }
const START_MS_MAX = 600_000
/** The frames of `catchUpS` and what came meanwhile are behind the head at first: they do not count. */
const WARM_S = 60
const SINK_EVERY_MS = 10_000
const HISTORY_MS_MAX = 60_000
const LAG_MS_MAX = 2_000
/** On a machine that others use too, lag counts only where the main thread had waited little for a processor in the seconds before. */
const STARVED_SHARE_MAX = 0.2
const STARVED_OVER_S = 30
const LATE_MAX = 200
/** From the second window to the last. */
const GROWTH_SHARE_MAX = 0.1
const MB = 1e6

/** Five minutes, or what is left. Heap and external memory are what a collection left, the rest the most that was seen. */
export interface Window {
  readonly minute: number
  readonly seconds: number
  readonly lagMsMedian: number
  readonly lagMsP99: number
  readonly lagMsMax: number
  readonly loopMsMax: number
  readonly load: number
  /** Of one processor: what the product used, and for which share its main thread waited for one. */
  readonly cpuShare: number
  readonly starvedShare: number
  readonly transactionsPerS: number
  readonly launchpadPerS: number
  readonly heapMb: number
  readonly externalMb: number
  readonly rssMb: number
  readonly anonymousMb: number
  readonly engineMb: number
  readonly handles: number
  readonly files: number
  readonly logMb: number
  readonly sinkLagSMax: number
  readonly apiMsP99: number
  readonly apiFailed: number
  readonly mints: number
  readonly rows: number
  readonly changelogBytesPerRow: number
  readonly heapBytesPerRow: number
}

/** What came out; nothing is broken when `verdict` is empty. */
export interface HourReport {
  readonly minutes: number
  readonly windows: readonly Window[]
  readonly history: unknown
  readonly lagMsMax: number
  readonly secondsOverLimit: number
  /** Of these, the ones for which no other job of the machine can be blamed. */
  readonly secondsOverLimitOwn: number
  /** The first of them, in words. */
  readonly late: readonly string[]
  readonly faults: readonly string[]
  readonly verdict: readonly string[]
}

/** Another market than ten times today's in real time. */
export type HourPace = Pick<DemoPlan, 'rate'> & { readonly speed: number }
export const TEN_TIMES: HourPace = { rate: PLAN.rate, speed: 1 }

/** Runs it for so many minutes after the start; `say` gets a line of the table per window. Lag is of the wall, at any speed. */
export const runHour = async (minutes: number, pace: HourPace, say: (line: string) => void): Promise<HourReport> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-hour-'))
  const watch = new Watch()
  const env = { MINTFOLD_PAYMENTS: 'off' }
  const up = new UpProcess({
    dataDir: dir,
    port: await freePort(),
    args: demoArgs({ ...PLAN, ...pace }),
    env,
    out: (line) => watch.take(line, up),
  })
  const stop = new AbortController()
  try {
    await up.said('mintfold answers on', START_MS_MAX)
    await pause(WARM_S * 1_000)
    const { asked, done } = askSteadily(up.url, 1_000, stop.signal)
    const sinking = watch.followSink(dir, stop.signal)
    watch.begin(asked)
    const windows: Window[] = []
    for (let left = minutes * 60; left > 0 && up.isAlive; left -= WINDOW_S) {
      await pause(Math.min(left, WINDOW_S) * 1_000)
      const window = watch.take5(windows.length)
      if (windows.length === 0) say(Object.keys(window).join('\t'))
      say(Object.values(window).join('\t'))
      windows.push(window)
    }
    const history = await ask(dir, HISTORY, HISTORY_MS_MAX)
    stop.abort()
    await Promise.all([done, sinking])
    const alive = up.isAlive
    const code = await up.stop()
    const ended = alive && code === 0 ? [] : [`the product ended with ${code}: ${up.lines.slice(-5).join(' | ')}`]
    return {
      minutes,
      windows,
      history,
      lagMsMax: Math.max(...windows.map(({ lagMsMax }) => lagMsMax)),
      secondsOverLimit: watch.over.all,
      secondsOverLimitOwn: watch.over.own,
      late: watch.over.late,
      faults: asked.faults,
      verdict: [...ended, ...verdictOn(windows, watch.over.own)],
    }
  } finally {
    stop.abort()
    if (up.isAlive) await up.kill()
    removed(dir)
  }
}

/** What the load was over the last 20 minutes, as the history counts it: a second, and launches an hour. */
const HISTORY = `WITH (SELECT max(tick_at) - INTERVAL 20 MINUTE FROM mintfold.ticks_log) AS since SELECT
  (SELECT round(count() / 1200) FROM mintfold.trades WHERE tick_at > since) AS curve_trades_per_s,
  (SELECT round(count() / 1200) FROM mintfold.pool_trades WHERE tick_at > since) AS pool_trades_per_s,
  (SELECT count() * 3 FROM mintfold.launches WHERE tick_at > since) AS launches_per_h,
  (SELECT round(sum(launchpad_transactions) / 1200) FROM mintfold.raw_frames_log WHERE block_at > since) AS launchpad_per_s,
  (SELECT round(sum(launchpad_failed) / 1200) FROM mintfold.raw_frames_log WHERE block_at > since) AS failed_per_s`

/** Collects what the process tells and what is seen from outside, window by window. */
class Watch {
  #readings: (Reading & { readonly engineBytes: number; readonly load: number })[] = []
  /** With what was live at that moment. */
  #count: RowCount & { readonly liveBytes: number } = { mints: 0, rows: 0, changelogBytes: 0, liveBytes: 0 }
  #live: Live = { heapBytes: 0, externalBytes: 0, anonymousBytes: 0 }
  #sinkLagSMax = 0
  #asked: Asked = { answered: 0, faults: [], failed: 0, took: [] }
  #starvedMs: number[] = []
  readonly over: { all: number; own: number; readonly late: string[] } = { all: 0, own: 0, late: [] }

  take(text: string, up: UpProcess): void {
    const line = JSON.parse(text) as Line
    if (line.type === 'rows') this.#count = { ...line, liveBytes: this.#live.heapBytes + this.#live.externalBytes }
    else if (line.type === 'live') this.#live = line
    else this.#readings.push({ ...line, engineBytes: anonymousOf(up.enginePid() ?? 0), load: loadavg()[0] ?? 0 })
    if (line.type === 'reading') this.#judge(line)
  }
  #judge({ lagMsMax, starvedMs, loopMsMax }: Reading): void {
    this.#starvedMs = [...this.#starvedMs, starvedMs].slice(-STARVED_OVER_S)
    if (lagMsMax <= LAG_MS_MAX) return
    const starved = this.#starvedMs.reduce((sum, ms) => sum + ms, 0) / (this.#starvedMs.length * 1_000)
    this.over.all++
    if (starved <= STARVED_SHARE_MAX) this.over.own++
    const words = `${new Date().toISOString()} lag ${lagMsMax} ms, loop ${loopMsMax} ms, load ${loadavg()[0]}, starved ${Math.round(starved * 100)} %`
    if (this.over.late.length < LATE_MAX) this.over.late.push(words)
  }
  /** What came before does not count. */
  begin(asked: Asked): void {
    this.#asked = asked
    this.#readings = []
    Object.assign(this.over, { all: 0, own: 0, late: [] })
  }
  async followSink(dir: string, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const [reach, head] = [await reachOf(dir), this.#headS]
      if (reach !== null && reach.upTo > 0 && head !== null) this.#sinkLagSMax = Math.max(this.#sinkLagSMax, head - reach.upTo)
      await pause(SINK_EVERY_MS, undefined, { signal: stop }).catch(() => {})
    }
  }
  get #headS(): number | null {
    return this.#readings.at(-1)?.nowS ?? null
  }
  take5(index: number): Window {
    const readings = this.#readings
    this.#readings = []
    const lags = readings.map(({ lagMsMax }) => lagMsMax).sort((a, b) => a - b)
    const most = (of: (reading: (typeof readings)[number]) => number): number => Math.max(...readings.map(of))
    const perS = (of: (reading: Reading) => number): number =>
      Math.round(readings.reduce((sum, reading) => sum + of(reading), 0) / readings.length)
    const took = this.#asked.took.splice(0).sort((a, b) => a - b)
    const { heapBytes, externalBytes } = this.#live
    const { mints, rows, changelogBytes, liveBytes } = this.#count
    const window = {
      minute: (index * WINDOW_S) / 60,
      seconds: readings.length,
      lagMsMedian: at(lags, 0.5),
      lagMsP99: at(lags, 0.99),
      lagMsMax: at(lags, 1),
      loopMsMax: most(({ loopMsMax }) => loopMsMax),
      load: Math.round(most(({ load }) => load) * 10) / 10,
      cpuShare: share(perS(({ cpuMs }) => cpuMs)),
      starvedShare: share(perS(({ starvedMs }) => starvedMs)),
      transactionsPerS: perS(({ transactions }) => transactions),
      launchpadPerS: perS(({ launchpad }) => launchpad),
      heapMb: Math.round(heapBytes / MB),
      externalMb: Math.round(externalBytes / MB),
      rssMb: Math.round(most(({ rssBytes }) => rssBytes) / MB),
      anonymousMb: Math.round(most(({ anonymousBytes }) => anonymousBytes) / MB),
      engineMb: Math.round(most(({ engineBytes }) => engineBytes) / MB),
      handles: most(({ handles }) => handles),
      files: most(({ files }) => files),
      logMb: Math.round((readings.at(-1)?.logBytes ?? 0) / MB),
      sinkLagSMax: Math.round(this.#sinkLagSMax),
      apiMsP99: Math.round(at(took, 0.99)),
      apiFailed: this.#asked.failed,
      mints,
      rows,
      changelogBytesPerRow: Math.round(changelogBytes / Math.max(1, rows)),
      heapBytesPerRow: Math.round(liveBytes / Math.max(1, rows)),
    }
    this.#sinkLagSMax = 0
    return window
  }
}

const share = (ms: number): number => Math.round(ms / 10) / 100
const at = (sorted: readonly number[], share: number): number => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)

/** What is wrong with the hour, in words. Figures per row count from the window in which the rows were first counted. */
export const verdictOn = (windows: readonly Window[], secondsOver: number): string[] => {
  const late =
    secondsOver > 0 ? [`in ${secondsOver} seconds the lag was over ${LAG_MS_MAX} ms, and the machine was not busy with other jobs`] : []
  const failed = windows.at(-1)?.apiFailed ?? 0
  // From the first in which rows were counted.
  const settled = windows.slice(1).filter(({ rows }) => rows > 0)
  const [first, last] = [settled[0], settled.at(-1)]
  if (first === undefined || last === undefined) return late
  const flat = ['changelogBytesPerRow', 'heapBytesPerRow', 'engineMb', 'handles', 'files', 'sinkLagSMax'] as const
  const grown = flat
    .filter((name) => last[name] > first[name] * (1 + GROWTH_SHARE_MAX) && last[name] - first[name] > 2)
    .map((name) => `${name} grew from ${first[name]} to ${last[name]}`)
  return [...late, ...(failed > 0 ? [`${failed} requests were not answered`] : []), ...grown]
}
