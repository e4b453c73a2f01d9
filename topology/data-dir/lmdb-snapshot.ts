// Snapshots of lmdb rows for backups: a read transaction that stays open until the rows are copied.
import type { Database, Key, RootDatabase, Transaction } from 'lmdb'
import type { SnapshotTable, StoreSnapshot } from '../ports/snapshot.ts'

type Rows = (transaction: Transaction) => Iterable<readonly [key: Uint8Array, value: Uint8Array]>
interface Table {
  readonly name: string
  readonly database: Database
  readonly rows: Rows
}

/** A database of raw bytes. */
export const bytesTable = (name: string, database: Database<Uint8Array, Uint8Array>): Table => ({
  name,
  database: database as unknown as Database,
  *rows(transaction) {
    for (const { key, value } of database.getRange({ transaction })) yield [key, value]
  },
})

/** A database of JSON values. `keys`: reads only these, for a database that has other content too. */
export const jsonTable = <Value, K extends Key>(name: string, database: Database<Value, K>, keys?: readonly K[]): Table => ({
  name,
  database: database as unknown as Database,
  *rows(transaction) {
    const bytes = (key: K, value: Value): readonly [Uint8Array, Uint8Array] => [
      Buffer.from(String(key)),
      Buffer.from(JSON.stringify(value)),
    ]
    if (keys === undefined) for (const { key, value } of database.getRange({ transaction })) yield bytes(key, value)
    else
      for (const key of keys) {
        const value = database.get(key, { transaction })
        if (value !== undefined) yield bytes(key, value)
      }
  },
})

/** A snapshot of the current rows. Snapshots of several stores taken in one turn of the event loop are consistent with each other. */
export const snapshotOf = (store: string, root: RootDatabase<never, never> | RootDatabase, tables: readonly Table[]): StoreSnapshot => {
  root.resetReadTxn()
  const transaction = root.useReadTransaction()
  return { store, tables: tables.map((table) => tableAt(table, transaction)), release: () => transaction.done() }
}

const tableAt = ({ name, database, rows }: Table, transaction: Transaction): SnapshotTable => ({
  name,
  count: (database.getStats() as { readonly entryCount: number }).entryCount,
  rows: () => rows(transaction),
})
