// Buys every paid route through a proxy, as real clients do, and measures what the proxy must carry.
import { type PaymentRequired, wrapFetchWithPayment } from '@x402/fetch'
import { type McpBuyer, mcpLines } from '../clients/mcp-lines.ts'
import { argumentsOf, PAID, requestOf } from '../clients/orders.ts'
import type { Shop } from '../clients/shop.ts'

/** 40 characters: the sizes of headers depend on its length. */
export const BASE_URL = 'https://cards-and-checks.shop-example.io'

export const BOUGHT = 'bought'

/** Bytes of one purchase over HTTP. */
interface Sizes {
  /** All headers of the 402, with names and separators. */
  readonly unpaidHeaders: number
  readonly paymentSignature: number
  readonly paymentResponse: number
}

export interface Buy {
  readonly path: string
  /** `bought`, or why not. */
  readonly http: string
  /** The same over MCP; null: there is no tool. */
  readonly mcp: string | null
  readonly sizes: Sizes
}

/** @param url of the proxy. */
export const buyAll = async (shop: Shop, url: string): Promise<readonly Buy[]> => {
  const buys: Buy[] = []
  const client = await mcpLines['2.x'](`${url}/mcp`)
  for (const { path, tool, priceMicroUsdc } of PAID) {
    const sizes = { unpaidHeaders: 0, paymentSignature: 0, paymentResponse: 0 }
    const http = await outcomeOf(shop, priceMicroUsdc, () => buyOverHttp(shop, url + requestOf(path, shop), sizes))
    const mcp = tool && (await outcomeOf(shop, priceMicroUsdc, () => buyOverMcp(shop, client, tool, argumentsOf(path, shop))))
    buys.push({ path, http, mcp, sizes })
  }
  await client.close()
  return buys
}

/** @param run resolves to the reason why nothing was bought, or undefined. */
const outcomeOf = async (shop: Shop, priceMicroUsdc: number, run: () => Promise<string | undefined>): Promise<string> => {
  const before = await shop.spentMicroUsdc()
  const reason = await run().catch((failure: unknown) => String(failure))
  const spent = (await shop.spentMicroUsdc()) - before
  if (reason !== undefined) return spent === 0 ? reason : `${reason}; charged ${spent} micro-USDC`
  return spent === priceMicroUsdc ? BOUGHT : `charged ${spent} micro-USDC instead of ${priceMicroUsdc}`
}

const buyOverHttp = async (shop: Shop, url: string, sizes: { -readonly [Name in keyof Sizes]: number }): Promise<string | undefined> => {
  const measured: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    sizes.paymentSignature = request.headers.get('payment-signature')?.length ?? 0
    const response = await fetch(request)
    if (response.status === 402) sizes.unpaidHeaders = bytesOf(response.headers)
    return response
  }
  const response = await wrapFetchWithPayment(measured, await shop.payer())(url)
  sizes.paymentResponse = response.headers.get('payment-response')?.length ?? 0
  return response.status === 200 ? isOk(await response.json()) : `${response.status}`
}

const bytesOf = (headers: Headers): number => [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)

const buyOverMcp = async (shop: Shop, client: McpBuyer, name: string, args: Record<string, unknown>): Promise<string | undefined> => {
  const unpaid = await client.callTool({ name, arguments: args })
  const payment = await (await shop.payer()).createPaymentPayload(unpaid.structuredContent as PaymentRequired)
  const paid = await client.callTool({ name, arguments: args, _meta: { 'x402/payment': payment } })
  return isOk(paid.structuredContent)
}

const isOk = (answer: unknown): string | undefined =>
  (answer as { readonly ok?: boolean }).ok === true ? undefined : JSON.stringify(answer).slice(0, 200)
