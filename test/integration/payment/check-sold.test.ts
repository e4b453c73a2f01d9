// Compact checks behind the real gate, over the sandbox: what is charged, what a retry returns, and ages as of sending.
import { createServer } from 'node:http'
import { createGate } from '../../../query-api/payment/create-gate.ts'
import type { PaymentGate } from '../../../query-api/payment/gate.ts'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'
import { key, liveState } from '../../unit/query-api/given-mint.ts'
import { given, MINT, OTHER, SOLD } from '../check-given.ts'
import { send, startWorld, type World } from './world.ts'

let world: World
let gate: PaymentGate
let api: ReturnType<typeof given>
let url = ''
let server: LocalServer
const time = { nowMs: Date.now() }

beforeAll(async () => {
  world = await startWorld()
  const { payTo, network, rpcUrl } = world.sandbox
  const clock = { now: () => time.nowMs }
  const kept = {
    book: new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock),
    log: new TableLog(createMemoryTable<SettlementLine>()),
  }
  gate = createGate({ mode: 'sandbox', facilitatorUrl: world.facilitator.url, payTo, network, rpcUrl, priceFactor: 1, clock, ...kept })
  api = given({ till: gate, sandbox: true })
  server = await startLocal(createServer(api.app.callback()))
  url = server.url
})
afterAll(async () => {
  await server.close()
  await gate.close(1_000)
  await world.close()
})

const bodyOf = async (response: Response, status = 200) => {
  const body = (await response.json()) as {
    data: Record<string, unknown>
    meta: Record<string, unknown>
    error?: string
    charged?: unknown
  }
  expect([response.status, body.error]).toEqual([status, body.error])
  return body
}

test('a check is sold once; the same payment returns the same result, with its current age', async () => {
  const path = `${url}/v1/check/mint/${MINT}`
  const before = await world.spentMicroUsdc()
  const header = await world.signed(path)
  api.time.nowMs += 500
  time.nowMs = api.time.nowMs
  const first = await bodyOf(await send(path, header))
  expect(first.meta).toMatchObject({ price_usd: 0.005, replayed: false, result_age_s: 0, feed_lag_at_generation_s: 0.5, feed_lag_s: 0.5 })
  time.nowMs = api.time.nowMs += 4_500
  const again = await bodyOf(await send(path, header))
  expect(again.data).toEqual(first.data)
  expect(again.meta).toMatchObject({ replayed: true, result_age_s: 4.5, feed_lag_at_generation_s: 0.5, feed_lag_s: 5, is_stale: false })
  time.nowMs = api.time.nowMs += 1
  expect((await bodyOf(await send(path, header))).meta).toMatchObject({ replayed: true, is_stale: true })
  expect((await world.spentMicroUsdc()) - before).toBe(5_000)
})

test('an unchanged result is unpaid though a payment was sent, and that payment then buys what is new', async () => {
  api.time.nowMs = time.nowMs
  api.view.setStatus({ folded: { number: 1_200, time: Math.floor(time.nowMs / 1_000) } })
  const before = await world.spentMicroUsdc()
  const watch = await bodyOf(await fetch(`${url}/v1/check/watch?mints=${MINT},${OTHER}`))
  const path = `${url}/v1/check/watchlist?mints=${OTHER},${MINT}&cursor=${watch.data.cursor}`
  const header = await world.signed(`${url}/v1/check/watchlist?mints=${OTHER},${MINT}`)
  expect((await bodyOf(await send(path, header))).data).toMatchObject({ status: 'no_new_events', charged: false })
  expect(await world.spentMicroUsdc()).toBe(before)
  api.view.put(key(2), liveState({ flags: [SOLD] }))
  const sold = await bodyOf(await send(path, header))
  expect(sold.data).toMatchObject({ status: 'flags_observed', count: 2 })
  expect((await world.spentMicroUsdc()) - before).toBe(10_000)
  expect((await bodyOf(await send(path, header))).data).toEqual(sold.data)
  expect(await bodyOf(await send(`${url}/v1/check/watchlist?mints=${OTHER}`, header), 409)).toMatchObject({ charged: false })
  expect((await world.spentMicroUsdc()) - before).toBe(10_000)
})

test('a refusal leaves the payment usable', async () => {
  const path = `${url}/v1/check/mint/${MINT}`
  const header = await world.signed(path)
  const before = await world.spentMicroUsdc()
  const { folded } = api.view.status()
  api.view.setStatus({ folded: { number: 1_200, time: (folded?.time ?? 0) - 6 } })
  expect(await bodyOf(await send(path, header), 503)).toMatchObject({ error: 'feed_stale', charged: false })
  expect(await bodyOf(await send(`${path}?cursor=forged`, header), 400)).toMatchObject({ error: 'invalid_cursor', charged: false })
  expect(await world.spentMicroUsdc()).toBe(before)
  api.view.setStatus({ folded })
  await bodyOf(await send(path, header))
  expect((await world.spentMicroUsdc()) - before).toBe(5_000)
})
