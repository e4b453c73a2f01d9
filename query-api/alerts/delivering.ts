// Sends waiting alerts to their targets, a limited number at a time. Retries with exponential backoff; abandons an alert after an hour of
// failures.
import { type Delivery, NO_COUNTS, type Subscription } from './alert.ts'
import { type AlertContext, streamNowS } from './context.ts'
import { alertLimits } from './limits.ts'
import { messageOf } from './messages.ts'
import type { Change } from './rows/alert-rows.ts'
import type { AlertState } from './state.ts'
import type { Sender } from './target/sender.ts'

const MS = 1_000

/** Reports an abandoned alert, and returns the changes to write. */
export const giveUp = (state: AlertState, { notice, wallClock }: AlertContext, delivery: Delivery, reason: string): readonly Change[] => {
  const { id, subscription, kind, t, mint, tries } = delivery
  notice('alert_given_up', { subscription, kind, reason })
  const dead = { id, subscription, kind, t, mint, tries, reason, givenUpAt: wallClock.now() }
  const oldest = state.table('dead').size >= alertLimits.deadMax ? state.table('dead').keys().next().value : undefined
  return [
    ...(oldest === undefined ? [] : [['dead', oldest, null] as const]),
    ['dead', id, dead],
    ...doneChanges(state, delivery, 'givenUp'),
  ]
}

const doneChanges = (state: AlertState, { id, t, subscription }: Delivery, what: 'delivered' | 'givenUp'): readonly Change[] => {
  const counts = state.table('counts').get(subscription) ?? NO_COUNTS
  return [
    ['done', id, { t }],
    ['counts', subscription, { ...counts, [what]: counts[what] + 1 }],
    ['waiting', id, null],
  ]
}

/** Milliseconds until the next attempt. */
const pauseAfter = (tries: number, waitMs: number): number =>
  Math.max(Math.min(alertLimits.retryMsMin * 2 ** Math.min(tries - 1, 20), alertLimits.retryMsMax), waitMs)

export class Delivering {
  readonly #context: AlertContext
  readonly #sender: Sender
  /** Called when a request has ended, so that another can start. `failure` is set if the result could not be written. */
  readonly #onEnd: (failure?: unknown) => void
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #bySubscription = new Map<string, number>()

  constructor(context: AlertContext, sender: Sender, onEnd: (failure?: unknown) => void) {
    this.#context = context
    this.#sender = sender
    this.#onEnd = onEnd
  }

  /**
   * Sends the alerts that are due, within the limits. The result of a request that ends after `stop` is not written, so its alert is sent
   * again.
   * @throws like `AlertState.write`
   */
  async startDue(state: AlertState, stop: AbortSignal): Promise<void> {
    const nowMs = this.#context.wallClock.now()
    const nowS = streamNowS(this.#context)
    if (nowS === null) return
    for (const delivery of [...state.table('waiting').values()]) {
      if (stop.aborted || this.#inFlight.size >= alertLimits.inFlightMax) return
      const { id, nextAt, subscription } = delivery
      if (nextAt > nowMs || this.#inFlight.has(id)) continue
      if ((this.#bySubscription.get(subscription) ?? 0) >= alertLimits.inFlightPerSubscriptionMax) continue
      const owner = state.table('subscriptions').get(subscription)
      if (owner === undefined || !state.isActive(owner, nowS))
        await state.write(giveUp(state, this.#context, delivery, 'subscription_ended'))
      else this.#start(state, owner, delivery, stop)
    }
  }

  /** Resolves when no request is in progress. */
  async idle(): Promise<void> {
    await Promise.all(this.#inFlight.values())
  }

  #start(state: AlertState, owner: Subscription, delivery: Delivery, stop: AbortSignal): void {
    const { id, subscription } = delivery
    this.#count(subscription, 1)
    const end = (failure?: unknown): void => {
      this.#inFlight.delete(id)
      this.#count(subscription, -1)
      this.#onEnd(failure)
    }
    const work = this.#send(state, owner, delivery, stop).then(() => end(), end)
    this.#inFlight.set(id, work)
  }

  async #send(state: AlertState, owner: Subscription, delivery: Delivery, stop: AbortSignal): Promise<void> {
    const startedMs = this.#context.wallClock.now()
    const message = messageOf(owner, delivery, this.#context.message, Math.floor(startedMs / MS))
    const outcome = await this.#sender.send(message, stop)
    if (stop.aborted) return
    if (outcome.kind === 'delivered') return state.write(doneChanges(state, delivery, 'delivered'))
    const nowMs = this.#context.wallClock.now()
    const tries = delivery.tries + 1
    const firstTriedAt = delivery.firstTriedAt ?? startedMs
    const tried = { ...delivery, tries, firstTriedAt, failure: outcome.reason, nextAt: nowMs + pauseAfter(tries, outcome.waitMs) }
    const isOver = nowMs - firstTriedAt >= alertLimits.giveUpMs
    await state.write(isOver ? giveUp(state, this.#context, tried, outcome.reason) : [['waiting', delivery.id, tried]])
  }

  #count(subscription: string, by: 1 | -1): void {
    const now = (this.#bySubscription.get(subscription) ?? 0) + by
    if (now > 0) this.#bySubscription.set(subscription, now)
    else this.#bySubscription.delete(subscription)
  }
}
