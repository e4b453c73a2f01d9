// Requests as clients and proxies send them: other methods, versions and framings of HTTP, and the header of x402 version 1.
import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { type Serving, serve } from '../../query-api/http/server.ts'
import { BODY_BYTES_MAX } from '../../query-api/middleware/limits.ts'
import { MCP_BODY_BYTES_MAX } from '../../query-api/questions/limits.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { LISTED } from '../fixtures/listed-routes.ts'
import { type AskOptions, ask } from '../tools/ask.ts'
import { base58, key, liveState } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const MINT = `/v1/mint/${base58(1)}`
const api = harness({ history: new SetHistory() })
api.view.put(key(1), liveState())
let serving: Serving
beforeAll(async () => {
  serving = await serve(api.app, { host: '127.0.0.1', port: 0 })
})
afterAll(() => serving.close(1_000))
beforeEach(() => void api.gate.calls.splice(0))

const PAID = { 'payment-signature': 'paid' }
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const post = async (body: Buffer | string, headers: Record<string, string> = {}) => {
  const options: AskOptions = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
  return ask(`${serving.url}/mcp`, options)
}
const chunked = { 'transfer-encoding': 'chunked' }

/** Sends raw bytes, and returns everything until the server ends the connection. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(serving.url).port), '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8').on('data', (data: string) => {
      answer += data
    })
    socket.on('close', () => resolve(answer)).on('error', reject)
  })

describe('an x402 version 1 client', () => {
  const sent = Buffer.from(JSON.stringify({ x402Version: 1, scheme: 'exact', network: 'solana', payload: {} })).toString('base64')
  test.each([MINT, '/v1/launches/recent', '/v1/mint'])('learns at %s what to send instead', async (path) => {
    const { status, body } = await api.get(path).set('X-PAYMENT', sent)
    expect([status, body]).toEqual([
      400,
      { ok: false, error: 'payment_version_unsupported', hint: expect.stringMatching(/PAYMENT-SIGNATURE.*X-PAYMENT/), charged: false },
    ])
  })
  test('that also sends the header of version 2 is served', async () => {
    expect((await api.paid(MINT).set('X-PAYMENT', sent)).status).toBe(200)
  })
})

describe.each(LISTED.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0))('$path', ({ path }) => {
  const url = path.replaceAll(/\{\w+\}/g, '').replace(/\/$/, '')
  test('HEAD has the headers of the 402, and no body', async () => {
    const [head, get] = [await api.head(url), await api.get(url)]
    expect([head.status, head.text]).toEqual([get.status, undefined])
    expect(Object.keys(head.headers).sort()).toEqual(Object.keys(get.headers).sort())
  })
  test('OPTIONS names the methods', async () => {
    const { status, headers } = await api.options(url)
    expect([status, headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })
})

describe('Expect: 100-continue', () => {
  test.each([
    ['a paid request', `GET ${MINT} HTTP/1.1\r\nPAYMENT-SIGNATURE: paid\r\n`, ''],
    ['an MCP message', `POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${LIST.length}\r\n`, LIST],
  ])('%s is answered', async (_what, head, body) => {
    expect(await raw(`${head}Host: 127.0.0.1\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n${body}`)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /,
    )
  })
})

describe('HTTP/1.0 without a Host', () => {
  test.each([
    ['a request without payment', `GET ${MINT} HTTP/1.0\r\n\r\n`, 402],
    ['a paid request', `GET ${MINT} HTTP/1.0\r\nPAYMENT-SIGNATURE: paid\r\n\r\n`, 200],
    ['an MCP message', `POST /mcp HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: ${LIST.length}\r\n\r\n${LIST}`, 200],
  ])('%s is answered in one piece', async (_what, request, status) => {
    const answer = await raw(request)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).not.toMatch(/transfer-encoding/i)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toBeInstanceOf(Object)
  })
})

describe('chunked requests', () => {
  test('an MCP message is read', async () => {
    expect((await post(LIST, chunked)).status).toBe(200)
  })
  test.each([
    ['', 200],
    ['{}', 200],
    ['x'.repeat(BODY_BYTES_MAX + 1), 413],
  ])('a body of a route is ignored up to its limit', async (body, status) => {
    expect((await ask(serving.url + MINT, { headers: { ...PAID, ...chunked }, body })).status).toBe(status)
    expect(api.gate.calls).toHaveLength(status === 200 ? 1 : 0)
  })
})

describe('compressed requests', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('an MCP message is read as %s', async (encoding, pack) => {
    expect((await post(pack(LIST), { 'content-encoding': encoding })).status).toBe(200)
  })
  test('one that is too large uncompressed is refused', async () => {
    expect((await post(gzipSync(' '.repeat(MCP_BODY_BYTES_MAX + 1)), { 'content-encoding': 'gzip' })).status).toBe(413)
  })
  test('a text as the message is no message, whatever it says', async () => {
    expect((await post(Buffer.from('"too large"'))).status).toBe(400)
  })
  test('one that is not what it claims to be is refused', async () => {
    expect((await post(LIST, { 'content-encoding': 'gzip' })).status).toBe(400)
  })
  test('another encoding is refused with those that are accepted', async () => {
    const { status, headers, body } = await post(LIST, { 'content-encoding': 'zstd' })
    expect([status, headers['accept-encoding'], JSON.parse(body.toString()).error]).toEqual([
      415,
      'gzip, deflate, br',
      'encoding_not_supported',
    ])
  })
})
