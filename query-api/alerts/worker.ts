// Reads the feeds and delivers alerts, in the one process that has the lease. After a store failure it loads its state again from the
// store, so that delivery is at least once.
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '../../schemas/errors.ts'
import type { AlertContext } from './context.ts'
import { Delivering } from './delivering.ts'
import type { AlertSource } from './feeds/source.ts'
import { alertLimits } from './limits.ts'
import { Matching } from './matching.ts'
import { AlertState, LeaseLost } from './state.ts'
import { sweep } from './sweeping.ts'
import type { Sender } from './target/sender.ts'

const SWEEP_MS = 30_000
const FAILED_PAUSE_MS = 2_000
const CLOSE_MS = 1_500

export class AlertWorker {
  readonly #context: AlertContext
  readonly #sources: readonly AlertSource[]
  readonly #matching: Matching
  readonly #delivering: Delivering
  #state: AlertState | undefined
  /** Aborts the requests that were started with the current state. */
  #stop = new AbortController()
  #failure: unknown
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isWakePending = false
  #isClosed = false
  #renewedAt = 0
  #sweptAt = 0
  #unsubscribe: readonly (() => void)[] = []

  constructor(context: AlertContext, sender: Sender, sources: readonly AlertSource[]) {
    this.#context = context
    this.#sources = sources
    this.#delivering = new Delivering(context, sender, (failure) => {
      this.#failure ??= failure
      this.wake()
    })
    this.#matching = new Matching(context, sources, {
      isQuick: (state, subscription) => this.#delivering.isQuick(state, subscription),
      startDue: (state) => this.#delivering.startDue(state, this.#stop.signal),
      startFreed: (state) => this.#delivering.startFreed(state, this.#stop.signal),
    })
  }

  start(): void {
    this.#unsubscribe = this.#sources.flatMap((source) => source.onNew?.(() => this.#wakeIfSubscribed()) ?? [])
    this.wake()
  }

  /** Ignores feed activity while there are no subscriptions. */
  #wakeIfSubscribed(): void {
    if ((this.#state?.table('subscriptions').size ?? 0) > 0) this.wake()
  }

  /** Polls now, or again as soon as the running poll has ended. */
  wake(): void {
    this.#isWakePending = true
    if (this.#running !== undefined || this.#isClosed) return
    clearTimeout(this.#timer)
    this.#isWakePending = false
    this.#running = this.#poll().then((pauseMs) => {
      this.#running = undefined
      if (this.#isClosed) return
      if (this.#isWakePending) setImmediate(() => this.wake())
      else this.#timer = setTimeout(() => this.wake(), pauseMs).unref()
    })
  }

  /** Waits `CLOSE_MS` for requests in progress, then aborts them. The next process sends alerts without a stored result again. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const end of this.#unsubscribe) end()
    clearTimeout(this.#timer)
    await this.#running
    await Promise.race([this.#delivering.idle(), pause(CLOSE_MS, undefined, { ref: false })])
    this.#stop.abort()
    await this.#delivering.idle()
    await this.#state?.release()
  }

  /** Never rejects. Resolves to the pause before the next poll, milliseconds. */
  async #poll(): Promise<number> {
    try {
      if (this.#failure !== undefined) throw this.#failure
      const state = await this.#loadedState()
      if (state === undefined) return alertLimits.pollMs
      return (await this.#work(state)) ? alertLimits.startsMs : alertLimits.pollMs
    } catch (failure) {
      await this.#discardState()
      if (failure instanceof LeaseLost) return alertLimits.pollMs
      this.#context.notice('alerts_failed', { reason: messageOf(failure) })
      return FAILED_PAUSE_MS
    }
  }

  async #loadedState(): Promise<AlertState | undefined> {
    if (this.#state !== undefined) return this.#state
    const lease = await this.#context.rows.acquireLease()
    if (lease === null) return undefined
    this.#renewedAt = performance.now()
    try {
      this.#state = await AlertState.load(this.#context.rows, lease)
    } catch (failure) {
      await lease.release()
      throw failure
    }
    return this.#state
  }

  /** True if more alerts are due than may start now. */
  async #work(state: AlertState): Promise<boolean> {
    await this.#renew(state)
    await state.reload()
    const { wallClock, view } = this.#context
    if (!(await this.#matching.updateTerms(state))) return false
    await this.#delivering.startDue(state, this.#stop.signal)
    if (view.status().ready && (await this.#matching.matchPages(state))) this.#isWakePending = true
    const isMoreDue = await this.#delivering.startDue(state, this.#stop.signal)
    if (wallClock.now() - this.#sweptAt >= SWEEP_MS) {
      this.#sweptAt = wallClock.now()
      await sweep(state, this.#context)
    }
    return isMoreDue
  }

  async #renew(state: AlertState): Promise<void> {
    if (performance.now() - this.#renewedAt < alertLimits.leaseMs / 4) return
    this.#renewedAt = performance.now()
    await state.renew()
  }

  async #discardState(): Promise<void> {
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
