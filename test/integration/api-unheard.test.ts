// Nothing is sold before there is data: every paid route and tool, over HTTP and MCP.
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { questions } from '../../query-api/app/list/questions.ts'
import { PAYMENT } from '../../query-api/mcp/results.ts'
import type { ViewStatus } from '../../topology/ports/chain-view.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { NOW_CURVES_S } from '../fixtures/curve-market.ts'
import { base58, key, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { type Harness, harness } from './api-harness.ts'

const MINT = base58(1)
const PAID = questions.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0)
const REFUSED = PAID.filter(({ isGivenUnsold }) => isGivenUnsold !== true).map(({ example }) =>
  example.replace('{mint},{mint}', '{mint}').replaceAll(/\{\w+\}/g, MINT),
)
const TOOLS = PAID.flatMap(({ tool, isGivenUnsold }) => (tool === null || isGivenUnsold ? [] : [tool]))
const unpaid = { ok: false, error: 'feed_unavailable', charged: false }

/**
 * States of the feed in which nothing is sold: what it is, the status of the view, the reason that answers give, and whether the
 * service clock is known.
 */
const TROUBLES: readonly (readonly [string, Partial<ViewStatus>, string, boolean])[] = [
  ['no frame was captured', { folded: null, tip: null, observedSince: null }, 'no frame was captured yet', true],
  [
    'the feed was never fresh',
    { folded: { number: 1, time: NOW_S - 90 }, wasFresh: false },
    'the feed is 90 s behind and has not been fresh yet',
    true,
  ],
  [
    'the clock of the source is not known',
    { folded: { number: 1, time: NOW_S - 90 }, wasFresh: false },
    'the clock of the source is not known yet',
    false,
  ],
]

const given = (status: Partial<ViewStatus>, isClockKnown: boolean): Harness => {
  const api = harness({ history: new SetHistory() })
  api.time.isStreamKnown = isClockKnown
  api.view.put(key(1), liveState())
  api.view.setStatus(status)
  const { folded } = status
  api.curves.setStatus({ ...status, ...(folded && { folded: { ...folded, time: folded.time - NOW_S + NOW_CURVES_S } }) })
  return api
}
const settled = ({ gate }: Harness): unknown[] => gate.calls.filter(({ kind }) => kind !== 'let go')

describe.each(TROUBLES)('while %s', (_name, trouble, reason, isClockKnown) => {
  test.each(REFUSED)('%s is refused with and without a payment, and none is settled', async (path) => {
    const api = given(trouble, isClockKnown)
    for (const { status, body, headers } of [await api.get(path), await api.paid(path)]) {
      expect([status, body]).toEqual([503, { ...unpaid, hint: expect.stringContaining(reason) }])
      expect(headers['retry-after']).toBe('5')
    }
    expect(settled(api)).toEqual([])
  })
  test.each([['get'], ['paid']] as const)('the card is free (%s) once the clock is known, and states the reason', async (ask) => {
    const api = given(trouble, isClockKnown)
    const { status, body, headers } = await api[ask](`/v1/mint/${MINT}`)
    if (!isClockKnown) return expect([status, body]).toEqual([503, { ...unpaid, hint: expect.stringContaining(reason) }])
    expect([status, body.meta.price_usd, headers['payment-response']]).toEqual([200, 0, undefined])
    expect(body.meta.unpaid_reason).toContain(reason)
    expect(settled(api)).toEqual([])
  })
  test('/ready is 503 with the reason', async () => {
    const { status, body } = await given(trouble, isClockKnown).get('/ready')
    expect([status, body]).toEqual([503, { ok: false, error: 'feed_unavailable', hint: expect.stringContaining(reason) }])
  })
  test('every paid tool is refused with a payment, and the card is free', async () => {
    const api = given(trouble, isClockKnown)
    const server = api.app.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const client = new Client({ name: 'test', version: '0' })
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
    await client.connect(new StreamableHTTPClientTransport(url) as Parameters<Client['connect']>[0])
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args, _meta: { [PAYMENT]: 'paid' } }) as Promise<{ structuredContent: Record<string, unknown> }>
    const { tools } = await client.listTools()
    const argsOf = (name: string): Record<string, unknown> => {
      const required = tools.find((tool) => tool.name === name)?.inputSchema.required ?? []
      return Object.fromEntries(required.map((param) => [param, param === 'mints' ? [MINT] : MINT]))
    }
    expect(TOOLS.length).toBeGreaterThan(5)
    for (const name of TOOLS) expect((await call(name, argsOf(name))).structuredContent).toMatchObject(unpaid)
    const { structuredContent } = await call('mint_risk_card', { mint: MINT })
    const free = { ok: true, meta: { price_usd: 0, unpaid_reason: expect.stringContaining(reason) } }
    expect(structuredContent).toMatchObject(isClockKnown ? free : unpaid)
    expect(settled(api)).toEqual([])
    await client.close()
    server.close()
  })
})

test('while the clock is not known, /health gives no lag, with the reason, and the time of the newest frame', async () => {
  const api = given({ folded: { number: 1, time: NOW_S - 90 }, tip: { number: 1, time: NOW_S - 90 }, wasFresh: false }, false)
  const reason = 'the clock of the source is not known yet'
  const { body } = await api.get('/health')
  expect(body.t).toBe(NOW_S - 90)
  expect(body.sources[0]).toMatchObject({ feed_lag_s: null, feed_lag_s_reason: reason, chain_lag_s_reason: reason })
  expect(body.degraded).toContain(`stale: ${reason}`)
})

test('when a fresh feed becomes late, lists are sold with their age, and the card is paid for', async () => {
  const api = harness({ history: new SetHistory() })
  api.view.setStatus({ folded: { number: 1, time: NOW_S - 90 }, wasFresh: true })
  const { status, body } = await api.paid('/v1/launches/recent')
  expect([status, body.meta.is_stale, body.meta.price_usd, body.meta.unpaid_reason]).toEqual([200, true, 0.01, undefined])
  expect((await api.paid(`/v1/mint/${MINT}`)).body.meta.price_usd).toBe(0.025)
})

test('before the first frame and without a clock, answers that need none have the time of the wall clock', async () => {
  const api = given({ folded: null, tip: null, observedSince: null }, false)
  expect((await api.get('/v1/labels')).body).toMatchObject({ t: NOW_S, generated_at: new Date(NOW_S * 1_000).toISOString() })
  expect((await api.get('/health')).body.t).toBe(NOW_S)
})
