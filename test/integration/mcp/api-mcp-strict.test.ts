// Every tool with a client that validates: the official one of 2025-11-25 refuses results that the list of tools does not allow.
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { questions } from '../../../query-api/app/list/questions.ts'
import { PAYMENT } from '../../../query-api/mcp/results.ts'
import { keyText } from '../../../schemas/keys.ts'
import { SetHistory } from '../../fakes/set-history.ts'
import { CURVE_CONTRACT } from '../../fixtures/curve-market.ts'
import { fillMarket } from '../../fixtures/page-market.ts'
import { startLocal } from '../../tools/local-server.ts'
import { base58, key, liveState } from '../../unit/query-api/given-mint.ts'
import { type Harness, harness } from '../api-harness.ts'

const TOOLS = questions.flatMap(({ tool, path, priceMicroUsdc }) => (tool === null ? [] : [{ tool, path, isPaid: priceMicroUsdc > 0 }]))

let api: Harness
let client: Client
let close: () => Promise<void>

beforeAll(async () => {
  api = harness({ history: new SetHistory() })
  fillMarket(api.view)
  api.view.put(key(1), liveState())
  const server: Server = createServer(api.app.callback())
  const local = await startLocal(server)
  close = local.close
  client = new Client({ name: 'strict', version: '0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${local.url}/mcp`)) as Parameters<Client['connect']>[0])
  await client.listTools()
})
afterAll(async () => {
  await client.close()
  await close()
})
afterEach(() => api.view.setStatus({ ready: true }))

const argumentsOf = (path: string): Record<string, unknown> => {
  if (path.includes('/check/') && !path.includes('{')) return { mints: [base58(1)] }
  if (path === '/v1/launches/since') return { since: '0' }
  const [name] = /(?<=\{)\w+/.exec(path) ?? []
  if (name === undefined) return {}
  return { [name]: path.startsWith('/v1/alt/') ? keyText(CURVE_CONTRACT) : base58(1) }
}
const call = (name: string, args: Record<string, unknown>, isPaid = false) =>
  client.callTool({ name, arguments: args, ...(isPaid && { _meta: { [PAYMENT]: 'paid' } }) })

describe.each(TOOLS)('the tool $tool', ({ tool, path, isPaid }) => {
  test('has its answer, terms and refusals accepted by a strict client', async () => {
    const answer = await call(tool, argumentsOf(path), isPaid)
    expect([answer.isError, (answer.structuredContent as { ok: boolean }).ok]).toEqual([undefined, true])
    if (isPaid) expect(await call(tool, argumentsOf(path))).toMatchObject({ isError: true, structuredContent: { x402Version: 2 } })
    expect(await call(tool, { not_there: 1 })).toMatchObject({ isError: true, structuredContent: { error: 'invalid_arguments' } })
  })
  test('has its refusal while stores restore accepted by a strict client', async () => {
    api.view.setStatus({ ready: false })
    const { isError, structuredContent } = await call(tool, argumentsOf(path), isPaid)
    if (isError) expect(structuredContent).toMatchObject({ ok: false })
  })
})
