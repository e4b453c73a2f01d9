// What each revision of MCP finds in the result of a tool: the whole in the text, and since 2025-06-18 the same in `structuredContent`.
import { createServer } from 'node:http'
import { PAYMENT } from '../../../query-api/mcp/results.ts'
import { startLocal } from '../../tools/local-server.ts'
import { harness } from '../api-harness.ts'

interface Result {
  readonly isError?: boolean
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent?: object
}

const MODERN = '2026-07-28'
const envelope = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
let url: string
let close: () => Promise<void>
beforeAll(async () => {
  const local = await startLocal(createServer(harness().app.callback()))
  ;({ url, close } = local)
})
afterAll(() => close())

const call = async (revision: string | undefined, name: string, meta: object, path: string): Promise<Result> => {
  const stated = revision === undefined ? {} : { 'mcp-protocol-version': revision }
  const modern = revision === MODERN ? { 'mcp-method': 'tools/call', 'mcp-name': name } : {}
  const params = { name, arguments: {}, _meta: revision === MODERN ? { ...envelope, ...meta } : meta }
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...stated, ...modern },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  return ((await response.json()) as { result: Result }).result
}

const CASES = [
  ['a free answer', 'market_regime', {}, { ok: true }],
  ['a paid answer', 'recent_rugs', { [PAYMENT]: 'paid' }, { ok: true }],
  ['the terms', 'recent_rugs', {}, { x402Version: 2, accepts: [], resource: { url: expect.any(String) } }],
  ['a refusal', 'mint_risk_card', {}, { ok: false, error: 'invalid_arguments' }],
] as const

describe.each(['2025-06-18', '2025-11-25', MODERN])('%s', (revision) => {
  test.each(CASES)('finds the whole of %s in the text alone and in the structure alone', async (_what, tool, meta, whole) => {
    const { content, structuredContent } = await call(revision, tool, meta, '/mcp')
    expect(content.map(({ type }) => type)).toEqual(['text'])
    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject(whole)
    expect(structuredContent).toEqual(JSON.parse(content[0]?.text ?? ''))
  })
})
describe.each(['2024-11-05', '2025-03-26', undefined])('%s', (revision) => {
  test.each(CASES)('finds the whole of %s in the text, and no structure', async (_what, tool, meta, whole) => {
    const { content, ...rest } = await call(revision, tool, meta, '/mcp')
    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject(whole)
    expect(rest).not.toHaveProperty('structuredContent')
  })
})
test('the address may end in a slash', async () => {
  expect((await call('2025-11-25', 'market_regime', {}, '/mcp/')).structuredContent).toMatchObject({ ok: true })
})
