// Gauges of the long hour, inside and outside the process, over five minutes each; and the seconds in which the product was too late.

import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { diskOf, LOOK_MS, StillDisk } from '../tools/disk-time.ts'
import { anonymousOf, type Line, type Reading } from './gauges.ts'
import { reachOf } from './history-reader.ts'
import type { Asked } from './requests.ts'
import type { RowCount } from './row-count.ts'
import type { UpProcess } from './up-process.ts'

export const LAG_MS_MAX = 2_000
/**
 * On a shared machine a late second counts only if, around it, the main thread waited little for a processor and the host took little
 * processor time. The time in which the disk stood still is reported but excuses nothing: the product may be the cause.
 */
const STARVED_SHARE_MAX = 0.2
const STOLEN_SHARE_MAX = 0.05
/** Seconds around a late one: a backlog takes a while to work off, and the host's disk is slow some seconds before processors are short. */
const BEFORE_S = 30
const AFTER_S = 10
const WORDS_MAX = 200

/** One second. */
export interface Second extends Pick<Reading, 'nowS' | 'lagMsMax' | 'loopMsMax' | 'starvedMs' | 'stolenMs'> {
  /** Time in which the disk stood still. */
  readonly diskStillMs: number
}

export interface Lateness {
  /** Seconds over the limit. */
  readonly all: number
  /** Those of them that the machine does not explain. */
  readonly own: number
  /** The first 200 of all, as text. */
  readonly late: readonly string[]
}

/** @param seconds consecutive seconds */
const latenessOf = (seconds: readonly Second[]): Lateness => {
  const late = seconds.flatMap((second, i) => {
    if (second.lagMsMax <= LAG_MS_MAX) return []
    const around = seconds.slice(Math.max(0, i - BEFORE_S), i + AFTER_S + 1)
    const starved = shareOf(around.map(({ starvedMs }) => starvedMs))
    const stolen = shareOf(around.map(({ stolenMs }) => stolenMs))
    // The oldest slot that is late now was due this many seconds ago.
    const stillMs = Math.round(
      sumOf(seconds.slice(Math.max(0, i - Math.ceil(second.lagMsMax / 1_000)), i + 1).map((one) => one.diskStillMs)),
    )
    const isOwn = starved <= STARVED_SHARE_MAX && stolen <= STOLEN_SHARE_MAX
    const missing = `starved ${Math.round(starved * 100)} %, stolen ${Math.round(stolen * 100)} %, disk still ${stillMs} ms`
    const at = new Date(second.nowS * 1_000).toISOString()
    return [{ isOwn, text: `${at} lag ${second.lagMsMax} ms, loop ${second.loopMsMax} ms, ${missing}${isOwn ? ', own' : ''}` }]
  })
  return { all: late.length, own: late.filter(({ isOwn }) => isOwn).length, late: late.slice(0, WORDS_MAX).map(({ text }) => text) }
}

const sumOf = (ms: readonly number[]): number => ms.reduce((sum, one) => sum + one, 0)
const shareOf = (ms: readonly number[]): number => sumOf(ms) / (ms.length * 1_000)

export const WINDOW_S = 300
const SINK_EVERY_MS = 10_000
const MB = 1e6

/**
 * Figures of five minutes, or of the rest of the run. Heap and external memory are minima: what the process's own collections leave (a
 * forced one blocked the process for a second). Handles and files are medians: some are open for one request only. Shares and rates are
 * means. Other memory, the load and the delay of the event loop are maxima.
 */
export interface Window {
  readonly minute: number
  readonly seconds: number
  readonly lagMsMedian: number
  readonly lagMsP99: number
  readonly lagMsMax: number
  readonly loopMsMax: number
  readonly load: number
  /** Share of one processor that the product used; `starvedShare`: share of the time in which its main thread waited for one. */
  readonly cpuShare: number
  readonly starvedShare: number
  /** Steal time: share of all processors that the host gave to others. */
  readonly stolenShare: number
  /** Time in which the disk completed no pending request. */
  readonly diskStillMs: number
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

/** Collects the process's gauges and outside measurements, window by window. */
export class Watch {
  readonly #disk: StillDisk
  #readings: (Reading & Second & { readonly engineBytes: number; readonly load: number })[] = []
  /** The newest count, with the live bytes of its window (0 until that window ends). */
  #count: RowCount & { readonly liveBytes: number } = { mints: 0, rows: 0, changelogBytes: 0, liveBytes: 0 }
  #sinkLagSMax = 0
  #asked: Asked = { answered: 0, faults: [], failed: 0, took: [] }
  #seconds: Second[] = []

  /** @param dir the product's data directory */
  constructor(dir: string) {
    this.#disk = new StillDisk(diskOf(dir))
  }
  /** Polls the disk until `stop`. */
  followDisk(stop: AbortSignal): void {
    const looking = setInterval(() => this.#disk.look(), LOOK_MS)
    stop.addEventListener('abort', () => clearInterval(looking), { once: true })
  }
  take(text: string, up: UpProcess): void {
    const line = JSON.parse(text) as Line
    if (line.type === 'rows') this.#count = { ...line, liveBytes: 0 }
    if (line.type !== 'reading') return
    const second = { ...line, diskStillMs: this.#disk.take() }
    this.#readings.push({ ...second, engineBytes: anonymousOf(up.enginePid() ?? 0), load: loadavg()[0] ?? 0 })
    this.#seconds.push(second)
  }
  /** Discards the readings so far, and takes the figures of the API from `asked`. */
  begin(asked: Asked): void {
    this.#asked = asked
    this.#readings = []
    this.#seconds = []
  }
  get lateness(): Lateness {
    return latenessOf(this.#seconds)
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
    const perS = (of: (reading: Reading) => number): number => Math.round(mean(readings.map(of)))
    const took = this.#asked.took.splice(0).sort((a, b) => a - b)
    const least = (of: (reading: Reading) => number): number => Math.min(...readings.map(of))
    const [heapBytes, externalBytes] = [least((reading) => reading.heapBytes), least((reading) => reading.externalBytes)]
    const { mints, rows, changelogBytes } = this.#count
    const liveBytes = this.#count.liveBytes || (rows > 0 ? heapBytes + externalBytes : 0)
    this.#count = { ...this.#count, liveBytes }
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
      stolenShare: share(perS(({ stolenMs }) => stolenMs)),
      diskStillMs: Math.round(readings.reduce((sum, { diskStillMs }) => sum + diskStillMs, 0)),
      transactionsPerS: perS(({ transactions }) => transactions),
      launchpadPerS: perS(({ launchpad }) => launchpad),
      heapMb: Math.round(heapBytes / MB),
      externalMb: Math.round(externalBytes / MB),
      rssMb: Math.round(most(({ rssBytes }) => rssBytes) / MB),
      anonymousMb: Math.round(most(({ anonymousBytes }) => anonymousBytes) / MB),
      engineMb: Math.round(most(({ engineBytes }) => engineBytes) / MB),
      handles: middle(readings.map(({ handles }) => handles)),
      files: middle(readings.map(({ files }) => files)),
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
const mean = (of: readonly number[]): number => of.reduce((sum, one) => sum + one, 0) / of.length
/** The median; 0 for an empty list. */
export const middle = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0
const at = (sorted: readonly number[], share: number): number => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
