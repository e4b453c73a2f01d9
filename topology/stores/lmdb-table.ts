// A durable table in an lmdb of its own. Each write is its own flush: a payment waits for no group commit of the log.
import { mkdirSync } from 'node:fs'
import { open } from 'lmdb'
import { EngineError, messageOf } from '../../schemas/errors.ts'
import { hasRoom, LEDGER_RESERVE_BYTES } from '../logs/disk-room.ts'
import type { DurableTable } from '../ports/ledger.ts'
import type { StoreSnapshot } from '../ports/snapshot.ts'
import { jsonTable, snapshotOf } from './lmdb-snapshot.ts'

/** What one entry may take with the pages around it. lmdb itself must never meet a full disk (disk-room). */
const ENTRY_BYTES_MAX = 4 * 1024 * 1024

export interface LmdbTable<Value> extends DurableTable<Value> {
  /** All entries as of now; `store` names the table's folder. */
  snapshot(store: string): StoreSnapshot
  /** Waits for writes under way, then lets go of the files. */
  close(): Promise<void>
}

/**
 * Opens or makes the table in the directory `dir` (0700: it may hold sold answers). Keys are at most 1,900 bytes. Writes of one turn of the
 * event loop share a flush.
 * With `overlappingSync` off, lmdb's promise for a write resolves after the fsync of its transaction.
 * It protects from a killed process and a power cut, not from a disk that lies about its flushes, nor from two processes with one payment:
 * the data directory's lock keeps a second process out.
 * Every operation throws or rejects with EngineError `table_io` when the medium fails; a failed write leaves the older value.
 */
export const openLmdbTable = <Value>(dir: string): LmdbTable<Value> => {
  const failure = (operation: string, cause: unknown): EngineError => {
    const reason = messageOf(cause)
    const message = `${operation} of the table in ${dir} failed: ${reason}. Make sure that the disk has space and the directory can be written.`
    return new EngineError('table_io', message, { retriable: true, facts: { dir, operation }, cause })
  }
  const guarded = <T>(operation: string, run: () => T): T => {
    try {
      return run()
    } catch (cause) {
      throw failure(operation, cause)
    }
  }
  const write = async (operation: string, run: () => Promise<boolean>): Promise<void> => {
    try {
      if (!hasRoom(dir, ENTRY_BYTES_MAX, LEDGER_RESERVE_BYTES)) throw new Error('the disk is full')
      await run()
    } catch (cause) {
      throw failure(operation, cause)
    }
  }
  guarded('make', () => mkdirSync(dir, { recursive: true, mode: 0o700 }))
  const database = guarded('open', () => open<Value, string>({ path: dir, encoding: 'json', overlappingSync: false, noSubdir: false }))
  return {
    get: (key) => guarded('get', () => database.get(key)),
    put: (key, value) => write('put', () => database.put(key, value)),
    remove: (key) => write('remove', () => database.remove(key)),
    *entries() {
      for (const { key, value } of guarded('entries', () => database.getRange())) yield [key, value] as const
    },
    snapshot: (store) => snapshotOf(store, database, [jsonTable('', database)]),
    close: () => database.close(),
  }
}
