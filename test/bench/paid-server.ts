// A seller in a process of its own, with its books in a directory: what a sale takes is measured from outside, its facilitator elsewhere.
import { join } from 'node:path'
import type { PaymentEntry } from '../../query-api/payment/payment-book.ts'
import type { SettlementLine } from '../../query-api/payment/settlement-log.ts'
import { TableBook } from '../../query-api/payment/table-book.ts'
import { TableLog } from '../../query-api/payment/table-log.ts'
import { openLmdbTable } from '../../topology/stores/lmdb-table.ts'
import { openShop } from '../integration/payment/world.ts'
import { NETWORK, PAY_TO } from '../soak/plain-facilitator.ts'

const [dir = '', facilitatorUrl = ''] = process.argv.slice(2)
const clock = { now: Date.now }
const book = new TableBook(openLmdbTable<PaymentEntry>(join(dir, 'payments')), clock)
const log = new TableLog(openLmdbTable<SettlementLine>(join(dir, 'settlements')))
const { url } = await openShop({ mode: 'facilitator', facilitatorUrl, payTo: PAY_TO, network: NETWORK, priceFactor: 1, book, log, clock })
process.stdout.write(`${url}\n`)
