// Alerts in durable tables of the data directory. The directory's lock prevents a second process from delivering; commands can still read
// and add rows.
import { randomUUID } from 'node:crypto'
import type { DurableTable } from '../../../topology/ports/ledger.ts'
import type { AlertLease, AlertRows, AlertTable, AlertTables, Change } from './alert-rows.ts'

/** The table `meta` has one row, the version, which each `add` changes. */
export type AlertStore = { readonly [Table in AlertTable]: DurableTable<AlertTables[Table]> } & { readonly meta: DurableTable<string> }

const VERSION = 'version'

export class TableRows implements AlertRows {
  readonly #tables: AlertStore

  constructor(tables: AlertStore) {
    this.#tables = tables
  }

  async all<Table extends AlertTable>(table: Table): Promise<ReadonlyMap<string, AlertTables[Table]>> {
    return new Map((this.#tables[table] as DurableTable<AlertTables[Table]>).entries())
  }

  async add<Table extends 'subscriptions' | 'cancelled'>(table: Table, key: string, value: AlertTables[Table]): Promise<boolean> {
    const into = this.#tables[table] as DurableTable<AlertTables[Table]>
    if (into.get(key) !== undefined) return false
    await Promise.all([into.put(key, value), this.#tables.meta.put(VERSION, randomUUID())])
    return true
  }

  async version(): Promise<string> {
    return this.#tables.meta.get(VERSION) ?? ''
  }

  /** The data directory's lock is the lease. The changes of one `write` are one transaction. */
  async acquireLease(): Promise<AlertLease> {
    const apply = ([table, key, value]: Change): Promise<void> => {
      const into = this.#tables[table] as DurableTable<unknown>
      return value === null ? into.remove(key) : into.put(key, value)
    }
    return {
      write: async (changes) => {
        await Promise.all(changes.map(apply))
        return true
      },
      renew: async () => true,
      release: async () => undefined,
    }
  }
}
