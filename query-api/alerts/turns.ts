// The order in which waiting alerts are sent: quick hosts first, hosts in turn, and subscriptions of a host in turn. Requests on the wire
// are counted for each host and each subscription, so that none takes the share of another one.
import type { Delivery, Subscription } from './alert.ts'
import { alertLimits } from './limits.ts'
import type { AlertState } from './state.ts'
import { targetKey } from './target/target-key.ts'

interface Host {
  /** Requests in flight: of the host, and of each subscription that has one. */
  inFlight: number
  readonly bySubscription: Map<string, number>
  /** Subscriptions with waiting alerts; the one served least recently comes first. */
  readonly waiting: Set<string>
}

export class Turns {
  /** The host served least recently comes first. */
  readonly #hosts = new Map<string, Host>()
  /** Hosts whose newest request was answered quickly; the one that was quick most recently comes last. */
  readonly #quick = new Set<string>()
  readonly #keys = new WeakMap<Subscription, string>()

  /** Includes a subscription with waiting alerts from now on, until it has none. */
  add(subscription: Subscription): void {
    this.#hostOf(subscription).waiting.add(subscription.id)
  }

  /** The next alert to send from each host that has one, in turn. `isSent`: its request is in flight. */
  *next(state: AlertState, nowMs: number, isSent: (id: string) => boolean): Generator<Delivery> {
    const inTurn = [...this.#hosts]
    for (const [key, host] of [...inTurn.filter(([key]) => this.#quick.has(key)), ...inTurn.filter(([key]) => !this.#quick.has(key))]) {
      const found = dueOf(host, state, nowMs, isSent)
      if (host.waiting.size === 0 && host.inFlight === 0) this.#hosts.delete(key)
      if (found !== undefined) yield found
    }
  }

  /** The next alert to send from the host of a subscription. */
  nextOf(subscription: Subscription, state: AlertState, nowMs: number, isSent: (id: string) => boolean): Delivery | undefined {
    return dueOf(this.#hostOf(subscription), state, nowMs, isSent)
  }

  /**
   * Counts a request from now until the returned function is called, with whether it was answered quickly. Its host and subscription are
   * then the last in turn.
   */
  began(subscription: Subscription): (isQuick: boolean) => void {
    const { id } = subscription
    const host = this.#hostOf(subscription)
    const key = this.#keyOf(subscription)
    this.#hosts.delete(key)
    this.#hosts.set(key, host)
    host.waiting.delete(id)
    host.waiting.add(id)
    const count = (by: 1 | -1): void => {
      host.inFlight += by
      const own = (host.bySubscription.get(id) ?? 0) + by
      if (own > 0) host.bySubscription.set(id, own)
      else host.bySubscription.delete(id)
    }
    count(1)
    return (isQuick) => {
      count(-1)
      this.#note(key, isQuick)
    }
  }

  /** Whether the newest request to the host of a subscription was answered quickly. */
  isQuick(subscription: Subscription): boolean {
    return this.#quick.has(this.#keyOf(subscription))
  }

  #note(key: string, isQuick: boolean): void {
    this.#quick.delete(key)
    if (!isQuick) return
    this.#quick.add(key)
    const [oldest] = this.#quick
    if (oldest !== undefined && this.#quick.size > alertLimits.subscriptionsMax) this.#quick.delete(oldest)
  }

  #keyOf(subscription: Subscription): string {
    const known = this.#keys.get(subscription) ?? targetKey(subscription.target)
    this.#keys.set(subscription, known)
    return known
  }
  #hostOf(subscription: Subscription): Host {
    const key = this.#keyOf(subscription)
    const host = this.#hosts.get(key) ?? { inFlight: 0, bySubscription: new Map(), waiting: new Set() }
    this.#hosts.set(key, host)
    return host
  }
}

/** A paused target gets nothing before the end of its pause, and then one request at a time. */
const dueOf = (host: Host, state: AlertState, nowMs: number, isSent: (id: string) => boolean): Delivery | undefined => {
  if (host.inFlight >= alertLimits.inFlightPerHostMax) return undefined
  for (const id of host.waiting) {
    const ids = state.waitingOf(id)
    if (ids.size === 0) host.waiting.delete(id)
    const pause = state.table('paused').get(id)
    const inFlightMax = pause === undefined ? alertLimits.inFlightPerSubscriptionMax : 1
    if ((pause?.until ?? 0) > nowMs || (host.bySubscription.get(id) ?? 0) >= inFlightMax) continue
    for (const alert of ids) {
      const delivery = state.table('waiting').get(alert)
      if (delivery !== undefined && delivery.nextAt <= nowMs && !isSent(alert)) return delivery
    }
  }
  return undefined
}
