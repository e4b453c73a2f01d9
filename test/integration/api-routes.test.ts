// Which status each request gets, in which order it is checked, and which calls of the gate it causes.
import supertest from 'supertest'
import { questions } from '../../query-api/app/list/questions.ts'
import { EngineError } from '../../schemas/errors.ts'
import { LISTED } from '../fixtures/listed-routes.ts'
import { base58, key, liveState } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const MINT = base58(1)
const given = (changes: Parameters<typeof harness>[0] = {}) => {
  const api = harness(changes)
  api.view.put(key(1), liveState())
  return api
}

describe('the list', () => {
  test('has the contract’s prices and tools', () => {
    const facts = questions.map(({ path, tool, priceMicroUsdc }) => ({ path, tool, priceMicroUsdc }))
    expect(facts).toEqual(LISTED)
  })
  test('has exactly the paid questions that the gate offers', async () => {
    const { gate, get } = given()
    // Left out: the x402 lists of terms, each of which quotes all routes.
    for (const { path } of LISTED) if (!path.includes('x402')) await get(path.replace(/\/\{.*/, ''))
    const paid = LISTED.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0).map(({ path, priceMicroUsdc }) => [path, priceMicroUsdc])
    expect(gate.offers.map(({ path, priceMicroUsdc }) => [path, priceMicroUsdc])).toEqual(paid)
  })
})

describe.each(['sandbox', 'off'] as const)('bare probes with the gate %s', (mode) => {
  test.each(['/v1/mint', '/v1/mint/', '/v1/mint/{mint}', '/v1/mint/%7Bmint%7D'])('%s answers 402', async (path) => {
    const api = given({ mode })
    const { status, headers } = await api.get(path)
    expect(status).toBe(402)
    expect(headers['payment-required']).toBeDefined()
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(api.gate.calls).toEqual([{ kind: 'quoted', path: '/v1/mint/{mint}' }])
    expect(api.view.reads).toBe(0)
  })
})

describe('order of a paid question', () => {
  test('a bare path with a payment or a query is validated: 404, payment untouched', async () => {
    const api = given()
    for (const request of [api.paid('/v1/mint'), api.paid('/v1/mint/{mint}'), api.get('/v1/mint?x=1')]) {
      const { status, body } = await request
      expect(status).toBe(404)
      expect(body).toEqual({ ok: false, error: 'not_an_address', hint: expect.stringContaining('base58') })
    }
    expect(api.gate.calls).toEqual([])
  })
  test('refuses an invalid request before payment is required', async () => {
    const api = given()
    expect((await api.get('/v1/launches/recent?limit=0')).status).toBe(422)
    expect((await api.paid('/v1/launches/recent?limit=0')).status).toBe(422)
    expect((await api.paid('/v1/mint/notamint')).status).toBe(404)
    expect(api.gate.calls).toEqual([])
    expect(api.view.reads).toBe(0)
  })
  test('a valid request without payment is a 402, and reads only the shared example and whether the card of a mint would be thin', async () => {
    const api = given()
    await api.get('/llms.txt')
    const before = api.view.reads
    expect((await api.get(`/v1/mint/${MINT}`)).status).toBe(402)
    expect((await api.get('/v1/launches/recent')).status).toBe(402)
    expect(api.gate.calls.map(({ kind }) => kind)).toEqual(['asked', 'asked'])
    expect(api.view.reads).toBe(before + 1)
  })
  test('with payment is answered and settled once', async () => {
    const api = given()
    const { status, body, headers } = await api.paid(`/v1/mint/${MINT}`)
    expect(status).toBe(200)
    expect(body.data.mint).toBe(MINT)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(api.gate.calls).toEqual([{ kind: 'settled', path: '/v1/mint/{mint}' }])
  })
  test('while stores restore is refused unpaid; a payment reaches the gate, which may store its answer, and is released', async () => {
    const api = given()
    api.view.setStatus({ ready: false })
    for (const request of [api.paid(`/v1/mint/${MINT}`), api.get(`/v1/mint/${MINT}`), api.get('/v1/launches/recent')]) {
      const { status, body, headers } = await request
      expect(status).toBe(503)
      expect(body).toEqual({ ok: false, error: 'restoring', hint: expect.any(String), charged: false })
      expect(headers['retry-after']).toBe('5')
    }
    expect(api.gate.calls).toEqual([{ kind: 'let go', path: '/v1/mint/{mint}' }])
  })
  test('is checked again after the payment is verified: if it has become impossible, the payment is released', async () => {
    const api = given()
    let looks = 0
    const status = api.view.status.bind(api.view)
    api.view.status = () => {
      looks += 1
      return { ...status(), ready: looks === 1 }
    }
    expect((await api.paid(`/v1/mint/${MINT}`)).status).toBe(503)
    expect(api.gate.calls).toEqual([{ kind: 'let go', path: '/v1/mint/{mint}' }])
  })
  test('with payments off is answered at once and costs nothing', async () => {
    const api = given({ mode: 'off' })
    const { status, body } = await api.get(`/v1/mint/${MINT}`)
    expect(status).toBe(200)
    expect(body.meta.price_usd).toBe(0)
    expect((await api.get('/v1/launches/recent')).status).toBe(200)
  })
})

describe('invalid addresses', () => {
  const bad = [
    'abc',
    MINT.slice(0, 31),
    'z'.repeat(44),
    `${MINT}111`,
    `0${MINT.slice(1)}`,
    'A'.repeat(300),
    '%zz',
    '%00',
    '%E2%80%AE',
    `${MINT}%2F`,
    `%20${MINT}`,
    '..%2f..%2fetc%2fpasswd',
    '11111111111111111111111111111111111111111111',
  ]
  test.each(bad)('%s is a 404 with a hint, and echoes nothing', async (text) => {
    const api = given()
    const { status, body } = await api.paid(`/v1/mint/${text}`)
    expect(status).toBe(404)
    expect(body).toEqual({
      ok: false,
      error: 'not_an_address',
      hint: '/v1/mint/{mint} needs a base58 token address of 32 bytes (32 to 44 characters, without 0, O, I and l)',
    })
  })
  test('a percent-encoded address is the address', async () => {
    const encoded = [...MINT].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
    const { status, body } = await given().paid(`/v1/mint/${encoded}`)
    expect(status).toBe(200)
    expect(body.data.mint).toBe(MINT)
  })
  test('32 zero bytes are an address', async () => {
    expect((await given().paid(`/v1/mint/${'1'.repeat(32)}`)).status).toBe(200)
  })
})

describe('paths and methods', () => {
  test.each([
    ['/helth', '/health'],
    ['/v1/launches', '/v1/launches/recent'],
    [`/mint/${MINT}`, '/v1/mint/{mint}'],
    ['/V1/labels', '/v1/labels'],
  ])('%s is unknown and suggests %s', async (path, near) => {
    const { status, body } = await given().get(path)
    expect(status).toBe(404)
    expect(body).toEqual({ ok: false, error: 'unknown_path', hint: `did you mean ${near}? GET / lists all routes` })
  })
  test('a path near no route suggests the index', async () => {
    const { status, body } = await given().get('/wp-admin/setup-config.php')
    expect(status).toBe(404)
    expect(body.hint).toBe('GET / lists all routes')
  })
  test.each(['post', 'put', 'delete', 'patch'] as const)('%s is a 405 with Allow', async (method) => {
    const api = given()
    for (const path of ['/health', `/v1/mint/${MINT}`, '/v1/mint']) {
      const { status, body, headers } = await supertest(api.app.callback())[method](path)
      expect(status).toBe(405)
      expect(headers.allow).toBe('GET, HEAD, OPTIONS')
      expect(body).toMatchObject({ ok: false, error: 'method_not_allowed' })
    }
    expect(api.gate.calls.every(({ kind }) => kind !== 'settled')).toBe(true)
  })
  test('a path longer than any question is a 414', async () => {
    const { status, body } = await given().get(`/health?x=${'y'.repeat(5_000)}`)
    expect(status).toBe(414)
    expect(body).toMatchObject({ ok: false, error: 'url_too_long' })
  })
  test('a large body is a 413; a tiny one is ignored', async () => {
    const api = given()
    expect((await api.get('/health').send('x'.repeat(2_000))).status).toBe(413)
    expect((await api.get('/health').send('{}')).status).toBe(200)
  })
})

describe('HEAD', () => {
  test.each(['/', '/health', '/v1/labels'])('%s answers as GET without a body', async (path) => {
    const api = given()
    const { status, headers, text } = await api.head(path)
    expect(status).toBe(200)
    expect(text ?? '').toBe('')
    expect(headers['content-length']).toBe((await api.get(path)).headers['content-length'])
  })
  test('of a paid question quotes, even with a payment, and runs nothing', async () => {
    const api = given()
    await api.get('/llms.txt')
    const before = api.view.reads
    expect((await api.head(`/v1/mint/${MINT}`).set('payment-signature', 'paid')).status).toBe(402)
    expect((await api.head('/v1/launches/recent').set('payment-signature', 'paid')).status).toBe(402)
    expect(api.gate.calls.map(({ kind }) => kind)).toEqual(['asked', 'asked'])
    expect(api.view.reads).toBe(before + 1)
  })
  test('of a paid question with payments off is a 200 that runs nothing', async () => {
    const api = given({ mode: 'off' })
    expect((await api.head(`/v1/mint/${MINT}`)).status).toBe(200)
    expect(api.view.reads).toBe(0)
  })
  test('of an invalid paid question is the refusal', async () => {
    expect((await given().head('/v1/mint/nope')).status).toBe(404)
    expect((await given().head('/v1/launches/recent?limit=x')).status).toBe(422)
  })
})

describe('failures', () => {
  const failing = (error: Error) => {
    const api = given()
    api.view.get = () => {
      throw error
    }
    return api
  }
  test('a bug is a 500 that leaks nothing; the cause is logged under the same id', async () => {
    const api = failing(new Error('secret detail'))
    const { status, body, headers, text } = await api.paid(`/v1/mint/${MINT}`)
    expect(status).toBe(500)
    const fault = { error: 'internal_error', hint: expect.any(String), charged: false, request_id: headers['x-request-id'] }
    expect(body).toEqual({ ok: false, ...fault })
    expect(text).not.toMatch(/secret|\.ts|at /)
    expect(api.log).toEqual([
      {
        level: 'error',
        facts: expect.objectContaining({ requestId: body.request_id, err: expect.objectContaining({ message: 'secret detail' }) }),
        sentence: 'request failed: a bug',
      },
    ])
    expect(api.gate.calls).toEqual([])
  })
  test('an external failure is a 503 with Retry-After', async () => {
    const api = failing(new EngineError('log_io', 'disk /dev/secret is gone', { retriable: true }))
    const { status, body, headers, text } = await api.paid(`/v1/mint/${MINT}`)
    expect(status).toBe(503)
    expect(body).toMatchObject({ ok: false, error: 'unavailable', charged: false })
    expect(headers['retry-after']).toBe('5')
    expect(text).not.toContain('secret')
  })
})
