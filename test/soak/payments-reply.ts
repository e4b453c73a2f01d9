// The reply to a payment, over HTTP or as the result of a tool.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { decode, TOOLS_PATH } from '../integration/payment/world.ts'

/** Prefix of a route that is a tool. */
export const TOOL = 'tool:'
const STATUSES: Readonly<Record<string, number>> = {
  payment_already_used: 409,
  payment_outcome_unknown: 409,
  payment_unavailable: 503,
  payment_store_unavailable: 503,
  payment_busy: 503,
}

export interface Reply {
  readonly status: number
  readonly text: string
  readonly error: string | undefined
  readonly receipt: string | null
}

interface Way {
  readonly signal?: AbortSignal
  /** The client's address. */
  readonly from?: string
}

/** Sends over the transport of the route. Results of tools are mapped to the corresponding HTTP statuses. */
export const replyOf = async (url: string, route: string, header: string, { signal, from }: Way): Promise<Reply> => {
  const headers = from === undefined ? {} : { 'X-Forwarded-For': from }
  const limit = signal === undefined ? {} : { signal }
  if (!route.startsWith(TOOL)) {
    const response = await fetch(url + route, { headers: { ...headers, 'PAYMENT-SIGNATURE': header }, ...limit })
    const text = await response.text()
    const { error } = JSON.parse(text) as { readonly error?: string }
    return { status: response.status, text, error, receipt: response.headers.get('payment-response') }
  }
  const body = JSON.stringify({ tool: route.slice(TOOL.length), payment: decode(header) })
  const response = await fetch(url + TOOLS_PATH, { method: 'POST', headers, body, ...limit })
  const { isError, structuredContent, _meta } = (await response.json()) as CallToolResult
  const { error, x402Version } = (structuredContent ?? {}) as { readonly error?: string; readonly x402Version?: number }
  const status = isError !== true ? 200 : x402Version !== undefined ? 402 : (STATUSES[error ?? ''] ?? 500)
  const receipt = _meta?.['x402/payment-response']
  return { status, text: JSON.stringify(structuredContent), error, receipt: receipt === undefined ? null : JSON.stringify(receipt) }
}
