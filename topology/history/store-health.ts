// Tells a busy store from one that is down: the only place that decides it. It learns from every query, and from a heartbeat of its own.
import { EngineError } from '../../schemas/errors.ts'
import type { StoreState, Unanswered } from '../ports/history.ts'
import { inTime, pause } from '../waiting/waiting.ts'

/** Down: nothing was answered for this long. */
const DOWN_MS = 10_000
/** A miss is reported for this long. */
const BUSY_SHOWN_MS = 10_000
const BEAT = { everyMs: 2_000, lateMs: 1_500, msMax: 5_000 }

/** Reasons in API responses; the details are in `status` and in the log. */
export const UNREACHABLE = 'the history store does not answer now'
const BUSY = 'the history store is busy: it answers others, but not this request in time'

/**
 * `up` until a query is missed (refused, given up or failed), then `busy` for 10 s after the newest miss. `down` from 10 s after the newest
 * answer to any query, until the next answer.
 */
export class StoreHealth {
  #answeredMs: number
  #missedMs = Number.NEGATIVE_INFINITY
  #beatMs = Number.NEGATIVE_INFINITY
  #hasFailed = false
  readonly #nowMs: () => number

  /** Counts as an answer. @param nowMs monotonic */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
    this.#answeredMs = nowMs()
  }
  answered(): void {
    this.#answeredMs = this.#nowMs()
    this.#hasFailed = false
  }
  /** @returns the result of the missed query */
  missed(): Unanswered {
    this.#missedMs = this.#nowMs()
    return this.state() === 'down' ? { ok: false, reason: UNREACHABLE } : { ok: false, reason: BUSY, isBusy: true }
  }
  state(): StoreState {
    const nowMs = this.#nowMs()
    if (nowMs - this.#answeredMs >= DOWN_MS) return 'down'
    return this.#isSilent() || nowMs - this.#missedMs < BUSY_SHOWN_MS ? 'busy' : 'up'
  }
  /** Why nothing that needs the store can be sold now; null if the store answers, even if it misses some queries. */
  silence(): Unanswered | null {
    if (this.state() === 'down') return { ok: false, reason: UNREACHABLE }
    return this.#isSilent() ? { ok: false, reason: BUSY, isBusy: true } : null
  }
  /** Asks again and again until `stop`. @param ask on a connection that nothing else uses */
  async watch(ask: (stop: AbortSignal) => Promise<unknown>, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await this.#beat(ask, stop)
      await pause(BEAT.everyMs, stop)
    }
  }

  async #beat(ask: (stop: AbortSignal) => Promise<unknown>, stop: AbortSignal): Promise<void> {
    this.#beatMs = this.#nowMs()
    try {
      await inTime(stop, BEAT.msMax, ask)
      this.answered()
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      this.#hasFailed = true
    }
  }
  /** True if the newest heartbeat failed or is late, and nothing was answered since. */
  #isSilent(): boolean {
    return this.#hasFailed || (this.#answeredMs < this.#beatMs && this.#nowMs() - this.#beatMs > BEAT.lateMs)
  }
}
