// Real clients buy over REST and MCP: balances move by exactly the price, once, and the answers match the published schemas.

import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { wrapAxiosWithPayment } from '@x402/axios'
import type { PaymentRequired } from '@x402/core/types'
import { validateDiscoveryExtension } from '@x402/extensions/bazaar'
import { wrapFetchWithPayment } from '@x402/fetch'
import { wrapFetchWithPayment as wrapOldest } from '@x402/fetch-oldest'
import axios from 'axios'
import { SLOT_MS } from '../../../topology/sandbox/blockhashes.ts'
import { answerNames } from '../../shipped.ts'
import { RUN } from '../../tools/run.ts'
import { faultsAs } from '../../tools/shapes/check.ts'
import { mcpLines } from './mcp-lines.ts'
import { argumentsOf, PAID, requestOf } from './orders.ts'
import { openShop, type Shop } from './shop.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** The address of the resource in the 402; for alerts, the target in it is redacted. */
const resourceOf = (path: string): string => urlOf(path).replace(/(?<=&url=).*/, 'redacted')
const urlOf = (path: string): string => shop.url + requestOf(path, shop)
const spentBy = async (run: () => Promise<unknown>): Promise<number> => {
  const before = await shop.spentMicroUsdc()
  await run()
  return (await shop.spentMicroUsdc()) - before
}
const faultsOf = (path: string, body: unknown): readonly string[] => faultsAs(answerNames[path] ?? path, body)

describe.each(PAID)('$path', ({ path, priceMicroUsdc }) => {
  test('the 402 matches its published schema and has a valid catalog entry', async () => {
    const response = await fetch(urlOf(path))
    const body = (await response.json()) as PaymentRequired
    expect(response.status).toBe(402)
    expect(faultsAs('PaymentRequired', body)).toEqual([])
    expect(body.resource.url).toBe(resourceOf(path))
    expect(validateDiscoveryExtension(body.extensions?.bazaar as never)).toEqual({ valid: true })
    expect(body.extensions?.mintfold).toMatchObject({
      info: { coverage: expect.stringMatching(/^(full|thin)$/), feed_lag_s: 0, is_stale: false },
    })
  })
  test('the official fetch client buys the answer', async () => {
    const pay = wrapFetchWithPayment(fetch, await shop.payer())
    const spent = await spentBy(async () => {
      const response = await pay(urlOf(path))
      expect(response.status).toBe(200)
      expect(faultsOf(path, await response.json())).toEqual([])
    })
    expect(spent).toBe(priceMicroUsdc)
  })
  test('the oldest fetch client of this protocol buys the answer', async () => {
    const pay = wrapOldest(fetch, shop.oldestPayer())
    // This client writes no memo, so two payments of the same price in one slot are one transaction: the second is refused as used.
    await pause(SLOT_MS)
    const spent = await spentBy(async () => {
      // This client accepts no call without options.
      const response = await pay(urlOf(path), {})
      expect(response.status).toBe(200)
      expect(faultsOf(path, await response.json())).toEqual([])
    })
    expect(spent).toBe(priceMicroUsdc)
  })
})

describe.each(PAID.flatMap(({ path, priceMicroUsdc, tool }) => (tool === null ? [] : [{ path, priceMicroUsdc, tool }])))(
  '$tool',
  ({ path, priceMicroUsdc, tool }) => {
    test.each([
      ['1.x', '2025-11-25'],
      ['2.x', '2026-07-28'],
    ] as const)('the official MCP client %s buys the answer by revision %s', async (line, revision) => {
      const client = await mcpLines[line](`${shop.url}/mcp`)
      expect(client.revision).toBe(revision)
      const call = { name: tool, arguments: argumentsOf(path, shop) }
      const spent = await spentBy(async () => {
        const unpaid = await client.callTool(call)
        const terms = unpaid.structuredContent as PaymentRequired
        expect(unpaid.isError).toBe(true)
        expect(faultsAs('PaymentRequired', terms)).toEqual([])
        expect(terms.resource.url).toBe(`${shop.url}/mcp#${tool}`)
        expect(validateDiscoveryExtension(terms.extensions?.bazaar as never)).toEqual({ valid: true })
        const payment = await (await shop.payer()).createPaymentPayload(terms)
        const paid = { ...call, _meta: { 'x402/payment': payment } }
        const bought = await client.callTool(paid)
        expect(bought.isError).toBeUndefined()
        expect(faultsOf(path, bought.structuredContent)).toEqual([])
        expect(bought._meta?.['x402/payment-response']).toMatchObject({ success: true })
        const again = await client.callTool(paid)
        expect(again._meta).toEqual(bought._meta)
      })
      expect(spent).toBe(priceMicroUsdc)
      await client.close()
    })
  },
)

test('the official axios client buys a card', async () => {
  const client = wrapAxiosWithPayment(axios.create(), (await shop.payer()) as never)
  const spent = await spentBy(async () => {
    const { status, data } = await client.get(urlOf('/v1/mint/{mint}'))
    expect([status, faultsOf('/v1/mint/{mint}', data)]).toEqual([200, []])
  })
  expect(spent).toBe(25_000)
})

test('one payment does not buy over REST and over MCP', async () => {
  const payer = await shop.payer()
  const asked = (await (await fetch(urlOf('/v1/rugs/recent'))).json()) as PaymentRequired
  const payment = await payer.createPaymentPayload(asked)
  const header = Buffer.from(JSON.stringify(payment)).toString('base64')
  const spent = await spentBy(async () => {
    expect((await fetch(urlOf('/v1/rugs/recent'), { headers: { 'PAYMENT-SIGNATURE': header } })).status).toBe(200)
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'recent_rugs', arguments: {}, _meta: { 'x402/payment': payment } },
    }
    const response = await fetch(`${shop.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
      body: JSON.stringify(message),
    })
    const { result } = (await response.json()) as { result: { isError: boolean; structuredContent: object } }
    expect(result).toMatchObject({ isError: true, structuredContent: { error: 'payment_already_used', charged: false } })
    expect(result.structuredContent).not.toHaveProperty('accepts')
  })
  expect(spent).toBe(20_000)
})

test('the example agent finds, checks, buys and watches, for the sum of the prices', async () => {
  let lines: { what: string }[] = []
  const spent = await spentBy(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...RUN, 'query-api/guides/agent.ts', shop.url, shop.walletFile], {
      cwd: ROOT,
    })
    lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { what: string })
  })
  expect(lines.map(({ what }) => what)).toEqual(['found', 'checked', 'bought', 'watched'])
  expect(lines).toMatchObject([{}, { can_be_checked: true }, { coverage: 'full' }, { has_new_events: false }])
  expect(spent).toBe(10_000 + 5_000 + 25_000)
})
