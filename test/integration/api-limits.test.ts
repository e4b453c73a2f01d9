// Rate limits: callers are refused early, with a retry time, and never once money has moved.
import Koa from 'koa'
import { TrustedProxies } from '../../query-api/http/caller-address.ts'
import { Rates } from '../../query-api/http/rates.ts'
import { serve } from '../../query-api/http/server.ts'
import { IN_FLIGHT_PER_CALLER_MAX, inFlight } from '../../query-api/middleware/in-flight.ts'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import { base58, key, liveState } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const MINT = `/v1/mint/${base58(1)}`
const HERE = { host: '127.0.0.1', port: 0 }
const PROXIES = new TrustedProxies(['127.0.0.0/8', '::1'])

const given = (perMinute: number) => {
  const limited: string[] = []
  const observer: ApiObserver = { request: () => {}, sale: () => {}, streams: () => {}, limited: (by) => limited.push(by) }
  const rates = new Rates({ perMinute, paidPerMinute: 100 })
  const api = harness({ around: { rates, observer, proxies: PROXIES } })
  api.view.put(key(1), liveState({}))
  return { ...api, limited }
}

describe('requests a minute', () => {
  test('above the limit is a 429 in the contract’s shape with Retry-After; other callers go on', async () => {
    const api = given(2)
    for (const expected of [200, 200, 429]) expect((await api.get('/health').set('X-Forwarded-For', '203.0.113.1')).status).toBe(expected)
    const { body, headers } = await api.get(MINT).set('X-Forwarded-For', '203.0.113.1')
    expect(body).toEqual({ ok: false, error: 'rate_limited', hint: expect.stringContaining('2 requests per minute'), charged: false })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(api.gate.calls).toEqual([])
    expect((await api.get('/health').set('X-Forwarded-For', '203.0.113.2')).status).toBe(200)
    expect(api.limited).toEqual(['caller', 'caller'])
  })
  test('a retry of a known payment is owed its answer: it passes, and is counted separately', async () => {
    const api = given(1)
    for (let n = 0; n < 5; n++) expect((await api.get(MINT).set('payment-signature', 'known')).status).not.toBe(429)
    expect((await api.paid(MINT)).status).toBe(200)
    expect((await api.paid(MINT)).status).toBe(429)
    expect((await api.get(MINT).set('payment-signature', 'known')).status).not.toBe(429)
  })
  test('anybody can replay a known payment: retries have a limit of their own, whose refusal does not reveal the charge', async () => {
    const api = harness({ around: { rates: new Rates({ perMinute: 1, paidPerMinute: 1, retriesPerMinute: 3 }), proxies: PROXIES } })
    api.view.put(key(1), liveState({}))
    const retry = () => api.get(MINT).set('payment-signature', 'known')
    for (let n = 0; n < 3; n++) expect((await retry()).status).not.toBe(429)
    const { status, body, headers } = await retry()
    expect([status, body]).toEqual([429, expect.objectContaining({ error: 'rate_limited', charged: null })])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await api.get('/health')).status).toBe(200)
  })
  test('also limit MCP, whose payments are in the message: a call with a known payment passes and is counted separately', async () => {
    const api = given(1)
    const call = (payment: unknown) => {
      const params = { name: 'mint_risk_card', arguments: { mint: base58(1) }, _meta: { 'x402/payment': payment } }
      const headers = { 'payment-signature': 'known', 'mcp-protocol-version': '2025-11-25' }
      return api.post('/mcp').set(headers).send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    }
    for (let n = 0; n < 5; n++) expect((await call('known')).status).toBe(200)
    expect((await call('paid')).body.result).toMatchObject({ structuredContent: { ok: true } })
    const { status, body } = await call('paid')
    expect([status, body]).toEqual([429, expect.objectContaining({ error: 'rate_limited', charged: false })])
    expect((await api.post('/mcp').set('content-encoding', 'gzip').send('x')).status).toBe(429)
    expect((await call('known')).status).toBe(200)
    expect(api.limited).toEqual(['caller', 'caller'])
  })
  test('do not apply to /ready, which load balancers poll', async () => {
    const api = given(1)
    for (let n = 0; n < 5; n++) expect((await api.get('/ready')).status).toBe(200)
  })
  test('the page, unknown paths and invalid requests count too', async () => {
    const api = given(3)
    for (const path of ['/', '/nowhere', '/v1/launches/recent?limit=0']) expect((await api.get(path)).status).not.toBe(429)
    expect((await api.get('/page/page.css')).status).toBe(429)
  })
  test('/v1/labels states the limits', async () => {
    const { body } = await given(77).get('/v1/labels')
    expect(body.data.limits).toMatchObject({ requests_per_minute: 77, payments_per_minute: 100, url_chars: 4096, header_bytes: 16_384 })
  })
})

describe('requests at a time', () => {
  test('above the limit of one caller is a 429, and other callers are answered', async () => {
    const app = new Koa()
    const gates: (() => void)[] = []
    app.use((ctx, next) => {
      ctx.request.ip = ctx.get('x-caller')
      return next()
    })
    app.use(inFlight({ request: () => {}, sale: () => {}, streams: () => {}, limited: () => {} }))
    app.use(async (ctx) => {
      if (ctx.path === '/wait') await new Promise<void>((resolve) => gates.push(resolve))
      ctx.body = 'done'
    })
    const serving = await serve(app, { ...HERE, connectionsPerAddressMax: 1_000 })
    const ask = (path: string, caller: string, more: Record<string, string> = {}) =>
      fetch(serving.url + path, { headers: { 'x-caller': caller, ...more } })
    const waiting = Array.from({ length: IN_FLIGHT_PER_CALLER_MAX }, () => ask('/wait', '192.0.2.1'))
    while (gates.length < IN_FLIGHT_PER_CALLER_MAX) await new Promise((resolve) => setTimeout(resolve, 10))
    const refused = await ask('/now', '192.0.2.1')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await refused.json()).toMatchObject({ error: 'rate_limited', charged: false })
    const unread = await ask('/now', '192.0.2.1', { 'payment-signature': 'perhaps settled before' })
    expect([unread.status, await unread.json()]).toEqual([429, expect.objectContaining({ charged: null })])
    expect((await ask('/now', '192.0.2.2')).status).toBe(200)
    for (const open of gates) open()
    await Promise.all(waiting)
    expect((await ask('/now', '192.0.2.1')).status).toBe(200)
    await serving.close(1_000)
  })
  test('from three quarters of all on, only callers without one are answered, so that eight addresses cannot take all', async () => {
    const observer = { request: () => {}, sale: () => {}, streams: () => {}, limited: () => {} }
    const counted = inFlight(observer)
    const never = new Promise<void>(() => {})
    const ask = (ip: string): { status?: number } => {
      const ctx: { status?: number; readonly [part: string]: unknown } = {
        ip,
        path: '/v1/mint',
        req: { headers: {} },
        res: { setHeader: () => {} },
      }
      void counted(ctx as never, () => never)
      return ctx
    }
    const floods = Array.from({ length: 8 }, (_, n) => Array.from({ length: IN_FLIGHT_PER_CALLER_MAX }, () => ask(`198.51.100.${n}`)))
    expect(floods.map((asked) => asked.filter(({ status }) => status === 503).length)).toEqual([0, 0, 0, 0, 0, 0, 255, 255])
    expect(ask('203.0.113.1').status).toBeUndefined()
    expect(ask('203.0.113.1').status).toBe(503)
    const network = Array.from({ length: 40 }, (_, n) => ask(`2001:db8:1:${n.toString(16)}:0:0:0:1`))
    expect(network.filter(({ status }) => status !== undefined)).toHaveLength(0)
  })
})

describe('the payer', () => {
  test('the address of a payment’s caller is taken from X-Forwarded-For only if a trusted proxy sends it', async () => {
    const addresses: string[] = []
    const direct = harness()
    const behind = harness({ around: { proxies: PROXIES } })
    for (const api of [direct, behind]) {
      const { sell } = api.gate
      api.gate.sell = (sale) => {
        addresses.push(sale.callerAddress)
        return sell.call(api.gate, sale)
      }
      await api.paid(MINT).set('X-Forwarded-For', '203.0.113.9')
    }
    expect(addresses).toEqual(['127.0.0.1', '203.0.113.9'])
  })
})
