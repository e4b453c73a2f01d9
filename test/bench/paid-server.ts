// A seller in a process of its own, with its payment store in a directory. The bench that starts it runs the client and the facilitator.
import { TableLog } from '../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../query-api/payment/stores/table-store.ts'
import { openPaymentTables } from '../../topology/cli/selling/payment-tables.ts'
import { openShop } from '../integration/payment/world.ts'
import { NETWORK, PAY_TO } from '../soak/plain-facilitator.ts'

const [dir = '', facilitatorUrl = ''] = process.argv.slice(2)
const clock = { now: Date.now }
const { tables } = openPaymentTables(dir)
const [book, log] = [new TableIdempotencyStore(tables.book, clock), new TableLog(tables.settlements)]
const { url } = await openShop({ mode: 'facilitator', facilitatorUrl, payTo: PAY_TO, network: NETWORK, priceFactor: 1, book, log, clock })
process.stdout.write(`${url}\n`)
