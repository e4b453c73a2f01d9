// Limited requests to a node for proofs: a failure or timeout becomes a reason.
import type { z } from 'zod'
import type { Notice } from '../ports/notice.ts'

/** Time limit of one request, including retries. */
const ASK_MS_MAX = 15_000

export interface NodeOptions {
  /** http(s); may contain a key. */
  readonly url: string
  readonly notice: Notice
  readonly msMax?: number
}

type Asker = <T>(method: string, params: readonly unknown[], form: z.ZodType<T>) => Promise<T | string>

/** Sends a JSON-RPC request to a node, until `stop`. */
type Ask = (method: string, params: readonly unknown[], stop: AbortSignal) => Promise<Answer>
type Answer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number | 'unreadable' | 'stopped'; readonly words: string }

/** A response that does not match `form` is a failure; after one timeout no further requests are sent. */
export const askerOf = (ask: Ask, { msMax = ASK_MS_MAX }: Pick<NodeOptions, 'msMax'>): Asker => {
  let silence: string | undefined
  return async (method, params, form) => {
    if (silence !== undefined) return silence
    const answer = await ask(method, params, AbortSignal.timeout(msMax))
    if (!answer.ok && answer.code === 'stopped') silence = `the node did not answer ${method} in ${msMax / 1_000} s`
    if (!answer.ok) return silence ?? `the node refuses ${method}: ${answer.words}`
    if (answer.result === null) return `the node has no result for ${method}: it no longer has data this old, or follows another branch`
    const read = form.safeParse(answer.result)
    return read.success ? read.data : `the node answers ${method} in an unknown format`
  }
}
