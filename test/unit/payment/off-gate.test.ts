import Koa from 'koa'
import request from 'supertest'
import { HttpPayments } from '../../../query-api/http/http-payments.ts'
import { offGate } from '../../../query-api/payment/off-gate.ts'
import { requirementsOf, usdcOf } from '../../../query-api/payment/terms.ts'

const offer = { path: '/v1/mint/{mint}', priceMicroUsdc: 25_000, description: 'a card' }

test('payments off: a paid route is served, and a route without parameters lists no terms', async () => {
  const gate = offGate()
  const app = new Koa()
  const till = new HttpPayments(gate, 'http://shop.example')
  app.use((ctx) =>
    ctx.path === '/v1/mint'
      ? till.quote(ctx, { offer })
      : till.sell(ctx, { offer, precheck: () => null, produce: () => ({ status: 200, body: '{"card":1}' }) }),
  )
  await request(app.callback()).get('/v1/mint/x').expect(200, { card: 1 })
  const bare = await request(app.callback()).get('/v1/mint').expect(402)
  expect(bare.body).toMatchObject({ x402Version: 2, accepts: [], error: expect.stringContaining('off') })
  expect(gate.mode).toBe('off')
  await gate.close(0)
})

test('a price is a whole number of micro-USDC, at least one, for any factor', () => {
  const seller = { payTo: 'p', network: 'solana:x', asset: 'a' } as const
  const amount = (priceFactor: number): string => requirementsOf({ ...seller, priceFactor }, 25_000, { feePayer: 'f' }).amount
  expect([amount(1), amount(0.5), amount(0.33333), amount(0.0000001), amount(3)]).toEqual(['25000', '12500', '8333', '1', '75000'])
  expect(usdcOf('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')).toBe('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
  expect(usdcOf('eip155:8453')).toBeUndefined()
})
