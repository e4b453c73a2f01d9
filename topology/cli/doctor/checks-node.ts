// Requests of `doctor` to a node or another HTTP server, with limits, and their failures as text.
import * as z from 'zod'
import { messageOf } from '../../../schemas/errors.ts'
import { type Check, good, poor } from './check.ts'

const ANSWER_MS_MAX = 5_000
const ANSWER_CHARS_MAX = 1_000_000
/** An account that every cluster has: the system program. */
const ACCOUNT = '11111111111111111111111111111111'

/** Requests the slot and an account. A server that cannot answer these would otherwise show it only later. */
export const checkNode = async (name: string, rpcUrl: string, variable: string): Promise<Check> => {
  const origin = new URL(rpcUrl).origin
  let method = 'getSlot'
  try {
    const slot = await callNode(rpcUrl, method, [{ commitment: 'finalized' }], z.int().positive())
    method = 'getAccountInfo'
    await callNode(rpcUrl, method, [ACCOUNT, { encoding: 'base64' }], z.object({ value: z.looseObject({}).nullable() }))
    return good(name, `${origin} responds: finalized slot ${slot}`)
  } catch (failure) {
    return poor(name, `${origin} gives no valid response to ${method} (${reasonOf(failure)}): check ${variable}`)
  }
}

/** The `result` of a JSON-RPC call. @throws if the response is not valid; `reasonOf` turns the failure into text */
export const callNode = async <T>(rpcUrl: string, method: string, params: readonly unknown[], result: z.ZodType<T>): Promise<T> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await ask(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const refused = z.object({ error: z.object({ code: z.number(), message: z.string() }) }).safeParse(answer)
  if (refused.success) throw new Error(`it refuses: ${refused.data.error.code} ${refused.data.error.message}`)
  return z.object({ result }).parse(answer).result
}

const KEY_STATUSES: ReadonlySet<number> = new Set([401, 403])

/** JSON of a 2xx response. Follows no redirect, so a key in the URL goes nowhere else. */
export const ask = async (url: string, init: RequestInit = {}): Promise<unknown> => {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS_MAX) })
  const text = (await response.text()).slice(0, ANSWER_CHARS_MAX)
  if (KEY_STATUSES.has(response.status)) throw new Error(`status ${response.status}: it rejects the key or the login`)
  if (!response.ok) throw new Error(`status ${response.status}`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('the response is not JSON')
  }
}

/** A short reason without URLs, which may contain keys. */
export const reasonOf = (failure: unknown): string => {
  if (failure instanceof z.ZodError) return 'the response has another format'
  const cause = typeof failure === 'object' && failure !== null && 'cause' in failure ? failure.cause : undefined
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : undefined
  return code ?? messageOf(failure).replace(/https?:\S+/g, 'the address')
}
