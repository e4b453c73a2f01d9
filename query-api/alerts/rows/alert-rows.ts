// Where subscriptions and alerts are kept. Adapters: TableRows in the data directory of one process, RedisRows for several that serve
// together; one contract suite in test/contract.
import type { AlertCounts, DeadAlert, Delivery, Subscription } from '../alert.ts'
import type { Withdrawals } from '../term.ts'

/** When a subscription was taken up by the process that delivers, and when it was cancelled. */
interface Joined {
  /** Time withdrawn before it, seconds: of what `Withdrawals` counts. */
  readonly withdrawnS: number
}
interface Cancelled {
  /** Stream time, unix seconds. */
  readonly at: number
}

/** The tables and their values, JSON. Keys: ids of subscriptions; ids of alerts (`waiting`, `done`, `dead`); names (`progress`). */
export interface AlertTables {
  readonly subscriptions: Subscription
  readonly cancelled: Cancelled
  readonly joined: Joined
  readonly counts: AlertCounts
  readonly waiting: Delivery
  /** Delivered or given up: not made again. With the stream time (unix s) of the alert. */
  readonly done: { readonly t: number }
  readonly dead: DeadAlert
  /** How far each feed was read, by kind. */
  readonly progress: unknown
  readonly withdrawals: Withdrawals
}
export type AlertTable = keyof AlertTables
export const ALERT_TABLES: readonly AlertTable[] = [
  ...(['subscriptions', 'cancelled', 'joined', 'counts', 'waiting'] as const),
  ...(['done', 'dead', 'progress', 'withdrawals'] as const),
]

/** A row to write; null removes it. */
export type Change = { readonly [Table in AlertTable]: readonly [Table, key: string, value: AlertTables[Table] | null] }[AlertTable]

/** The sole right to read feeds and deliver. */
export interface AlertLead {
  /** All or none of it, durable as the store has it. False: another process has taken over, and nothing was written. */
  write(changes: readonly Change[]): Promise<boolean>
  /** To be called at least every third of the lease. False: another process has taken over. */
  renew(): Promise<boolean>
  /** Never rejects: a lead that cannot be given back ends by itself. */
  release(): Promise<void>
}

/** Every operation rejects with EngineError `table_io` or `redis_away` when the store fails. */
export interface AlertRows {
  all<Table extends AlertTable>(table: Table): Promise<ReadonlyMap<string, AlertTables[Table]>>
  /** By anybody. Leaves a row that is there as it is; true when it is new. */
  add<Table extends 'subscriptions' | 'cancelled'>(table: Table, key: string, value: AlertTables[Table]): Promise<boolean>
  /** Another text after each `add` of anybody. */
  version(): Promise<string>
  /** Null while another process has it. */
  lead(): Promise<AlertLead | null>
}
