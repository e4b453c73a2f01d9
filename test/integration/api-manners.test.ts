// HTTP behaviour of answers: ids, CORS, compression, validators, and the content of each refusal.
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { serve } from '../../query-api/http/server.ts'
import { EngineError } from '../../schemas/errors.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { base58, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const MINT = `/v1/mint/${base58(1)}`
const given = (changes: Parameters<typeof harness>[0] = {}) => {
  const api = harness({ history: new SetHistory(), ...changes })
  for (let byte = 1; byte <= 40; byte++) api.view.put(key(byte), liveState({ launch: launchRow({ at: NOW_S - 400 - byte }) }))
  return api
}

describe('request ids', () => {
  test('a valid one is kept, on answers and refusals', async () => {
    for (const path of ['/health', '/nowhere', MINT])
      expect((await given().get(path).set('X-Request-Id', 'abc-12345.6:7_8')).headers['x-request-id']).toBe('abc-12345.6:7_8')
  })
  test.each(['short', 'x'.repeat(200), 'has spaces in it', 'semi;colon-and-more'])('%j is replaced', async (sent) => {
    const { headers } = await given().get('/health').set('X-Request-Id', sent)
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
  test('a fault has it in its body and in the log', async () => {
    const api = given()
    api.view.get = () => {
      throw new EngineError('log_io', 'gone')
    }
    const { status, body, headers } = await api.paid(MINT).set('X-Request-Id', 'mine-12345')
    expect([status, body.request_id, headers['retry-after']]).toEqual([503, 'mine-12345', '5'])
    expect(api.log).toMatchObject([{ level: 'error', facts: { requestId: 'mine-12345' } }])
  })
})

describe('CORS', () => {
  test('exposes every answer, with the headers of payments and limits', async () => {
    for (const path of ['/health', MINT, '/nowhere', '/v1/launches/recent?limit=0']) {
      const { headers } = await given().get(path).set('Origin', 'https://shop.example')
      expect(headers['access-control-allow-origin']).toBe('*')
      const exposed = (headers['access-control-expose-headers'] ?? '').split(',')
      expect(exposed).toEqual(expect.arrayContaining(['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Retry-After', 'X-Request-Id', 'ETag']))
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
  })
  test('a preflight lets a payment through, and settles and counts nothing', async () => {
    const api = given()
    const { status, headers } = await api
      .options(MINT)
      .set('Origin', 'https://shop.example')
      .set('Access-Control-Request-Method', 'GET')
      // As @x402/fetch and @x402/axios request it: they send an answer's header along.
      .set('Access-Control-Request-Headers', 'access-control-expose-headers,payment-signature')
    expect(status).toBe(204)
    const allowed = headers['access-control-allow-headers']?.toLowerCase().split(',')
    expect(allowed).toEqual(expect.arrayContaining(['payment-signature', 'access-control-expose-headers']))
    expect(headers['access-control-allow-methods']).toBe('GET,HEAD,POST')
    expect(headers['access-control-max-age']).toBe('600')
    expect(api.gate.calls).toEqual([])
  })
})

test.each(['/health', '/v1/labels', MINT, '/page/page.css', '/v1/stream/flags', '/ready'])(
  'POST %s is a 405 that names the allowed methods',
  async (path) => {
    const { status, headers, body } = await given().post(path)
    expect([status, headers.allow, body.error]).toEqual([405, 'GET, HEAD, OPTIONS', 'method_not_allowed'])
  },
)

describe('compression', () => {
  const encodingOf = async (path: string, accepted: string) => (await given().paid(path).set('Accept-Encoding', accepted)).headers
  test.each(['gzip', 'br', 'deflate'])('a long list is sent as %s, with Vary', async (encoding) => {
    const headers = await encodingOf('/v1/launches/recent?limit=40', encoding)
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers.vary).toMatch(/Accept-Encoding/)
  })
  test('a small answer, and one to a client that accepts no encoding, are sent uncompressed', async () => {
    expect((await encodingOf('/health', 'gzip'))['content-encoding']).toBeUndefined()
    expect((await encodingOf('/v1/launches/recent?limit=40', 'identity'))['content-encoding']).toBeUndefined()
  })
  test('decompresses to the uncompressed answer', async () => {
    const serving = await serve(given().app, { host: '127.0.0.1', port: 0 })
    const options = { headers: { 'payment-signature': 'paid', 'accept-encoding': 'gzip' } }
    const packed = await new Promise<Buffer>((resolve, reject) => {
      request(`${serving.url}/v1/launches/recent?limit=40`, options, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
        resolve(Buffer.concat(chunks))
      })
        .on('error', reject)
        .end()
    })
    const body = JSON.parse(gunzipSync(packed).toString('utf8')) as { readonly data: { readonly count: number } }
    expect(body.data.count).toBe(40)
    await serving.close(1_000)
  })
})

describe('validators', () => {
  test.each(['/page/page.css', '/page/page.js', '/v1/labels'])(
    '%s has a tag, and a request with it gets 304 without a body',
    async (path) => {
      const api = given()
      const { headers, text } = await api.get(path)
      expect(headers.etag).toMatch(/^W\/"[\w-]{22}"$/)
      expect(text.length).toBeGreaterThan(100)
      const again = await api.get(path).set('If-None-Match', headers.etag ?? '')
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag])
      expect((await api.get(path).set('If-None-Match', 'W/"another"')).status).toBe(200)
    },
  )
  test('a changing answer has none', async () => {
    for (const path of ['/health', '/v1/market/regime', '/v1/sample/mint']) expect((await given().get(path)).headers.etag).toBeUndefined()
    expect((await given().paid(MINT)).headers.etag).toBeUndefined()
  })
})

describe('safety', () => {
  test('the headers forbid scripts, frames and referrers', async () => {
    for (const path of ['/health', MINT, '/nowhere']) {
      const { headers } = await given().get(path)
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
    }
  })
  test('pages run only our own files, cannot be framed and request no browser permission', async () => {
    const { headers } = await given().get('/').set('Accept', 'text/html')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';.* frame-ancestors 'none'$/,
    )
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['permissions-policy']).toMatch(/camera=\(\), geolocation=\(\)/)
    expect(headers['referrer-policy']).toBe('no-referrer')
  })
})

describe('a process that stops', () => {
  test('answers 503 on /ready at once, with Retry-After', async () => {
    const stopping = new AbortController()
    const api = given({ around: { stopping: stopping.signal } })
    expect((await api.get('/ready')).status).toBe(200)
    stopping.abort()
    const { status, body, headers } = await api.get('/ready')
    expect([status, body.error, headers['retry-after']]).toEqual([503, 'stopping', '5'])
    expect((await api.get('/health')).status).toBe(200)
  })
})

test('has Retry-After on every 503', async () => {
  const api = given()
  api.view.setStatus({ ready: false })
  for (const path of ['/health', '/ready', MINT, '/v1/stream/flags']) {
    const { status, headers } = await api.get(path)
    expect([path, status, Number(headers['retry-after']) > 0]).toEqual([path, 503, true])
  }
})
