// A proxy that dies, truncates, delays or repeats between settlement and answer. The long form is `npm run soak -- proxies`.
import { openShop, type Shop } from '../clients/shop.ts'
import { runTries } from './tries.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

test('each payment is charged once, and sent again it gets its answer', async () => {
  const seed = Math.floor(Math.random() * 1e9)
  const report = await runTries(shop, { tries: 40, atOnce: 20, seed, delayMs: 200 })
  expect(report).toMatchObject({ seed, broken: [], charges: 40, paidMicroUsdc: report.owedMicroUsdc })
  expect(report.unanswered).toBeGreaterThan(10)
})
