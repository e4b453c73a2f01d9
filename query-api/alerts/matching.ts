// Matches feed events to subscriptions: each match becomes a waiting alert. Alerts are written before the feed's position or together with
// it, and their ids are derived from their content: events that are read again after a crash give the same ids, so that nothing is doubled.
import { createHash } from 'node:crypto'
import { NAME_CHARS_MAX, SYMBOL_CHARS_MAX } from '../../processors/mint/thresholds.ts'
import { cleanText } from '../../processors/text.ts'
import { keyText } from '../../schemas/keys.ts'
import type { AlertKind, Delivery, Subscription } from './alert.ts'
import { type AlertContext, streamNowS } from './context.ts'
import { giveUp } from './delivering.ts'
import { ALERT_HEAD } from './feeds/odds-source.ts'
import type { AlertEvent, AlertSource } from './feeds/source.ts'
import { alertLimits } from './limits.ts'
import type { Change } from './rows/alert-rows.ts'
import type { AlertState } from './state.ts'
import { withdrawalsAfter, withdrawnS } from './term.ts'

const ID_CHARS = 32
const PPM = 1_000_000

/** Unique per subscription, mint and kind; for flags, per finding. */
export const alertId = (subscription: string, kind: AlertKind, { mint, findingId }: Pick<AlertEvent, 'mint' | 'findingId'>): string => {
  const parts = [subscription, kind, keyText(mint), ...(findingId === null ? [] : [findingId])]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_CHARS)
}

export class Matching {
  readonly #context: AlertContext
  readonly #sources: readonly AlertSource[]

  constructor(context: AlertContext, sources: readonly AlertSource[]) {
    this.#context = context
    this.#sources = sources
  }

  /**
   * Catches new subscriptions up, then processes one page of each feed. True if there may be more.
   * @throws like `AlertState.write`
   */
  async matchPages(state: AlertState): Promise<boolean> {
    const nowS = streamNowS(this.#context)
    if (nowS === null) return false
    await this.#join(state, nowS)
    let hasMore = false
    for (const source of this.#sources) hasMore = (await this.#page(state, source, nowS)) || hasMore
    return hasMore
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

  async #page(state: AlertState, source: AlertSource, nowS: number): Promise<boolean> {
    if (source.isReadable?.() === false) return false
    const from = state.table('progress').get(source.kind)
    const subscriptions = this.#caughtUp(state, source.kind, nowS)
    if (from === undefined || subscriptions.length === 0) return false
    const { events, next } = await source.read(from)
    if (!source.isBehind(from, next)) return false
    const matches = events.flatMap((event) => subscriptions.flatMap((subscription) => this.#match(state, subscription, source.kind, event)))
    await this.#write(state, matches, [['progress', source.kind, next]])
    return true
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
      const missed: Delivery[] = []
      for (const source of sources) missed.push(...(await this.#missed(state, one, source)))
      await this.#write(state, missed, [['joined', one.id, { withdrawnS: withdrawnS(state.withdrawals(), nowS) }]])
    }
  }

  /** If no caught-up subscription uses a feed, moves its position to its end: nobody needs the events before it. */
  async #skipToEnd(state: AlertState, source: AlertSource, nowS: number): Promise<void> {
    if (this.#caughtUp(state, source.kind, nowS).length > 0) return
    const newest = source.newest()
    if (newest !== null) await state.write([['progress', source.kind, newest]])
  }

  /** Matches between the start of a subscription and the feed's position. */
  async #missed(state: AlertState, subscription: Subscription, source: AlertSource): Promise<readonly Delivery[]> {
    const upTo = state.table('progress').get(source.kind)
    let position = subscription.begins[source.kind] ?? upTo
    const missed: Delivery[] = []
    while (position !== undefined && source.isBehind(position, upTo)) {
      const { events, next } = await source.read(position)
      if (!source.isBehind(position, next)) break
      missed.push(...events.flatMap((event) => this.#match(state, subscription, source.kind, event)))
      position = next
    }
    return missed
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
      ...{ flag: event.flag, findingId: event.findingId, tries: 0, firstTriedAt: null, nextAt: 0, failure: null },
    }
    return [delivery]
  }

  /** Writes deliveries, then the rows of `after`. Deliveries above the limits are abandoned and counted. */
  async #write(state: AlertState, deliveries: readonly Delivery[], after: readonly Change[]): Promise<void> {
    const changes = new Map<string, readonly Change[]>()
    const added = new Map<string, number>()
    let total = state.table('waiting').size
    for (const delivery of deliveries) {
      if (changes.has(delivery.id)) continue
      const own = state.waitingFor(delivery.subscription) + (added.get(delivery.subscription) ?? 0)
      if (hasRoom(own, total)) {
        changes.set(delivery.id, [['waiting', delivery.id, delivery]])
        added.set(delivery.subscription, (added.get(delivery.subscription) ?? 0) + 1)
        total += 1
      } else {
        changes.set(delivery.id, [])
        await state.write(giveUp(state, this.#context, delivery, 'queue_full'))
      }
    }
    await state.write([...[...changes.values()].flat(), ...after])
  }
}

const hasRoom = (own: number, total: number): boolean =>
  own < (total < alertLimits.waitingMax ? alertLimits.waitingPerSubscriptionMax : alertLimits.waitingShareMax)
