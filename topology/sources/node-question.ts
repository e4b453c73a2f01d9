// One question to a node, within limits: what it does not have, or not in time, is a reason.
import type { z } from 'zod'
import type { Notice } from '../ports/notice.ts'

/** Of one question, tries included. */
const ASK_MS_MAX = 15_000

export interface NodeOptions {
  /** http(s); may hold a key. */
  readonly url: string
  readonly notice: Notice
  readonly msMax?: number
}

type Asker = <T>(method: string, params: readonly unknown[], form: z.ZodType<T>) => Promise<T | string>

/** Asks a node by JSON-RPC until `stop`. */
type Ask = (method: string, params: readonly unknown[], stop: AbortSignal) => Promise<Answer>
type Answer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number | 'unreadable' | 'stopped'; readonly words: string }

/** An answer of another form than `form` is none; a node that was silent once is asked no more. */
export const askerOf = (ask: Ask, { msMax = ASK_MS_MAX }: Pick<NodeOptions, 'msMax'>): Asker => {
  let silence: string | undefined
  return async (method, params, form) => {
    if (silence !== undefined) return silence
    const answer = await ask(method, params, AbortSignal.timeout(msMax))
    if (!answer.ok && answer.code === 'stopped') silence = `the node did not answer ${method} in ${msMax / 1_000} s`
    if (!answer.ok) return silence ?? `the node says of ${method}: ${answer.words}`
    if (answer.result === null) return `the node has no answer to ${method}: it does not keep so old ones, or knows another branch`
    const read = form.safeParse(answer.result)
    return read.success ? read.data : `the node answers ${method} in a form that is not known`
  }
}
