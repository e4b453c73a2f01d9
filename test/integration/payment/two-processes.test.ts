// Two processes that sell together: both return a payer's answer.
import { setTimeout as pause } from 'node:timers/promises'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { PRICE_MICRO_USDC, type Shop, send, startWorld, type World } from './world.ts'

const STEP_MS = 20

let world: World
let shops: readonly [Shop, Shop]
beforeAll(async () => {
  world = await startWorld()
  const book = new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), { now: Date.now })
  shops = [await world.open({ book }), await world.open({ book })]
})
afterAll(() => world.close())

test('a payment that the other process tries for another request is refused there, and its copy still gets what was bought', async () => {
  const [one, other] = shops
  const before = await world.spentMicroUsdc()
  const header = await world.signed(`${one.url}/v1/bought`)
  world.facilitator.fault = 'slow'
  const bought = send(`${one.url}/v1/bought`, header)
  await pause(STEP_MS)
  const tried = send(`${other.url}/v1/tried`, header)
  await pause(STEP_MS)
  const copy = send(`${other.url}/v1/bought`, header)
  const replies = await Promise.all([bought, tried, copy])
  expect(replies.map(({ status }) => status)).toEqual([200, 409, 200])
  expect(await replies[2].text()).toBe(await replies[0].text())
  expect(await replies[1].json()).toMatchObject({ error: 'payment_already_used', charged: false })
  expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
})
