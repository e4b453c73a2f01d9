// The worker that reads the feeds and delivers alerts, active in one process at a time. After a store failure it reloads its state from the
// store: delivery is at least once.
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '../../schemas/errors.ts'
import { Delivering } from './delivering.ts'
import type { AlertSource } from './feeds/source.ts'
import { Folding } from './folding.ts'
import type { AlertContext } from './ground.ts'
import { alertLimits } from './limits.ts'
import { AlertState, LeadLost } from './state.ts'
import { sweep } from './sweeping.ts'
import type { Sender } from './target/sender.ts'

const SWEEP_MS = 30_000
const FAILED_PAUSE_MS = 2_000
const CLOSE_MS = 1_500

export class AlertWorker {
  readonly #ground: AlertContext
  readonly #sources: readonly AlertSource[]
  readonly #folding: Folding
  readonly #delivering: Delivering
  #state: AlertState | undefined
  /** Aborts the requests of the current state. */
  #stop = new AbortController()
  #failure: unknown
  #timer: NodeJS.Timeout | undefined
  #turning: Promise<void> | undefined
  #isWanted = false
  #isClosed = false
  #renewedAt = 0
  #sweptAt = 0
  #unsubscribe: readonly (() => void)[] = []

  constructor(ground: AlertContext, sender: Sender, sources: readonly AlertSource[]) {
    this.#ground = ground
    this.#sources = sources
    this.#folding = new Folding(ground, sources)
    this.#delivering = new Delivering(ground, sender, (failure) => {
      this.#failure ??= failure
      this.wake()
    })
  }

  start(): void {
    this.#unsubscribe = this.#sources.flatMap((source) => source.onNew?.(() => this.#wakeIfWanted()) ?? [])
    this.wake()
  }

  /** Ignores feed activity while there are no subscriptions. */
  #wakeIfWanted(): void {
    if ((this.#state?.table('subscriptions').size ?? 0) > 0) this.wake()
  }

  /** Runs a turn as soon as none is running. */
  wake(): void {
    this.#isWanted = true
    if (this.#turning !== undefined || this.#isClosed) return
    clearTimeout(this.#timer)
    this.#isWanted = false
    this.#turning = this.#turn().then((pauseMs) => {
      this.#turning = undefined
      if (this.#isClosed) return
      if (this.#isWanted) setImmediate(() => this.wake())
      else this.#timer = setTimeout(() => this.wake(), pauseMs).unref()
    })
  }

  /** Awaits requests in progress for `CLOSE_MS`, then aborts them: the next process sends unconfirmed alerts again. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const end of this.#unsubscribe) end()
    clearTimeout(this.#timer)
    await this.#turning
    await Promise.race([this.#delivering.idle(), pause(CLOSE_MS, undefined, { ref: false })])
    this.#stop.abort()
    await this.#delivering.idle()
    await this.#state?.release()
  }

  /** Never rejects. Resolves to the pause before the next turn, milliseconds. */
  async #turn(): Promise<number> {
    try {
      if (this.#failure !== undefined) throw this.#failure
      const state = await this.#leading()
      if (state === undefined) return alertLimits.turnMs
      await this.#work(state)
      return alertLimits.turnMs
    } catch (failure) {
      await this.#drop()
      if (failure instanceof LeadLost) return alertLimits.turnMs
      this.#ground.notice('alerts_failed', { reason: messageOf(failure) })
      return FAILED_PAUSE_MS
    }
  }

  async #leading(): Promise<AlertState | undefined> {
    if (this.#state !== undefined) return this.#state
    const lead = await this.#ground.rows.lead()
    if (lead === null) return undefined
    this.#renewedAt = performance.now()
    try {
      this.#state = await AlertState.load(this.#ground.rows, lead)
    } catch (failure) {
      await lead.release()
      throw failure
    }
    return this.#state
  }

  async #work(state: AlertState): Promise<void> {
    await this.#renew(state)
    await state.reload()
    const { wallClock, view } = this.#ground
    if (!(await this.#folding.hasTerms(state))) return
    await this.#delivering.turn(state, this.#stop.signal)
    if (view.status().ready && (await this.#folding.turn(state))) this.#isWanted = true
    await this.#delivering.turn(state, this.#stop.signal)
    if (wallClock.now() - this.#sweptAt < SWEEP_MS) return
    this.#sweptAt = wallClock.now()
    await sweep(state, this.#ground)
  }

  async #renew(state: AlertState): Promise<void> {
    if (performance.now() - this.#renewedAt < alertLimits.leaseMs / 4) return
    this.#renewedAt = performance.now()
    await state.renew()
  }

  async #drop(): Promise<void> {
    this.#stop.abort()
    await this.#delivering.idle()
    const state = this.#state
    this.#state = undefined
    this.#failure = undefined
    this.#stop = new AbortController()
    if (this.#isClosed) this.#stop.abort()
    await state?.release()
  }
}
