// A 402 body is assembled from memoized parts, and always equals JSON.stringify.
import Koa from 'koa'
import request from 'supertest'
import { HttpPayments } from '../../../query-api/http/http-payments.ts'
import type { PaymentGate, TermsOffered } from '../../../query-api/payment/gate.ts'
import { offGate } from '../../../query-api/payment/off-gate.ts'

const lasting = Object.freeze({ info: { 'a "name"': 'é\n\u2028' }, schema: { type: 'object' } })

const bodyOf = (n: number): TermsOffered['body'] => ({
  x402Version: 2,
  error: 'Payment "required"',
  resource: { url: `http://shop.example/${n}?a="b"`, description: 'ü', mimeType: 'application/json' },
  accepts: [
    { scheme: 'exact', network: 'solana:x', asset: 'a', amount: String(n), payTo: 'p', maxTimeoutSeconds: 60, extra: { feePayer: 'f' } },
  ],
  extensions: {
    lasting,
    'with a "frozen" part': { info: { n, left: undefined, list: [n, null] }, schema: Object.freeze({ of: ['it'] }), more: n },
    plain: { n, deep: { deeper: { n } } },
    list: [lasting, n],
    text: 'x',
    nothing: null,
    absent: undefined,
  },
})

test('a 402 has the same body and header, with and without frozen parts, first and later', async () => {
  let n = 0
  const gate: PaymentGate = { ...offGate(), quote: () => Promise.resolve({ kind: 'asked', body: bodyOf(n) }) }
  const app = new Koa()
  const till = new HttpPayments(gate, 'http://shop.example')
  app.use((ctx) => till.quote(ctx, { offer: { path: '/', priceMicroUsdc: 1, description: '' } }))
  for (; n < 3; n++) {
    const { headers, text } = await request(app.callback()).get('/').expect(402)
    expect(text).toBe(JSON.stringify(bodyOf(n)))
    expect(Buffer.from(headers['payment-required'] ?? '', 'base64').toString()).toBe(text)
  }
})
