// What a data directory remembers of payments: the book, and the ledger of settlements beside it. A sale writes to both and waits for one
// flush.
import { join } from 'node:path'
import type { PaymentEntry } from '../../query-api/payment/payment-book.ts'
import type { SettlementLine } from '../../query-api/payment/settlement-log.ts'
import { PAYMENT_TABLES, PAYMENTS_FOLDER } from '../backup/data-dir.ts'
import { type LmdbTables, openLmdbTables } from '../stores/lmdb-tables.ts'

interface PaymentRows {
  readonly book: PaymentEntry
  readonly settlements: SettlementLine
}

/** @throws EngineError `table_io` */
export const openPaymentTables = (dataDir: string): LmdbTables<PaymentRows> =>
  openLmdbTables<PaymentRows>(join(dataDir, PAYMENTS_FOLDER), PAYMENT_TABLES)
