// Sends waiting alerts to their targets. A failure pauses the alert and its target, each for longer with each failure in a row; an alert is
// abandoned after an hour of failures.
import type { Delivery, Pause, Subscription } from './alert.ts'
import { type AlertContext, streamNowS } from './context.ts'
import { doneChanges, giveUp } from './giving-up.ts'
import { alertLimits } from './limits.ts'
import { messageOf } from './messages.ts'
import type { AlertState } from './state.ts'
import type { Sender, SendFailure } from './target/sender.ts'
import { Turns } from './turns.ts'

const MS = 1_000

/** Milliseconds until the next attempt, after this many failures in a row. */
const pauseMsOf = (failures: number, waitMs: number): number =>
  Math.max(Math.min(alertLimits.retryMsMin * 2 ** Math.min(failures - 1, 20), alertLimits.retryMsMax), waitMs)

const pauseOf = (before: Pause | undefined, { reason, waitMs }: SendFailure, nowMs: number): Pause => {
  const failures = (before?.failures ?? 0) + 1
  return { until: nowMs + pauseMsOf(failures, waitMs), since: before?.since ?? nowMs, failures, reason }
}

/** When the first attempt failed; for an alert that waited because its target failed, when it began to wait for that. */
const failingSince = ({ firstTriedAt, nextAt }: Delivery, sinceMs: number): number => firstTriedAt ?? Math.max(nextAt, sinceMs)

export class Delivering {
  readonly #context: AlertContext
  readonly #sender: Sender
  /** Called when a request has ended, so that another can start. `failure` is set if the result could not be written. */
  readonly #onEnd: (failure?: unknown) => void
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #turns = new Turns()
  /** Subscriptions to which an alert was delivered since the last start. */
  readonly #freed = new Map<string, Subscription>()
  /** Requests started since `at`, monotonic ms. */
  #starts = { at: 0, count: 0 }

  constructor(context: AlertContext, sender: Sender, onEnd: (failure?: unknown) => void) {
    this.#context = context
    this.#sender = sender
    this.#onEnd = onEnd
  }

  /**
   * Sends the alerts that are due, within the limits. True: more are due, and can start after `startsMs`. The result of a request that ends
   * after `stop` is not written, so its alert is sent again.
   * @throws like `AlertState.write`
   */
  async startDue(state: AlertState, stop: AbortSignal): Promise<boolean> {
    this.#freed.clear()
    const nowMs = this.#context.wallClock.now()
    const nowS = streamNowS(this.#context)
    if (nowS === null) return false
    await this.#takeTurns(state, nowS)
    for (let isAny = true; isAny; ) {
      isAny = false
      for (const delivery of this.#turns.next(state, nowMs, (id) => this.#inFlight.has(id))) {
        const owner = state.table('subscriptions').get(delivery.subscription)
        if (owner === undefined || stop.aborted) return false
        if (!this.#mayStart()) return true
        this.#start(state, owner, delivery, stop)
        isAny = true
      }
    }
    return false
  }

  /**
   * Sends the next alert to each target that has taken one since the last start, without a look at all others.
   * @throws like `AlertState.write`
   */
  async startFreed(state: AlertState, stop: AbortSignal): Promise<void> {
    if (this.#freed.size === 0) return
    await state.write()
    const nowMs = this.#context.wallClock.now()
    const freed = [...this.#freed.values()]
    this.#freed.clear()
    for (const subscription of freed) {
      const delivery = this.#turns.nextOf(subscription, state, nowMs, (id) => this.#inFlight.has(id))
      const owner = state.table('subscriptions').get(delivery?.subscription ?? '')
      if (delivery === undefined || owner === undefined) continue
      if (stop.aborted || !this.#mayStart()) return
      this.#start(state, owner, delivery, stop)
    }
  }

  /** Whether the newest request to the target of a subscription was answered quickly. */
  isQuick(state: AlertState, subscription: Subscription): boolean {
    return this.#turns.isQuick(subscription) && !state.table('paused').has(subscription.id)
  }

  /** Resolves when no request is in progress. */
  async idle(): Promise<void> {
    await Promise.all(this.#inFlight.values())
  }

  /** Subscriptions with waiting alerts take turns; the alerts of those that have ended are given up. */
  async #takeTurns(state: AlertState, nowS: number): Promise<void> {
    for (const id of [...state.waitingSubscriptions()]) {
      const owner = state.table('subscriptions').get(id)
      if (owner !== undefined && state.isActive(owner, nowS)) this.#turns.add(owner)
      else giveUp(state, this.#context, this.#notSent(state, id), 'subscription_ended')
    }
    await state.write()
  }

  /** The waiting alerts of a subscription without those in flight. */
  #notSent(state: AlertState, subscription: string): readonly Delivery[] {
    return [...state.waitingOf(subscription)].flatMap((id) => (this.#inFlight.has(id) ? [] : (state.table('waiting').get(id) ?? [])))
  }

  #mayStart(): boolean {
    const now = performance.now()
    if (now - this.#starts.at >= alertLimits.startsMs) this.#starts = { at: now, count: 0 }
    this.#starts.count += 1
    return this.#starts.count <= alertLimits.startsMax
  }

  #start(state: AlertState, owner: Subscription, delivery: Delivery, stop: AbortSignal): void {
    const work = this.#send(state, owner, delivery, stop).then(
      () => this.#ended(delivery),
      (failure) => this.#ended(delivery, failure),
    )
    this.#inFlight.set(delivery.id, work)
  }

  #ended({ id }: Delivery, failure?: unknown): void {
    this.#inFlight.delete(id)
    this.#onEnd(failure)
  }

  async #send(state: AlertState, owner: Subscription, delivery: Delivery, stop: AbortSignal): Promise<void> {
    const { wallClock, message } = this.#context
    const startedMs = wallClock.now()
    const sent = messageOf(owner, delivery, message, Math.floor(startedMs / MS))
    const ended = this.#turns.began(owner)
    const onWireMs = performance.now()
    const outcome = await this.#sender.send(sent, stop)
    ended(outcome.kind === 'delivered' && performance.now() - onWireMs < alertLimits.quickMs)
    if (stop.aborted) return
    if (outcome.kind === 'failed') return this.#failed(state, delivery, outcome, startedMs)
    this.#freed.set(owner.id, owner)
    const isPaused = state.table('paused').has(owner.id)
    await state.write([...doneChanges(state, delivery, 'delivered'), ...(isPaused ? [['paused', owner.id, null] as const] : [])])
  }

  /** Gives up all alerts of the subscription whose hour is over, not only the one that was tried. */
  async #failed(state: AlertState, delivery: Delivery, failure: SendFailure, startedMs: number): Promise<void> {
    const { id, subscription } = delivery
    const nowMs = this.#context.wallClock.now()
    const tries = delivery.tries + 1
    const before = state.table('paused').get(subscription)
    const firstTriedAt = failingSince(delivery, before?.since ?? startedMs)
    const nextAt = nowMs + pauseMsOf(tries, failure.waitMs)
    const tried: Delivery = { ...delivery, tries, firstTriedAt, nextAt, failure: failure.reason }
    const pause = pauseOf(before, failure, nowMs)
    state.stage([
      ['waiting', id, tried],
      ['paused', subscription, pause],
    ])
    const over = [tried, ...this.#notSent(state, subscription)].filter(
      (one) => nowMs - failingSince(one, pause.since) >= alertLimits.giveUpMs,
    )
    giveUp(state, this.#context, over, failure.reason)
    await state.write()
  }
}
