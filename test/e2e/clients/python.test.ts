// The Python packages x402 and mcp buy: run with PYTHON_TESTS=yes, and by CI; elsewhere skipped, with a notice and counted.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describeGiven } from '../../services/describe-given.ts'
import { INSTALL_MS_MAX, isPythonAsked, pythonWith } from '../../services/python.ts'
import { answerNames } from '../../shipped.ts'
import { faultsAs } from '../../tools/shapes/check.ts'
import { ALERT_QUERY, ALERTS } from '../contract/answers.ts'
import { openShop, PYTHON_CLIENTS, type Shop } from './shop.ts'

const BUYER = fileURLToPath(new URL('./buyer.py', import.meta.url))
const BUY_MS_MAX = 120_000

interface Bought {
  readonly rest: readonly { readonly status: number; readonly body: unknown; readonly has_receipt: boolean }[]
  readonly mcp: readonly {
    readonly revision: string
    readonly tools: readonly string[]
    readonly unpaid: { readonly isError: boolean; readonly structuredContent: unknown }
    readonly paid: { readonly isError: boolean; readonly structuredContent: unknown; readonly _meta: Record<string, unknown> }
  }[]
}

const tests = (): void => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
  })
  afterAll(() => shop.close())

  test(
    'x402 buys over REST and mcp over MCP in both revisions, for the prices, and the answers match what is published',
    async () => {
      const bought = [
        { url: '/v1/rugs/recent', answer: 'RugsAnswer', microUsdc: 20_000 },
        { url: '/v1/launches/since?since=0', answer: answerNames['/v1/launches/since'] as string, microUsdc: 1_000 },
        { url: `/v1/cohort/mint/${shop.mint}`, answer: 'CohortAnswer', microUsdc: 20_000 },
        { url: `${ALERTS}?${ALERT_QUERY}`, answer: answerNames[ALERTS] as string, microUsdc: 100_000 },
      ]
      const python = await pythonWith(PYTHON_CLIENTS)
      const { stdout } = await promisify(execFile)(python, [BUYER, shop.url, shop.walletFile, shop.mint, ...bought.map(({ url }) => url)], {
        timeout: BUY_MS_MAX,
      })
      const { rest, mcp } = JSON.parse(stdout) as Bought
      expect(rest).toHaveLength(bought.length)
      for (const [n, { status, has_receipt, body }] of rest.entries())
        expect([status, has_receipt, faultsAs(bought[n]?.answer as string, body)]).toEqual([200, true, []])
      expect(mcp.map(({ revision }) => revision)).toEqual(['2025-11-25', '2026-07-28'])
      for (const { tools, unpaid, paid } of mcp) {
        expect(tools).toContain('check_launchpad_risk')
        expect([unpaid.isError, faultsAs('PaymentRequired', unpaid.structuredContent)]).toEqual([true, []])
        expect([paid.isError, faultsAs('CheckAnswer', paid.structuredContent)]).toEqual([false, []])
        expect(paid._meta['x402/payment-response']).toMatchObject({ success: true })
      }
      expect(await shop.spentMicroUsdc()).toBe(bought.reduce((sum, { microUsdc }) => sum + microUsdc, 2 * 5_000))
    },
    BUY_MS_MAX + INSTALL_MS_MAX,
  )
}

describeGiven('the Python clients', tests, {
  isThere: isPythonAsked,
  lack: 'set PYTHON_TESTS=yes to make a virtual environment with x402 and mcp',
})
