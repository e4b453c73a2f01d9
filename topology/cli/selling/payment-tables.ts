// The payment tables of a data directory: the book, and the ledger of settlements. A sale writes to both and waits for a single
// flush.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { type LmdbTables, openFormerTable, openLmdbTables } from '../../data-dir/lmdb-tables.ts'
import { FORMER_FOLDERS, SALES_FOLDER, SALES_TABLES } from '../../operations/backup/data-dir.ts'
import type { DurableTable } from '../../ports/ledger.ts'

export interface SalesRows {
  readonly book: PaymentEntry
  readonly settlements: SettlementLine
}

/** Each row may contain an answer: concurrent writes must not fill the disk (disk-room). */
const ROWS_AT_A_TIME = 8

/** @throws EngineError `table_io` */
export const openPaymentTables = (dataDir: string): LmdbTables<SalesRows> =>
  openLmdbTables<SalesRows>(join(dataDir, SALES_FOLDER), SALES_TABLES)

/**
 * Moves rows of former folders into the tables, before anything is sold. A kill in between leaves both, and the same rows are written
 * again. Only the owner of the data directory may call it. @throws EngineError `table_io`
 */
export const adoptFormerTables = async (dataDir: string, { tables }: LmdbTables<SalesRows>): Promise<void> => {
  for (const name of SALES_TABLES) {
    const path = join(dataDir, FORMER_FOLDERS[name])
    if (!existsSync(join(path, 'data.mdb'))) continue
    const former = openFormerTable(path)
    const into = tables[name] as DurableTable<object>
    const writing: Promise<void>[] = []
    for (const { key, value } of former.entries()) {
      writing.push(into.put(key, value))
      if (writing.length >= ROWS_AT_A_TIME) await Promise.all(writing.splice(0))
    }
    await Promise.all(writing)
    await former.close()
    rmSync(path, { recursive: true })
  }
}
