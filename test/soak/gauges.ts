// Gauges of a running product, from the inside: the latency of a slot in the view, the memory of the process, and the size of the log.
import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { DurableLog } from '../../topology/logs/lmdb/lmdb.ts'
import type { Log } from '../../topology/ports/log.ts'
import type { ThreadMemory } from '../../topology/threads/here.ts'
import { pause } from '../../topology/waiting/waiting.ts'
import { starvedMs, stolenMs } from '../tools/processor-time.ts'
import { countRows, type RowCount } from './row-count.ts'

const LOOK_MS = 5
const LINE_MS = 1_000

/** The channel on which the source's thread reports its slots. */
export const MADE_SLOTS = 'made-slots'

/** A paced slot that has been made, possibly ahead of its time. */
export interface MadeSlot {
  readonly number: number
  readonly timeMs: number
  readonly transactions: number
  readonly launchpad: number
}

/** Gauges of one second. Milliseconds are wall time. */
export interface Reading {
  /** Stream time, unix s. */
  readonly nowS: number
  /** The longest time from when a slot was due until the view showed it; for a slot not shown yet, until now. */
  readonly lagMsMax: number
  readonly slots: number
  readonly transactions: number
  readonly launchpad: number
  /** Heap and external memory of all threads of the product together. */
  readonly heapBytes: number
  readonly externalBytes: number
  readonly rssBytes: number
  /** Resident memory that is not file-backed. */
  readonly anonymousBytes: number
  readonly handles: number
  readonly files: number
  readonly loopMsMax: number
  /** Processor time of all threads. */
  readonly cpuMs: number
  /** Time in which the main thread was runnable but had no processor. */
  readonly starvedMs: number
  /** Steal time: a processor was wanted but the host gave it to others; mean over the processors. */
  readonly stolenMs: number
  readonly logBytes: number
}

/** Memory of the main thread after a collection: includes the sink, not the folds. Anonymous memory is that of the whole process. */
interface Live {
  readonly heapBytes: number
  readonly externalBytes: number
  readonly anonymousBytes: number
}

/** A line of the process: a reading each second, the others at the intervals of `Rounds`. */
export type Line = ({ readonly type: 'reading' } & Reading) | ({ readonly type: 'live' } & Live) | ({ readonly type: 'rows' } & RowCount)

/** Intervals of the slow measurements; null: never. */
export interface Rounds {
  /** Memory after a collection: blocks the process for some tenths of a second. */
  readonly liveEveryS: number | null
  /** Rows: reads the whole changelog. */
  readonly rowsEveryS: number | null
}

export interface GaugeOptions {
  readonly log: Log & Partial<Pick<DurableLog, 'usedBytes'>>
  readonly folded: () => number | null
  readonly speed: number
  /** Stream time, unix ms. */
  readonly now: () => number
  readonly rounds: Rounds
  /** Memory of the product's other threads. */
  readonly threads: () => Promise<ThreadMemory>
}

export class Gauges {
  readonly #options: GaugeOptions
  readonly #loop = monitorEventLoopDelay({ resolution: 5 })
  /** Paced slots that the view does not show yet, oldest first. */
  #waiting: MadeSlot[] = []
  #threads: ThreadMemory = { heapBytes: 0, externalBytes: 0 }
  #lagMsMax = 0
  #slots = 0
  #transactions = 0
  #launchpad = 0
  #cpu = process.cpuUsage()
  #starvedMs = starvedMs()
  #stolenMs = stolenMs()

  constructor(options: GaugeOptions) {
    this.#options = options
  }
  /** Measures from now until `stop`. */
  start(stop: AbortSignal, report: (line: Line) => void): void {
    this.#loop.enable()
    const made = new BroadcastChannel(MADE_SLOTS)
    made.onmessage = (message: unknown) => this.#await((message as { readonly data: MadeSlot }).data)
    const looking = setInterval(() => this.#look(), LOOK_MS)
    const reporting = setInterval(async () => {
      this.#threads = await this.#options.threads()
      report({ type: 'reading', ...this.#read() })
    }, LINE_MS)
    const { liveEveryS, rowsEveryS } = this.#options.rounds
    void again(liveEveryS, stop, async () => report({ type: 'live', ...collected() }))
    void again(rowsEveryS, stop, async () => report({ type: 'rows', ...(await countRows(this.#options.log, stop)) }))
    stop.addEventListener('abort', () => {
      clearInterval(looking)
      clearInterval(reporting)
      made.close()
    })
  }

  #await(slot: MadeSlot): void {
    this.#waiting.push(slot)
    this.#slots++
    this.#transactions += slot.transactions
    this.#launchpad += slot.launchpad
  }
  #look(): void {
    const { folded } = this.#options
    const shown = folded() ?? 0
    for (let slot = this.#waiting[0]; slot !== undefined && slot.number <= shown; slot = this.#waiting[0]) {
      this.#late(slot)
      this.#waiting.shift()
    }
  }
  #late({ timeMs }: MadeSlot): void {
    const { now, speed } = this.#options
    this.#lagMsMax = Math.max(this.#lagMsMax, (now() - timeMs) / speed)
  }
  #read(): Reading {
    this.#look()
    const [oldest] = this.#waiting
    if (oldest !== undefined) this.#late(oldest)
    const { user, system } = process.cpuUsage(this.#cpu)
    const [starved, stolen] = [starvedMs(), stolenMs()]
    const { heapUsed, external, rss: rssBytes } = process.memoryUsage()
    const reading = {
      nowS: this.#options.now() / 1_000,
      lagMsMax: Math.round(this.#lagMsMax),
      slots: this.#slots,
      transactions: this.#transactions,
      launchpad: this.#launchpad,
      heapBytes: heapUsed + this.#threads.heapBytes,
      externalBytes: external + this.#threads.externalBytes,
      rssBytes,
      anonymousBytes: anonymousOf('self'),
      handles: process.getActiveResourcesInfo().length,
      files: readdirSync('/proc/self/fd').length,
      loopMsMax: Math.round(this.#loop.max / 1e6),
      cpuMs: (user + system) / 1e3,
      starvedMs: starved - this.#starvedMs,
      stolenMs: stolen - this.#stolenMs,
      logBytes: this.#options.log.usedBytes?.() ?? 0,
    }
    this.#cpu = process.cpuUsage()
    this.#starvedMs = starved
    this.#stolenMs = stolen
    this.#loop.reset()
    this.#lagMsMax = 0
    this.#slots = 0
    this.#transactions = 0
    this.#launchpad = 0
    return reading
  }
}

const again = async (everyS: number | null, stop: AbortSignal, act: () => Promise<void>): Promise<void> => {
  if (everyS === null) return
  for (;;) {
    await pause(everyS * 1_000, stop)
    if (stop.aborted) return
    await act()
  }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const collected = (): Live => {
  collect()
  const { heapUsed: heapBytes, external: externalBytes } = process.memoryUsage()
  return { heapBytes, externalBytes, anonymousBytes: anonymousOf('self') }
}

/** Anonymous resident memory of a process on this machine, bytes; 0 if it has ended. */
export const anonymousOf = (pid: number | 'self'): number => {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
