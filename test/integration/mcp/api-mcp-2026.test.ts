// `/mcp` in revision 2026-07-28: each request names its revision, there is no handshake and no session.
import { createServer } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { questions } from '../../../query-api/app/list/questions.ts'
import { PAYMENT } from '../../../query-api/mcp/results.ts'
import { startLocal } from '../../tools/local-server.ts'
import { base58, key, liveState } from '../../unit/query-api/given-mint.ts'
import { type Harness, harness } from '../api-harness.ts'

const REVISION = '2026-07-28'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
interface Reply {
  readonly id: unknown
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

let api: Harness
let url: string
let close: () => Promise<void>
let client: Client

beforeEach(async () => {
  api = harness()
  const local = await startLocal(createServer(api.app.callback()))
  url = `${local.url}/mcp`
  close = local.close
  client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: { pin: REVISION } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
})
afterEach(async () => {
  await client.close()
  await close()
})

const post = (method: string, params: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-protocol-version': REVISION, 'mcp-method': method, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'mine', method, params }),
  })
const replyOf = async (response: Response): Promise<readonly [number, Reply]> => [response.status, (await response.json()) as Reply]

describe('the official client of this revision', () => {
  test('learns without a handshake what the server is and can do', async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(REVISION)
    expect(client.getServerVersion()).toMatchObject({ name: 'mintfold', version: '0.1.0' })
    expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {} })
    expect(client.getInstructions()).toContain('Observed evidence')
  })
  test('sees the same tools, prompts and resources as clients of 2025-11-25', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(questions.flatMap(({ tool }) => tool ?? []))
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['vet_launch', 'watch_portfolio'])
    const { resources } = await client.listResources()
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' })
    expect(JSON.parse((contents[0] as { text: string }).text)).toEqual((await api.get('/v1/labels')).body.data)
  })
  test('gets terms, and for its payment what the route returns', async () => {
    api.view.put(key(1), liveState())
    await client.listTools()
    const call = { name: 'mint_risk_card', arguments: { mint: base58(1) } }
    expect(await client.callTool(call)).toMatchObject({ isError: true, structuredContent: { x402Version: 2 } })
    const { isError, structuredContent } = await client.callTool({ ...call, _meta: { [PAYMENT]: 'paid' } })
    expect([isError, structuredContent]).toEqual([undefined, (await api.paid(`/v1/mint/${base58(1)}`)).body])
  })
  test('an unknown tool suggests the nearest', async () => {
    await expect(client.callTool({ name: 'mint_risk_cart' })).rejects.toThrow(/did you mean mint_risk_card\?/)
  })
})

describe('a request of this revision', () => {
  test.each(['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])(
    '%s may be cached by anybody for five minutes',
    async (method) => {
      const [status, { result }] = await replyOf(await post(method, { _meta: ENVELOPE }))
      expect([status, result?.ttlMs, result?.cacheScope]).toEqual([200, 300_000, 'public'])
    },
  )
  test('results of tools may not be cached', async () => {
    const response = await post('tools/call', { name: 'health', _meta: ENVELOPE }, { 'mcp-name': 'health' })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await replyOf(response))[1].result).not.toHaveProperty('ttlMs')
  })
  test.each([
    ['without the header Mcp-Name', {}, -32_020],
    ['whose Mcp-Name is another tool', { 'mcp-name': 'catalog' }, -32_020],
    ['whose Mcp-Method is another method', { 'mcp-name': 'health', 'mcp-method': 'tools/list' }, -32_020],
    ['of a revision that is not served', { 'mcp-name': 'health', 'mcp-protocol-version': '2027-01-01' }, -32_020],
  ])('%s is refused', async (_what, headers: Record<string, string>, code) => {
    const [status, { id, error }] = await replyOf(await post('tools/call', { name: 'health', _meta: ENVELOPE }, headers))
    expect([status, id, error?.code]).toEqual([400, 'mine', code])
  })
  test('without a revision in its body is refused', async () => {
    const [status, { error }] = await replyOf(await post('tools/list', {}))
    expect([status, error?.code]).toEqual([400, -32_602])
  })
  test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'subscriptions/listen', 'nothing/known'])(
    '%s is no method of this server',
    async (method) => {
      const [status, { id, error }] = await replyOf(await post(method, { _meta: ENVELOPE }))
      expect([status, id, error?.code]).toEqual([404, 'mine', -32_601])
    },
  )
  test('with wrong parameters gets an explanation', async () => {
    const [, { error }] = await replyOf(await post('prompts/get', { _meta: ENVELOPE }))
    expect(error).toMatchObject({ code: -32_602, message: expect.stringMatching(/^Invalid params: params.name: .*expected string/) })
  })
  test('may carry its headers from a page of another origin', async () => {
    const asked = { origin: 'https://agent.example', 'access-control-request-method': 'POST' }
    const allowed = (await fetch(url, { method: 'OPTIONS', headers: asked })).headers.get('access-control-allow-headers')
    expect(allowed).toMatch(/Mcp-Method/)
    expect(allowed).toMatch(/Mcp-Name/)
  })
  test('from a foreign origin is refused on loopback', async () => {
    expect((await post('tools/list', { _meta: ENVELOPE }, { origin: 'https://evil.example' })).status).toBe(403)
  })
})
