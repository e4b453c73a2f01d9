// quote_rps: 402 responses a second for the mint card at full load, with terms from a facilitator that is called once, at the start.
import { createServer } from 'node:http'
import { createGate } from '../../query-api/payment/create-gate.ts'
import type { PaymentEntry } from '../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../topology/data-dir/memory-table.ts'
import { startLocal } from '../tools/local-server.ts'
import type { Bench } from './bench.ts'
import { CONNECTIONS, serveCards } from './card-server.ts'
import { load } from './load.ts'

const NETWORK = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
/** Arbitrary: nothing is paid. */
const ADDRESS = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
const SUPPORTED = JSON.stringify({
  kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK, extra: { feePayer: ADDRESS } }],
  extensions: [],
  signers: {},
})
const PAYMENT_REQUIRED = 402

export const bench: Bench = {
  name: 'quote_rps',
  unit: 'requests/s',
  run: async () => {
    const facilitator = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(SUPPORTED))
    const { url: facilitatorUrl, close } = await startLocal(facilitator)
    const clock = { now: Date.now }
    const stores = {
      book: new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock),
      log: new TableLog(createMemoryTable<SettlementLine>()),
    }
    const gate = createGate({ ...stores, mode: 'facilitator', facilitatorUrl, payTo: ADDRESS, network: NETWORK, priceFactor: 1, clock })
    const { serving, url } = await serveCards(gate)
    const options = { url, connections: CONNECTIONS, status: PAYMENT_REQUIRED }
    await load({ ...options, seconds: 2 })
    const result = await load({ ...options, seconds: 8 })
    await serving.close(1_000)
    await gate.close(1_000)
    await close()
    return { value: result.rps, detail: { ...result, connections: CONNECTIONS } }
  },
}
