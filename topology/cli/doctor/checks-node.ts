// How `doctor` asks a node or another server over HTTP, within limits, and what it says of an answer that is none.
import { z } from 'zod'
import { messageOf } from '../../../schemas/errors.ts'
import { type Check, good, poor } from './check.ts'

const ANSWER_MS_MAX = 5_000
const ANSWER_CHARS_MAX = 1_000_000
/** An account that every cluster has: the system program. */
const ACCOUNT = '11111111111111111111111111111111'

/** Asks where the node is and for an account: what answers anything else would only fail later. */
export const checkNode = async (name: string, rpcUrl: string, variable: string): Promise<Check> => {
  const origin = new URL(rpcUrl).origin
  let method = 'getSlot'
  try {
    const slot = await callNode(rpcUrl, method, [{ commitment: 'finalized' }], z.int().positive())
    method = 'getAccountInfo'
    await callNode(rpcUrl, method, [ACCOUNT, { encoding: 'base64' }], z.object({ value: z.looseObject({}).nullable() }))
    return good(name, `${origin} answers: finalized slot ${slot}`)
  } catch (failure) {
    return poor(name, `${origin} does not answer ${method} as a node does (${reasonOf(failure)}): check ${variable}`)
  }
}

/** What a node answers to a call, as `result` has it. @throws whatever is no such answer: `reasonOf` puts it into words */
export const callNode = async <T>(rpcUrl: string, method: string, params: readonly unknown[], result: z.ZodType<T>): Promise<T> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await ask(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const refused = z.object({ error: z.object({ code: z.number(), message: z.string() }) }).safeParse(answer)
  if (refused.success) throw new Error(`it refuses: ${refused.data.error.code} ${refused.data.error.message}`)
  return z.object({ result }).parse(answer).result
}

const KEY_STATUSES: ReadonlySet<number> = new Set([401, 403])

/** JSON of a 2xx answer. Follows no redirect: a key in the address goes nowhere else. */
export const ask = async (url: string, init: RequestInit = {}): Promise<unknown> => {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS_MAX) })
  const text = (await response.text()).slice(0, ANSWER_CHARS_MAX)
  if (KEY_STATUSES.has(response.status)) throw new Error(`status ${response.status}: it refuses the key or the login`)
  if (!response.ok) throw new Error(`status ${response.status}`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('the answer is no JSON')
  }
}

/** In a few words and without addresses, which may hold keys. */
export const reasonOf = (failure: unknown): string => {
  if (failure instanceof z.ZodError) return 'the answer is of another kind'
  const cause = typeof failure === 'object' && failure !== null && 'cause' in failure ? failure.cause : undefined
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : undefined
  return code ?? messageOf(failure).replace(/https?:\S+/g, 'the address')
}
