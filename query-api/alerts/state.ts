// The rows of the delivering process, in memory and in the store. A change applies to memory first: after a failed write the worker
// discards this state and loads another one from the store.
import type { Subscription } from './alert.ts'
import { ALERT_TABLES, type AlertLease, type AlertRows, type AlertTable, type AlertTables, type Change } from './rows/alert-rows.ts'
import { endOf, NO_WITHDRAWALS, type Withdrawals, withdrawnS } from './term.ts'

type Maps = { readonly [Table in AlertTable]: Map<string, AlertTables[Table]> }

const NONE: ReadonlySet<string> = new Set()

/** Key of the only row in the table of withdrawals. */
const WITHDRAWALS_KEY = 'graduation_odds'

/** Another process has taken over deliveries. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export class AlertState {
  readonly #rows: AlertRows
  readonly #lease: AlertLease
  readonly #maps: Maps
  /** Ids of waiting alerts, by subscription: an alert that has just failed is the last. */
  readonly #waiting = new Map<string, Set<string>>()
  /** Changes of `stage` that are not written yet. */
  #staged: Change[] = []
  #version: string

  private constructor(rows: AlertRows, lease: AlertLease, maps: Maps, version: string) {
    this.#rows = rows
    this.#lease = lease
    this.#maps = maps
    this.#version = version
    for (const [id, { subscription }] of maps.waiting) this.#idsOf(subscription).add(id)
  }

  static async load(rows: AlertRows, lease: AlertLease): Promise<AlertState> {
    const version = await rows.version()
    const tables = await Promise.all(ALERT_TABLES.map(async (table) => [table, new Map(await rows.all(table))] as const))
    return new AlertState(rows, lease, Object.fromEntries(tables) as unknown as Maps, version)
  }

  /** The current rows of a table; only `write` changes them. */
  table<Table extends AlertTable>(table: Table): ReadonlyMap<string, AlertTables[Table]> {
    return this.#maps[table]
  }

  /** Loads subscriptions and cancellations added by other processes. */
  async reload(): Promise<void> {
    const version = await this.#rows.version()
    if (version === this.#version) return
    const added = await Promise.all([this.#rows.all('subscriptions'), this.#rows.all('cancelled')])
    for (const [id, one] of added[0]) this.#maps.subscriptions.set(id, one)
    for (const [id, one] of added[1]) this.#maps.cancelled.set(id, one)
    this.#version = version
  }

  /** Applies changes to memory; the next `write` writes them, in order and atomically with its own. */
  stage(changes: readonly Change[]): void {
    for (const change of changes) {
      this.#apply(change)
      this.#staged.push(change)
    }
  }

  /** @throws LeaseLost; EngineError like `AlertRows`. */
  async write(changes: readonly Change[] = []): Promise<void> {
    this.stage(changes)
    const staged = this.#staged
    if (staged.length === 0) return
    this.#staged = []
    if (!(await this.#lease.write(staged))) throw new LeaseLost('another process delivers alerts')
  }

  /** @throws LeaseLost; EngineError like `AlertRows`. */
  async renew(): Promise<void> {
    if (!(await this.#lease.renew())) throw new LeaseLost('another process delivers alerts')
  }

  release(): Promise<void> {
    return this.#lease.release()
  }

  /** Subscriptions with waiting alerts. */
  waitingSubscriptions(): Iterable<string> {
    return this.#waiting.keys()
  }
  /** Ids of the waiting alerts of a subscription; those that have failed come last, the newest failure at the end. */
  waitingOf(subscription: string): ReadonlySet<string> {
    return this.#waiting.get(subscription) ?? NONE
  }

  withdrawals(): Withdrawals {
    return this.#maps.withdrawals.get(WITHDRAWALS_KEY) ?? NO_WITHDRAWALS
  }
  withdrawalsChange(next: Withdrawals): Change {
    return ['withdrawals', WITHDRAWALS_KEY, next]
  }

  /** End of the term, as far as known at `nowS`. Both are stream time, unix seconds. Seconds without shown odds extend it. */
  endOf(subscription: Subscription, nowS: number): number {
    const total = withdrawnS(this.withdrawals(), nowS)
    return endOf(subscription, total - (this.#maps.joined.get(subscription.id)?.withdrawnS ?? total))
  }
  /** Neither cancelled nor expired. */
  isActive(subscription: Subscription, nowS: number): boolean {
    return !this.#maps.cancelled.has(subscription.id) && nowS < this.endOf(subscription, nowS)
  }

  #apply([table, key, value]: Change): void {
    if (table === 'waiting') {
      const { subscription } = value ?? this.#maps.waiting.get(key) ?? {}
      if (subscription !== undefined) {
        const ids = this.#idsOf(subscription)
        ids.delete(key)
        if (value !== null) ids.add(key)
        if (ids.size === 0) this.#waiting.delete(subscription)
      }
    }
    const map = this.#maps[table] as Map<string, unknown>
    if (value === null) map.delete(key)
    else map.set(key, value)
  }

  #idsOf(subscription: string): Set<string> {
    const known = this.#waiting.get(subscription)
    if (known !== undefined) return known
    const ids = new Set<string>()
    this.#waiting.set(subscription, ids)
    return ids
  }
}
