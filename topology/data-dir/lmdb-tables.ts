// Durable tables in a separate lmdb, so that a payment does not wait for a group commit of the log. Writes to several tables in one
// turn of the event loop share one flush.
import { mkdirSync } from 'node:fs'
import { type Database, open } from 'lmdb'
import { EngineError, messageOf } from '../../schemas/errors.ts'
import type { DurableTable } from '../ports/ledger.ts'
import type { StoreSnapshot } from '../ports/snapshot.ts'
import { hasRoom, LEDGER_RESERVE_BYTES } from './disk-room.ts'
import { jsonTable, snapshotOf } from './lmdb-snapshot.ts'

/** Space that writing an entry takes at most, with the pages of the tree that it copies. lmdb must never hit a full disk (disk-room). */
const ENTRY_BYTES_MAX = 4 * 1024 * 1024

export interface LmdbTables<Rows extends object> {
  readonly tables: { readonly [Name in keyof Rows]: DurableTable<Rows[Name]> }
  /** All current entries of all tables; `store` names their folder. */
  snapshot(store: string): StoreSnapshot
  /** Waits for pending writes, then closes the files. */
  close(): Promise<void>
}

/**
 * Opens or creates tables of these names in the directory `dir` (0700: it may contain sold answers). Keys are at most 1,900 bytes. Writes of
 * one turn of the event loop share a transaction and its flush.
 * With `overlappingSync` off, lmdb's promise for a write resolves after the fsync of its transaction.
 * Protects against a killed process and a power cut, but not against a disk that does not flush as it reports, nor against two processes
 * with one payment: the data directory's lock keeps a second process out.
 * Every operation throws or rejects with EngineError `table_io` if the medium fails; a failed write leaves the older value.
 */
export const openLmdbTables = <Rows extends object>(dir: string, names: readonly (keyof Rows & string)[]): LmdbTables<Rows> => {
  const medium = mediumIn(dir)
  medium.guarded('make', () => mkdirSync(dir, { recursive: true, mode: 0o700 }))
  const root = medium.guarded('open', () => open({ path: dir, encoding: 'json', overlappingSync: false, noSubdir: false }))
  const databases = names.map((name) => ({
    name,
    database: medium.guarded('open', () => root.openDB<unknown, string>({ name, encoding: 'json' })),
  }))
  return {
    tables: Object.fromEntries(databases.map(({ name, database }) => [name, tableOf(database, medium)])) as LmdbTables<Rows>['tables'],
    snapshot: (store) =>
      snapshotOf(
        store,
        root,
        databases.map(({ name, database }) => jsonTable(name, database)),
      ),
    close: () => {
      medium.isClosed = true
      return root.close()
    },
  }
}

/** A table that is a separate lmdb, as in former versions. @throws EngineError `table_io` */
export const openFormerTable = (dir: string) => {
  const { guarded } = mediumIn(dir)
  const root = guarded('open', () => open<object, string>({ path: dir, encoding: 'json', noSubdir: false }))
  return {
    entries: () => guarded('entries', () => root.getRange()),
    snapshot: (store: string): StoreSnapshot => snapshotOf(store, root, [jsonTable('', root)]),
    close: () => root.close(),
  }
}

const tableOf = (database: Database<unknown, string>, { guarded, write }: Pick<Medium, 'guarded' | 'write'>): DurableTable<unknown> => ({
  get: (key) => guarded('get', () => database.get(key)),
  put: (key, value) => write('put', () => database.put(key, value)),
  remove: (key) => write('remove', () => database.remove(key)),
  *entries() {
    for (const { key, value } of guarded('entries', () => database.getRange())) yield [key, value] as const
  },
})

/** Access to the directory of the tables; adds the directory's name to failures. */
interface Medium {
  /** Checked because lmdb throws asynchronously on a write after close. */
  isClosed: boolean
  guarded<T>(operation: string, run: () => T): T
  write(operation: string, run: () => Promise<boolean>): Promise<void>
}

const mediumIn = (dir: string): Medium => {
  const failure = (operation: string, cause: unknown): EngineError => {
    const reason = messageOf(cause)
    const message = `${operation} of the table in ${dir} failed: ${reason}. Make sure that the disk has space and the directory is writable.`
    return new EngineError('table_io', message, { retriable: true, facts: { dir, operation }, cause })
  }
  const medium: Medium = {
    isClosed: false,
    guarded: (operation, run) => {
      try {
        return run()
      } catch (cause) {
        throw failure(operation, cause)
      }
    },
    write: async (operation, run) => {
      try {
        if (medium.isClosed) throw new Error('it is closed')
        if (!hasRoom(dir, ENTRY_BYTES_MAX, LEDGER_RESERVE_BYTES)) throw new Error('the disk is full')
        await run()
      } catch (cause) {
        throw failure(operation, cause)
      }
    },
  }
  return medium
}
