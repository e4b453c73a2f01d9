// JSON-RPC over HTTP within limits: what fails for a passing reason is asked again, ever more rarely, until it is answered or nobody waits.
import { parseExact } from '../../../processors/solana/chain-file.ts'
import { messageOf } from '../../../schemas/errors.ts'
import { pause } from '../../waiting.ts'
import type { Notice } from '../source.ts'

/** Of one answer, unpacked. A block of today has 6-10 MB as JSON. */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024
const ANSWER_MS_MAX = 20_000
const RETRY_MS_MIN = 250
const RETRY_MS_MAX = 10_000
/** How long nobody asks after 429: as the node says, within these. */
const LIMITED_MS_MIN = 1_000
const LIMITED_MS_MAX = 30_000
/** An answer that cannot be read is asked for so often, then it is an answer. */
const UNREADABLE_TRIES_MAX = 6
/** Of a failure's words in the log. */
const WORDS_MAX = 200
const TOO_MANY_REQUESTS = 429
/** JSON-RPC's own words for a node that is busy, behind or not well: they pass. */
const PASSING_CODES: ReadonlySet<number> = new Set([TOO_MANY_REQUESTS, -32_005, -32_603, -32_016])

/** `unreadable`: every try of the limit gave bytes that are no answer. `stopped`: nobody waits any more. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number | 'unreadable' | 'stopped'; readonly words: string }

export interface RpcClientOptions {
  /** http(s); may hold a key: never told to anybody. */
  readonly url: string
  /** For the log: what this node is for. */
  readonly name: string
  readonly notice: Notice
  /** Of one request; the limit of this file where absent. */
  readonly answerMsMax?: number
  readonly retryMsMin?: number
}

type Trouble = 'limited' | 'late' | 'unreachable' | 'refused' | 'unreadable'

class Failed extends Error {
  readonly trouble: Trouble
  readonly waitMs: number
  constructor(trouble: Trouble, words: string, waitMs = 0) {
    super(words)
    this.trouble = trouble
    this.waitMs = waitMs
  }
}

export class RpcClient {
  readonly #options: RpcClientOptions
  #limitedUntilMs = Number.NEGATIVE_INFINITY
  #trouble: Trouble | null = null

  constructor(options: RpcClientOptions) {
    this.#options = options
  }
  /** Resolves with an answer, which may be the node's refusal; never rejects for what the world does. */
  async ask(method: string, params: readonly unknown[], stop: AbortSignal): Promise<RpcAnswer> {
    let retryMs = this.#options.retryMsMin ?? RETRY_MS_MIN
    for (let unreadable = 0; ; ) {
      await pause(this.#limitedUntilMs - performance.now(), stop)
      if (stop.aborted) return { ok: false, code: 'stopped', words: '' }
      try {
        const answer = await this.#once(method, params, stop)
        this.#tell(null, method, '')
        return answer
      } catch (thrown) {
        if (stop.aborted) continue
        const failed = thrown instanceof Failed ? thrown : fromWorld(thrown)
        this.#tell(failed.trouble, method, failed.message)
        if (failed.trouble === 'limited') this.#limitedUntilMs = performance.now() + Math.max(failed.waitMs, retryMs)
        if (failed.trouble === 'unreadable' && ++unreadable >= UNREADABLE_TRIES_MAX)
          return { ok: false, code: 'unreadable', words: failed.message }
        await pause(retryMs, stop)
        retryMs = Math.min(RETRY_MS_MAX, retryMs * 2)
      }
    }
  }

  async #once(method: string, params: readonly unknown[], stop: AbortSignal): Promise<RpcAnswer> {
    const response = await fetch(this.#options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: AbortSignal.any([stop, AbortSignal.timeout(this.#options.answerMsMax ?? ANSWER_MS_MAX)]),
    })
    if (response.status === TOO_MANY_REQUESTS) throw new Failed('limited', 'status 429', waitOf(response.headers.get('retry-after')))
    const text = await textOf(response)
    const answer = parse(text)
    if (!response.ok && answer?.error === undefined) throw new Failed('refused', `status ${response.status}`)
    if (answer === undefined)
      throw new Failed('unreadable', `${text.length} characters that are no JSON-RPC answer, status ${response.status}`)
    const { error } = answer
    if (error === undefined) return { ok: true, result: answer.result }
    if (PASSING_CODES.has(error.code))
      throw new Failed(error.code === TOO_MANY_REQUESTS ? 'limited' : 'refused', `${error.code}: ${error.message}`)
    return { ok: false, code: error.code, words: error.message.slice(0, WORDS_MAX) }
  }
  /** Once for each kind of trouble, and once when it is over. */
  #tell(trouble: Trouble | null, method: string, words: string): void {
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    const { name, notice } = this.#options
    if (trouble === null) notice('chain_answers_again', { node: name })
    else
      notice('chain_does_not_answer', {
        node: name,
        method,
        trouble,
        words: words.replace(/\w+:\/\/\S+/g, 'the address').slice(0, WORDS_MAX),
      })
  }
}

const waitOf = (retryAfter: string | null): number => {
  const askedMs = Number(retryAfter ?? 0) * 1_000
  return Math.min(LIMITED_MS_MAX, Math.max(LIMITED_MS_MIN, Number.isFinite(askedMs) ? askedMs : 0))
}

/** What fetch throws: a time limit, or a connection that failed or ended too early. */
const fromWorld = (thrown: unknown): Failed => {
  const name = typeof thrown === 'object' && thrown !== null && 'name' in thrown ? thrown.name : ''
  if (name === 'TimeoutError' || name === 'AbortError') return new Failed('late', 'no answer in time')
  const cause = typeof thrown === 'object' && thrown !== null && 'cause' in thrown ? thrown.cause : undefined
  return new Failed('unreachable', messageOf(cause ?? thrown))
}

const textOf = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_BYTES_MAX) throw new Failed('unreadable', `more than ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

interface Envelope {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Undefined for what is no answer of JSON-RPC. */
const parse = (text: string): Envelope | undefined => {
  try {
    const answer: unknown = parseExact(text)
    if (typeof answer !== 'object' || answer === null) return undefined
    if (!('error' in answer) || answer.error === null) return 'result' in answer ? { result: answer.result } : undefined
    const { error } = answer
    if (typeof error !== 'object' || error === null || !('code' in error) || typeof error.code !== 'number') return undefined
    return { error: { code: error.code, message: 'message' in error ? String(error.message) : '' } }
  } catch {
    return undefined
  }
}
