// Writes rows of a backup into new stores, in the encodings that the stores use.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { ALERT_TABLES } from './data-dir.ts'

const BYTES = { encoding: 'binary', keyEncoding: 'binary' } as const
const JSON_VALUES = { encoding: 'json' } as const
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

type Put = (key: Uint8Array, value: Uint8Array) => void
interface Form {
  readonly root: typeof BYTES | typeof JSON_VALUES
  /** By table: returns the function that writes a row. */
  readonly tables: Readonly<Record<string, (root: RootDatabase) => Put>>
}

const jsonPut =
  <Key extends string | number>(database: Database<unknown, Key>, keyOf: (text: string) => Key): Put =>
  (key, value) =>
    void database.put(keyOf(text(key)), JSON.parse(text(value)))
const own = (root: RootDatabase): Put => jsonPut(root as Database<unknown, string>, String)
const named =
  (name: string) =>
  (root: RootDatabase): Put =>
    jsonPut(root.openDB<unknown, string>({ name, ...JSON_VALUES }), String)

/**
 * By folder of the data directory. `log` is topology/logs/lmdb, `sales` the tables of payments (`payments` and `settlements` in older
 * backups), `alerts` the subscriptions and their pending deliveries, `sandbox` the ledger.
 */
const FORMS: Readonly<Record<string, Form>> = {
  log: {
    root: BYTES,
    tables: {
      rows: (root) => {
        const rows = root.openDB<Uint8Array, Uint8Array>({ name: 'rows', ...BYTES })
        return (key, value) => void rows.put(key, value)
      },
    },
  },
  sales: { root: JSON_VALUES, tables: { book: named('book'), settlements: named('settlements') } },
  payments: { root: JSON_VALUES, tables: { '': own } },
  settlements: { root: JSON_VALUES, tables: { '': own } },
  alerts: { root: JSON_VALUES, tables: Object.fromEntries(ALERT_TABLES.map((name) => [name, named(name)])) },
  sandbox: {
    root: JSON_VALUES,
    tables: {
      '': own,
      accounts: named('accounts'),
      landed: (root) => jsonPut(root.openDB<unknown, number>({ name: 'landed', ...JSON_VALUES, keyEncoding: 'uint32' }), Number),
    },
  },
}

/** True for a table that this version can restore. */
export const isRestorable = (store: string, table: string): boolean => FORMS[store]?.tables[table] !== undefined

/** A store that is being restored. */
export class StoreRestore {
  readonly #root: RootDatabase
  readonly #puts = new Map<string, Put>()

  private constructor(root: RootDatabase) {
    this.#root = root
  }
  /** Creates the store in its folder of `dir`. The tables must be restorable. */
  static async create(dir: string, store: string, tables: readonly string[]): Promise<StoreRestore> {
    const form = FORMS[store] as Form
    const path = join(dir, store)
    await mkdir(path, { recursive: true, mode: 0o700 })
    const restore = new StoreRestore(open({ path, noSubdir: false, overlappingSync: false, ...form.root }))
    for (const table of tables) restore.#puts.set(table, (form.tables[table] as (root: RootDatabase) => Put)(restore.#root))
    return restore
  }
  /** Writes the rows in one transaction; resolves when they are durable. */
  async put(rows: readonly { readonly table: string; readonly key: Uint8Array; readonly value: Uint8Array }[]): Promise<void> {
    await this.#root.transaction(() => {
      for (const { table, key, value } of rows) this.#puts.get(table)?.(key, value)
    })
  }
  close(): Promise<void> {
    return this.#root.close()
  }
}
