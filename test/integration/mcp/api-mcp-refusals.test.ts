// `/mcp` as HTTP: what it accepts, and what it refuses before it answers.
import { createServer, request } from 'node:http'
import { MCP_BODY_BYTES_MAX } from '../../../query-api/questions/limits.ts'
import { startLocal } from '../../tools/local-server.ts'
import { harness } from '../api-harness.ts'

let url: string
let close: () => Promise<void>
beforeAll(async () => {
  const local = await startLocal(createServer(harness().app.callback()))
  url = `${local.url}/mcp`
  close = local.close
})
afterAll(() => close())

const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

describe('requests over HTTP', () => {
  test.each(['GET', 'DELETE', 'PUT', 'HEAD'])('%s is a 405 that names POST', async (method) => {
    const response = await fetch(url, { method, headers: { accept: 'text/event-stream' } })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })
  test.each([
    ['no JSON', '{', {}, 400],
    ['a batch', `[${LIST},${LIST}]`, {}, 400],
    ['no message', '{"x":1}', {}, 400],
    ['null', 'null', {}, 400],
    ['a number', '5', {}, 400],
    ['another type', LIST, { 'content-type': 'text/plain' }, 415],
    ['an unknown encoding', LIST, { 'content-encoding': 'zstd' }, 415],
    ['a foreign origin', LIST, { origin: 'https://evil.example' }, 403],
    ['an opaque origin', LIST, { origin: 'null' }, 403],
    ['a version that is unknown', LIST, { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('%s is refused', async (_what, body, headers: Record<string, string>, status) => {
    expect((await post(body, headers)).status).toBe(status)
  })
  test('a foreign name in the Host header is refused', async () => {
    const status = await new Promise((resolve) => {
      const sent = request(url, { method: 'POST', headers: { host: 'evil.example', 'content-type': 'application/json' } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.end(LIST)
    })
    expect(status).toBe(403)
  })
  test('an origin of this machine is served, whatever its Accept header', async () => {
    const response = await post(LIST, { origin: 'http://localhost:6274', accept: '*/*' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })
  test.each([
    ['tools/call', { name: 5 }, /^Invalid params: params.name: .*expected string/],
    ['tools/call', { name: 'health', arguments: [] }, /params.arguments: .*expected record/],
    ['tools/call', { name: 'health', task: { ttl: 1 } }, /params.task: this server does not support tasks/],
    ['prompts/get', {}, /params.name: .*expected string/],
    ['resources/read', { uri: null }, /params.uri: .*expected string/],
    ['initialize', {}, /params.protocolVersion: .*expected string.*; params.capabilities: /],
  ])('%s with %j is an invalid-parameters error that states the cause', async (method, params, message) => {
    const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 'mine', method, params }))
    const { id, error } = (await response.json()) as { id: string; error: { code: number; message: string } }
    expect([response.status, id, error.code]).toEqual([200, 'mine', -32_602])
    expect(error.message).toMatch(message)
  })
  test('a notification is accepted without a body', async () => {
    const response = await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
    expect([response.status, await response.text()]).toEqual([202, ''])
  })
  test('a request that is too large is refused, with or without a declared length', async () => {
    const large = `${LIST.slice(0, -1)},"x":"${'x'.repeat(MCP_BODY_BYTES_MAX)}"}`
    expect((await post(large)).status).toBe(413)
    const stream = new Blob([large]).stream()
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    }
    const status = await fetch(url, init).then(
      (response) => response.status,
      () => 'cut',
    )
    expect([413, 'cut']).toContain(status)
  })
})
