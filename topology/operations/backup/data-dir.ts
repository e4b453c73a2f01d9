// Backs up a whole data directory: the stores that this process has open, and the others, which no process uses.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openFormerTable, openLmdbTables } from '../../data-dir/lmdb-tables.ts'
import type { StoreSnapshot } from '../../ports/snapshot.ts'
import { LedgerStore } from '../../sandbox/ledger-store.ts'
import { SANDBOX_FOLDER } from '../../sandbox/sandbox.ts'
import { type BackupReport, takeBackup } from './take.ts'

/** Folder of the payments in the data directory. */
export const SALES_FOLDER = 'sales'
/** Its tables: the payments of the last 24 hours, and the ledger of settlements. */
export const SALES_TABLES = ['book', 'settlements'] as const

/** Folder of the alerts, and its tables. */
export const ALERTS_FOLDER = 'alerts'
export const ALERT_TABLES = [
  ...(['subscriptions', 'cancelled', 'joined', 'counts', 'waiting'] as const),
  ...(['done', 'dead', 'progress', 'withdrawals', 'paused', 'meta'] as const),
] as const

/** Folders in older data directories and backups, where each table had its own; the next process that sells imports them. */
export const FORMER_FOLDERS = { book: 'payments', settlements: 'settlements' } as const

export interface DataDir {
  readonly dataDir: string
  /** Version of the program. */
  readonly version: string
  /** Wall time, unix ms. */
  readonly now: () => number
  /** Snapshots of the stores that this process has open; it owns the directory. */
  readonly live: () => readonly StoreSnapshot[]
}

export interface BackupRun {
  /** Absolute. */
  readonly out: string
  readonly progress: (done: number, total: number) => void
  readonly stop: AbortSignal
}

interface Idle {
  snapshot(store: string): StoreSnapshot
  close(): Promise<void>
}

const OPEN_IDLE: Readonly<Record<string, (dir: string) => Idle>> = {
  [SALES_FOLDER]: (dir) => openLmdbTables(dir, SALES_TABLES),
  [ALERTS_FOLDER]: (dir) => openLmdbTables(dir, ALERT_TABLES),
  [SANDBOX_FOLDER]: (dir) => new LedgerStore(dir),
  ...Object.fromEntries(Object.values(FORMER_FOLDERS).map((folder) => [folder, openFormerTable])),
}

/**
 * Returns the function that backs the directory up; it resolves to undefined when stopped. All snapshots are taken synchronously, in one
 * turn of the event loop: no step of a payment can happen between two of them, so they are consistent.
 * @throws EngineError backup_failed, table_io
 */
export const dataDirBackup =
  ({ dataDir, version, now, live }: DataDir) =>
  async ({ out, progress, stop }: BackupRun): Promise<BackupReport | undefined> => {
    const open = live()
    const idle = Object.entries(OPEN_IDLE)
      .filter(([store]) => open.every((snapshot) => snapshot.store !== store) && existsSync(join(dataDir, store, 'data.mdb')))
      .map(([store, openIdle]) => ({ store, table: openIdle(join(dataDir, store)) }))
    const snapshots = [...open, ...idle.map(({ store, table }) => table.snapshot(store))]
    try {
      return await takeBackup({ dataDir, out, version, now, snapshots, progress, stop })
    } finally {
      for (const snapshot of snapshots) snapshot.release()
      for (const { table } of idle) await table.close()
    }
  }
