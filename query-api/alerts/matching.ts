// Matches feed events to subscriptions: each match becomes a waiting alert. Alerts are written before the feed's position or together with
// it, and their ids are derived from their content: events that are read again after a crash give the same ids, so that nothing is doubled.
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { NAME_CHARS_MAX, SYMBOL_CHARS_MAX } from '../../processors/mint/thresholds.ts'
import { cleanText } from '../../processors/text.ts'
import { keyText } from '../../schemas/keys.ts'
import type { AlertKind, Delivery, Subscription } from './alert.ts'
import { type AlertContext, streamNowS } from './context.ts'
import { ALERT_HEAD } from './feeds/odds-source.ts'
import type { AlertEvent, AlertSource } from './feeds/source.ts'
import { giveUp } from './giving-up.ts'
import { alertLimits } from './limits.ts'
import type { AlertState } from './state.ts'
import { withdrawalsAfter, withdrawnS } from './term.ts'

const ID_CHARS = 32
/** Matches of an event and a subscription before yielding to the event loop: a millisecond or less. */
const SLICE_MATCHES = 50
const PPM = 1_000_000

/** Unique per subscription, mint and kind; for flags, per finding. */
export const alertId = (subscription: string, kind: AlertKind, { mint, findingId }: Pick<AlertEvent, 'mint' | 'findingId'>): string => {
  const parts = [subscription, kind, keyText(mint), ...(findingId === null ? [] : [findingId])]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_CHARS)
}

/** What sends the alerts that are made. */
export interface Outlet {
  /** Whether the target of a subscription answers quickly: its alerts are then sent before those of others are made. */
  isQuick(state: AlertState, subscription: Subscription): boolean
  startDue(state: AlertState): Promise<unknown>
  /** Sends the next alerts to targets that have taken one since the last start. */
  startFreed(state: AlertState): Promise<unknown>
}

/** Events of a feed, and its position after them. */
interface Page {
  readonly source: AlertSource
  readonly events: readonly AlertEvent[]
  readonly next: unknown
  readonly quick: readonly Subscription[]
  readonly others: readonly Subscription[]
}

export class Matching {
  readonly #context: AlertContext
  readonly #sources: readonly AlertSource[]
  readonly #outlet: Outlet
  /** Up to where alerts of quick targets are made during a page. Not stored: alerts that are made again have the same ids. */
  readonly #ahead = new Map<AlertKind, unknown>()
  /** When feeds were read, monotonic ms. */
  #readAt = 0

  constructor(context: AlertContext, sources: readonly AlertSource[], outlet: Outlet) {
    this.#context = context
    this.#sources = sources
    this.#outlet = outlet
  }

  /**
   * Catches new subscriptions up, then processes one page of each feed: what quick targets get is sent before the others are matched. True
   * if there may be more.
   * @throws like `AlertState.write`
   */
  async matchPages(state: AlertState): Promise<boolean> {
    const nowS = streamNowS(this.#context)
    if (nowS === null) return false
    await this.#join(state, nowS)
    const pages = await this.#pages(state, nowS, (kind) => state.table('progress').get(kind))
    await this.#serveQuick(state, pages)
    for (const { source, events, others } of pages)
      await this.#stageMatches(state, others, source.kind, events, () => this.#lookAhead(state, nowS))
    await state.write(pages.map(({ source, next }) => ['progress', source.kind, next] as const))
    return pages.length > 0
  }

  /**
   * Updates the total time in which the odds were not shown. False while the ends of terms are not known: before the stream has a time, and
   * at startup if the odds were not shown and their current state is not restored yet.
   * @throws like `AlertState.write`
   */
  async updateTerms(state: AlertState): Promise<boolean> {
    const { odds, view } = this.#context
    const nowS = streamNowS(this.#context)
    if (nowS === null) return false
    const before = state.withdrawals()
    const headState = odds?.headState(ALERT_HEAD)
    if (!view.status().ready || headState?.isKnown === false) return before.since === null
    const next = withdrawalsAfter(before, headState, nowS)
    if (next !== before) await state.write([state.withdrawalsChange(next)])
    return true
  }

  /** Makes the alerts of quick targets, and sends. */
  async #serveQuick(state: AlertState, pages: readonly Page[]): Promise<void> {
    let isAny = false
    for (const { source, events, next, quick } of pages) {
      isAny = (await this.#stageMatches(state, quick, source.kind, events)) || isAny
      this.#ahead.set(source.kind, next)
    }
    if (!isAny) return
    await state.write()
    await this.#outlet.startDue(state)
  }

  /** Between the alerts of a crowd: sends to targets that take alerts, and, as often as feeds are polled, makes those of quick ones. */
  async #lookAhead(state: AlertState, nowS: number): Promise<void> {
    await this.#outlet.startFreed(state)
    if (performance.now() - this.#readAt < alertLimits.pollMs) return
    await this.#serveQuick(state, await this.#pages(state, nowS, (kind) => this.#ahead.get(kind)))
  }

  /** The next page of each feed that has one, with the subscriptions to it whose targets are quick, and the others. */
  async #pages(state: AlertState, nowS: number, positionOf: (kind: AlertKind) => unknown): Promise<readonly Page[]> {
    const pages: Page[] = []
    this.#readAt = performance.now()
    for (const source of this.#sources) {
      const from = positionOf(source.kind)
      const subscriptions = this.#caughtUp(state, source.kind, nowS)
      if (source.isReadable?.() === false || from === undefined || subscriptions.length === 0) continue
      const { events, next } = await source.read(from)
      if (!source.isBehind(from, next)) continue
      const quick = subscriptions.filter((subscription) => this.#outlet.isQuick(state, subscription))
      pages.push({ source, events, next, quick, others: subscriptions.filter((subscription) => !quick.includes(subscription)) })
    }
    return pages
  }

  /** Stages the alerts of events; in between, yields to the event loop and calls `between`. True if there are any. */
  async #stageMatches(
    state: AlertState,
    subscriptions: readonly Subscription[],
    kind: AlertKind,
    events: readonly AlertEvent[],
    between?: () => Promise<void>,
  ): Promise<boolean> {
    let isAny = false
    let matched = 0
    for (const event of events) {
      for (let from = 0; from < subscriptions.length; from += SLICE_MATCHES) {
        const slice = subscriptions.slice(from, from + SLICE_MATCHES)
        const matches = slice.flatMap((one) => this.#match(state, one, kind, event))
        this.#stage(state, matches)
        isAny ||= matches.length > 0
        matched += slice.length
        if (matched < SLICE_MATCHES) continue
        matched = 0
        await nextTurn()
        await between?.()
      }
    }
    return isAny
  }

  /** Active subscriptions to a feed that have caught up with it. */
  #caughtUp(state: AlertState, kind: AlertKind, nowS: number): readonly Subscription[] {
    const joined = state.table('joined')
    const all = [...state.table('subscriptions').values()]
    return all.filter((one) => one.kinds.includes(kind) && joined.has(one.id) && state.isActive(one, nowS))
  }

  /** Catches new subscriptions up, from their start to the feeds' positions. */
  async #join(state: AlertState, nowS: number): Promise<void> {
    for (const one of state.table('subscriptions').values()) {
      if (state.table('joined').has(one.id) || !state.isActive(one, nowS)) continue
      const sources = this.#sources.filter(({ kind }) => one.kinds.includes(kind))
      if (sources.some((source) => source.isReadable?.() === false)) continue
      for (const source of sources) await this.#skipToEnd(state, source, nowS)
      if (sources.some(({ kind }) => !state.table('progress').has(kind))) continue
      for (const source of sources) await this.#stageMissed(state, one, source)
      await state.write([['joined', one.id, { withdrawnS: withdrawnS(state.withdrawals(), nowS) }]])
    }
  }

  /** If no caught-up subscription uses a feed, moves its position to its end: nobody needs the events before it. */
  async #skipToEnd(state: AlertState, source: AlertSource, nowS: number): Promise<void> {
    if (this.#caughtUp(state, source.kind, nowS).length > 0) return
    const newest = source.newest()
    if (newest !== null) await state.write([['progress', source.kind, newest]])
  }

  /** Stages the alerts between the start of a subscription and the feed's position. */
  async #stageMissed(state: AlertState, subscription: Subscription, source: AlertSource): Promise<void> {
    const upTo = state.table('progress').get(source.kind)
    let position = subscription.begins[source.kind] ?? upTo
    while (position !== undefined && source.isBehind(position, upTo)) {
      const { events, next } = await source.read(position)
      if (!source.isBehind(position, next)) break
      await this.#stageMatches(state, [subscription], source.kind, events)
      position = next
    }
  }

  /** One delivery or none. An event that is read again gives the same id. */
  #match(state: AlertState, subscription: Subscription, kind: AlertKind, event: AlertEvent): readonly Delivery[] {
    if (event.ppm !== null && event.ppm < subscription.minPpm) return []
    const begin = subscription.begins[kind]
    if (begin !== undefined && begin !== null && !event.isAfter(begin)) return []
    if (event.at >= state.endOf(subscription, event.at)) return []
    const id = alertId(subscription.id, kind, event)
    if (state.table('waiting').has(id) || state.table('done').has(id)) return []
    const launch = this.#context.view.get(event.mint)?.head.launch
    const delivery: Delivery = {
      ...{ id, subscription: subscription.id, kind, t: event.at, mint: keyText(event.mint) },
      name: launch ? cleanText(launch.name, NAME_CHARS_MAX) : null,
      symbol: launch ? cleanText(launch.symbol, SYMBOL_CHARS_MAX) : null,
      odds: event.ppm === null ? null : event.ppm / PPM,
      ...{
        flag: event.flag,
        findingId: event.findingId,
        tries: 0,
        firstTriedAt: null,
        nextAt: this.#context.wallClock.now(),
        failure: null,
      },
    }
    return [delivery]
  }

  /** Stages deliveries. Those above the limits are abandoned and counted. */
  #stage(state: AlertState, deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      const { id, subscription } = delivery
      if (hasRoom(state.waitingOf(subscription).size, state.table('waiting').size)) state.stage([['waiting', id, delivery]])
      else giveUp(state, this.#context, [delivery], 'queue_full')
    }
  }
}

/** Near the total, no subscription may have more waiting alerts than there is room left for all: long queues leave room for short ones. */
const hasRoom = (own: number, total: number): boolean => {
  const { waitingPerSubscriptionMax, waitingShareMax, waitingMax } = alertLimits
  return own < Math.min(waitingPerSubscriptionMax, Math.max(waitingShareMax, waitingMax - total))
}
