// The store of subscriptions and alerts. Adapters: TableRows in one process's data directory, RedisRows for several processes; one contract
// suite in test/contract.
import type { AlertCounts, DeadAlert, Delivery, Pause, Subscription } from '../alert.ts'
import type { Withdrawals } from '../term.ts'

/** Written once the worker has matched the subscription with the events between its start and the positions of its feeds. */
interface Joined {
  /** Value of `withdrawnS` at that time, seconds. */
  readonly withdrawnS: number
}
interface Cancelled {
  /** Stream time, unix seconds; null if no running mintfold knew it. */
  readonly at: number | null
}

/** The tables with their JSON values. Keys: subscription ids; alert ids (`waiting`, `done`, `dead`); names (`progress`). */
export interface AlertTables {
  readonly subscriptions: Subscription
  readonly cancelled: Cancelled
  readonly joined: Joined
  readonly counts: AlertCounts
  readonly waiting: Delivery
  /** Delivered or abandoned alerts, which are not made again, with their stream time (unix s). */
  readonly done: { readonly t: number }
  readonly dead: DeadAlert
  /** The position of each feed, by kind: events up to it were matched with all joined subscriptions. */
  readonly progress: unknown
  readonly withdrawals: Withdrawals
  /** Subscriptions whose target failed at its newest request. */
  readonly paused: Pause
}
export type AlertTable = keyof AlertTables
export const ALERT_TABLES: readonly AlertTable[] = [
  'subscriptions',
  'cancelled',
  'joined',
  'counts',
  'waiting',
  'done',
  'dead',
  'progress',
  'withdrawals',
  'paused',
]

/** A row to write; null removes it. */
export type Change = { readonly [Table in AlertTable]: readonly [Table, key: string, value: AlertTables[Table] | null] }[AlertTable]

/** The exclusive right to read the feeds and to deliver. */
export interface AlertLease {
  /** Writes atomically, as durably as the store does. False: another process has taken over, and nothing was written. */
  write(changes: readonly Change[]): Promise<boolean>
  /** Must be called at least every third of the lease. False: another process has taken over. */
  renew(): Promise<boolean>
  /** Never rejects: a lease that cannot be released expires. */
  release(): Promise<void>
}

/** Every operation rejects with EngineError `table_io` or `redis_away` if the store fails. */
export interface AlertRows {
  all<Table extends AlertTable>(table: Table): Promise<ReadonlyMap<string, AlertTables[Table]>>
  /** Adds a row, from any process. True if it is new; an existing row is not changed. */
  add<Table extends 'subscriptions' | 'cancelled'>(table: Table, key: string, value: AlertTables[Table]): Promise<boolean>
  /** Changes with each `add` of any process. */
  version(): Promise<string>
  /** Null while another process has the lease. */
  acquireLease(): Promise<AlertLease | null>
}
