// Latency from a frame's arrival, and from its block's time, until cards show it. By wall time: reported on /health, never part of a fold.
import type { Detection, Latency, Measured } from '../../ports/chain-view.ts'
import type { SourceStatus } from '../../ports/source-status.ts'

/** Number of newest frames in the percentiles: a quarter of an hour of the chain. */
const FRAMES_MAX = 2_048
/** Frames that arrived but are not shown yet; beyond this number the oldest are not measured. */
const WAITING_MAX = 1_024
const S = 1_000

/** The newest measurements, exact. Adding one allocates nothing. */
export class LatencyRing {
  readonly #ms = new Float64Array(FRAMES_MAX)
  #count = 0
  #computed: { readonly count: number; readonly latency: Latency } | undefined

  add(ms: number): void {
    this.#ms[this.#count++ % FRAMES_MAX] = Math.max(0, ms)
  }
  /** Nearest-rank percentiles; null before the first measurement. */
  latency(): Latency | null {
    if (this.#count === 0) return null
    if (this.#computed?.count === this.#count) return this.#computed.latency
    const sorted = this.#ms.slice(0, Math.min(this.#count, FRAMES_MAX)).sort()
    const rank = (share: number): number => Math.round(sorted[Math.ceil(share * sorted.length) - 1] as number)
    const latency = { p50Ms: rank(0.5), p99Ms: rank(0.99), frames: sorted.length }
    this.#computed = { count: this.#count, latency }
    return latency
  }
}

const NO_FRAME = 'no frame has arrived and been shown since this process became ready'
const NO_PACE = 'the source has ended, or plays as fast as possible: the wait of its frames does not measure the chain'
const NO_TIME = 'the source does not report its speed'

/** Arrival times of frames, in chain order. `wall` is unix milliseconds. */
export class DetectionTimes {
  readonly #source: SourceStatus
  readonly #wall: () => number
  readonly #numbers = new Float64Array(WAITING_MAX)
  readonly #cameMs = new Float64Array(WAITING_MAX)
  readonly #blockMs = new Float64Array(WAITING_MAX)
  readonly #fromArrival = new LatencyRing()
  readonly #fromBlock = new LatencyRing()
  /** Indexes of the first waiting frame and one past the last, before the remainder by the array length. A fork lowers `#end`. */
  #first = 0
  #end = 0
  #newest = -1

  constructor(source: SourceStatus, wall: () => number) {
    this.#source = source
    this.#wall = wall
  }
  /** Discards earlier arrivals: requests were not answered then. */
  begin(): void {
    this.#first = this.#end
    this.#newest = this.#source.tip()?.number ?? -1
  }
  /**
   * Checks for a new frame. If several arrived since the last check, only the newest is measured. A lower number is a fork: frames from
   * that number on are dropped.
   */
  look(): void {
    const tip = this.#source.tip()
    if (tip === null || tip.number === this.#newest) return
    this.#newest = tip.number
    while (this.#end > this.#first && (this.#numbers[(this.#end - 1) % WAITING_MAX] as number) >= tip.number) this.#end -= 1
    if (this.#source.anchor?.()?.speed === 0) return
    if (this.#end - this.#first === WAITING_MAX) this.#first += 1
    const at = this.#end++ % WAITING_MAX
    this.#numbers[at] = tip.number
    this.#cameMs[at] = tip.cameMs ?? this.#wall()
    this.#blockMs[at] = tip.time * S
  }
  /** Call when every frame up to this number can be queried. */
  shown(number: number): void {
    if (this.#first === this.#end) return
    const nowMs = this.#wall()
    const anchor = this.#source.anchor?.()
    for (; this.#first < this.#end; this.#first += 1) {
      const at = this.#first % WAITING_MAX
      if ((this.#numbers[at] as number) > number) return
      this.#fromArrival.add(nowMs - (this.#cameMs[at] as number))
      if (anchor?.speed === 1) this.#fromBlock.add(anchor.streamMs + nowMs - anchor.wallMs - (this.#blockMs[at] as number))
    }
  }
  current(): Detection {
    const speed = this.#source.anchor?.()?.speed
    const none = speed === 0 ? NO_PACE : NO_FRAME
    return { fromArrival: measured(this.#fromArrival, none), fromBlock: this.#toldFromBlock(speed, none) }
  }
  #toldFromBlock(speed: number | undefined, none: string): Measured {
    if (speed === undefined) return { ok: false, reason: NO_TIME }
    if (speed !== 0 && speed !== 1) return { ok: false, reason: `stream time runs at ${speed} times the wall clock` }
    return measured(this.#fromBlock, none)
  }
}

const measured = (ring: LatencyRing, reason: string): Measured => {
  const latency = ring.latency()
  return latency === null ? { ok: false, reason } : { ok: true, ...latency }
}
