// A whole paid server in one process, as `up` builds it, that kills itself at a chosen point of a settlement.
import { createServer } from 'node:http'
import Koa from 'koa'
import { HttpPayments } from '../../../query-api/http/http-payments.ts'
import { createGate } from '../../../query-api/payment/create-gate.ts'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { openPaymentTables } from '../../../topology/cli/selling/payment-tables.ts'
import { startSandbox } from '../../../topology/sandbox/sandbox.ts'
import { startLocal } from '../../tools/local-server.ts'

const [dataDir = '', instant = 'never'] = process.argv.slice(2)
const die = (at: string): void => {
  if (instant === at) process.kill(process.pid, 'SIGKILL')
}

const sandbox = await startSandbox({ dataDir })
const { tables } = openPaymentTables(dataDir)
const table = tables.book
const watched = {
  ...table,
  put: async (key: string, entry: PaymentEntry): Promise<void> => {
    if (entry.state === 'done') die('before-outcome')
    await table.put(key, entry)
    if (entry.state === 'done') die('after-outcome')
  },
}

const facilitator = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    if (request.url === '/settle') die('before-settlement')
    const init =
      request.method === 'POST' ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: Buffer.concat(chunks) } : {}
    const real = await fetch(sandbox.facilitatorUrl + request.url, init)
    const text = await real.text()
    if (request.url === '/settle') die('after-settlement')
    response.writeHead(real.status, { 'content-type': 'application/json' }).end(text)
  })
})
const { url: facilitatorUrl } = await startLocal(facilitator)

const { payTo, network, rpcUrl } = sandbox
const clock = { now: Date.now }
const gate = createGate({
  mode: 'sandbox',
  facilitatorUrl,
  payTo,
  network,
  rpcUrl,
  priceFactor: 1,
  book: new TableIdempotencyStore(watched, clock),
  log: new TableLog(tables.settlements),
  clock,
})
const app = new Koa()
const till = new HttpPayments(gate, 'http://shop.example')
const offer = { path: '/v1/{any}', priceMicroUsdc: 25_000, description: 'an answer that differs each time it is made' }
const produce = () => ({ status: 200, body: JSON.stringify({ made: `${process.pid}-${performance.now()}` }) })
app.use((ctx) => till.sell(ctx, { offer, precheck: () => null, produce }))
const { url } = await startLocal(createServer(app.callback()))
process.stdout.write(`${JSON.stringify({ url, walletFile: sandbox.walletFile })}\n`)
