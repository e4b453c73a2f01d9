// JSON-RPC over HTTP with limits: transient failures are retried with backoff until the request succeeds or is cancelled.
import { isAscii } from 'node:buffer'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { request as asking } from 'undici'
import { parseExact } from '../../../../processors/chains/solana/chain-file.ts'
import { messageOf } from '../../../../schemas/errors.ts'
import type { Notice } from '../../../ports/notice.ts'
import { Backoff } from '../../../waiting/retry.ts'
import { inTime, pause } from '../../../waiting/waiting.ts'

/** Size limit of one response, uncompressed. Today's blocks have 6-10 MB as JSON. */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024
const ANSWER_MS_MAX = 20_000
const RETRY_MS_MIN = 250
const RETRY_MS_MAX = 10_000
/** Pause after 429: the retry-after of the node, within these bounds. */
const LIMITED_MS_MIN = 1_000
const LIMITED_MS_MAX = 30_000
/** After this many tries an unreadable response is returned as a failure. */
const UNREADABLE_TRIES_MAX = 6
/** Length limit of an error message in the log. */
const WORDS_MAX = 200
const TOO_MANY_REQUESTS = 429
/** Error codes of a busy, lagging or unhealthy node: they are transient. */
const PASSING_CODES: ReadonlySet<number> = new Set([TOO_MANY_REQUESTS, -32_005, -32_603, -32_016])
/** Error codes about the requested data itself: a retry would return the same (rpc-client-api, custom_error.rs). */
const FINAL_CODES: ReadonlySet<number> = new Set([
  ...[-32_001, -32_002, -32_004, -32_006, -32_007, -32_008, -32_009, -32_010, -32_011, -32_013, -32_014, -32_015],
])
/**
 * Other errors may be transient, as those of a proxy, or mean that the node rejects the request itself (-32600 to -32602), which an
 * operator must see: they are reported, retried, and after this many tries returned as a failure.
 */
const UNKNOWN_TRIES_MAX = 8
const KEY_STATUSES: ReadonlySet<number> = new Set([401, 403])
/** Codes of providers, with any status, for a rejected key. */
const KEY_CODES: ReadonlySet<number> = new Set([-32_401, -32_403, -32_052])

/** `unreadable`: the last of several tries returned an invalid response. `stopped`: the request was cancelled. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number | 'unreadable' | 'stopped'; readonly words: string }

export interface RpcClientOptions {
  /** http(s); may contain a key: never printed. */
  readonly url: string
  /** For the log: the setting or purpose of this node. */
  readonly name: string
  readonly notice: Notice
  /** Timeout of one request; the limit of this file if absent. */
  readonly answerMsMax?: number
  readonly retryMsMin?: number
}

type Trouble = 'limited' | 'late' | 'unreachable' | 'refused' | 'unreadable' | 'key'

/** Advice per kind of failure, except a rejected key. */
const WAYS: Readonly<Record<Exclude<Trouble, 'key'>, string>> = {
  limited: 'its plan allows fewer requests: use a larger plan, or another node',
  late: 'it is slow or hangs: if this persists, use another node',
  unreachable: 'check the address, and that the node runs',
  refused: 'check that the address and its path are those of a JSON-RPC node',
  unreadable: 'check that the address and its path are those of a JSON-RPC node',
}

/** A request in progress. */
interface Request {
  readonly method: string
  readonly params: readonly unknown[]
  readonly stop: AbortSignal
  readonly isResult: ((result: unknown) => boolean) | undefined
  hasFailed: boolean
}

/** The code of the result after a limited number of tries; absent for failures that are retried forever. */
interface Limited {
  readonly triesMax: number
  readonly code: number | 'unreadable'
}

class Failed extends Error {
  readonly trouble: Trouble
  readonly waitMs: number
  readonly limit: Limited | undefined
  constructor(trouble: Trouble, words: string, { waitMs = 0, limit }: { readonly waitMs?: number; readonly limit?: Limited } = {}) {
    super(words)
    this.trouble = trouble
    this.waitMs = waitMs
    this.limit = limit
  }
}

const unreadable = (words: string): Failed =>
  new Failed('unreadable', words, { limit: { triesMax: UNREADABLE_TRIES_MAX, code: 'unreadable' } })

export class RpcClient {
  readonly #options: RpcClientOptions
  #limitedUntilMs = Number.NEGATIVE_INFINITY
  /** Number of requests that have failed and are being retried. */
  #failing = 0
  /** Kinds of failure reported since the last recovery. */
  #reported = new Set<Trouble>()

  constructor(options: RpcClientOptions) {
    this.#options = options
  }
  /**
   * Resolves with a response, which may be the node's refusal; never rejects for an external failure. Transient failures (429, a lagging
   * node, a rejected key) are retried forever, possibly transient ones with a limit. A result that `isResult` rejects is invalid.
   */
  async ask(method: string, params: readonly unknown[], stop: AbortSignal, isResult?: (result: unknown) => boolean): Promise<RpcAnswer> {
    const request: Request = { method, params, stop, isResult, hasFailed: false }
    try {
      return await this.#insist(request)
    } finally {
      if (request.hasFailed) this.#failing--
    }
  }

  async #insist(request: Request): Promise<RpcAnswer> {
    const { stop } = request
    const backoff = new Backoff({ firstMs: this.#options.retryMsMin ?? RETRY_MS_MIN, maxMs: RETRY_MS_MAX })
    for (let limited = 0; ; ) {
      await pause(this.#limitedUntilMs - performance.now(), stop)
      if (stop.aborted) return { ok: false, code: 'stopped', words: '' }
      try {
        const answer = await inTime(stop, this.#options.answerMsMax ?? ANSWER_MS_MAX, (signal) => this.#once(request, signal))
        this.#answered(request)
        return answer
      } catch (thrown) {
        if (stop.aborted) continue
        const failed = thrown instanceof Failed ? thrown : fromWorld(thrown)
        this.#failed(request, failed)
        if (failed.trouble === 'limited') this.#limitedUntilMs = performance.now() + Math.max(failed.waitMs, backoff.nextMs)
        if (failed.limit !== undefined && ++limited >= failed.limit.triesMax)
          return { ok: false, code: failed.limit.code, words: failed.message.slice(0, WORDS_MAX) }
        await backoff.wait(stop)
      }
    }
  }

  async #once({ method, params, isResult }: Request, signal: AbortSignal): Promise<RpcAnswer> {
    const {
      statusCode: status,
      headers,
      body,
    } = await asking(this.#options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal,
    })
    if (status === TOO_MANY_REQUESTS) {
      await body.dump()
      throw new Failed('limited', 'status 429', { waitMs: waitOf(headers['retry-after']) })
    }
    const text = await textOf(body, headers['content-encoding'])
    const answer = parse(text)
    if (KEY_STATUSES.has(status)) throw new Failed('key', `status ${status}${answer?.error ? `: ${answer.error.message}` : ''}`)
    if ((status < 200 || status > 299) && answer?.error === undefined) throw new Failed('refused', `status ${status}`)
    if (answer === undefined) throw unreadable(`${text.length} characters that are not a JSON-RPC response, status ${status}`)
    if (answer.error !== undefined) return refusal(answer.error)
    if (isResult?.(answer.result) === false) throw unreadable(`an invalid result of ${method}`)
    return { ok: true, result: answer.result }
  }
  /** Reports each kind of failure once until the node recovers. */
  #failed(request: Request, { trouble, message }: Failed): void {
    if (!request.hasFailed) this.#failing++
    request.hasFailed = true
    if (this.#reported.has(trouble)) return
    this.#reported.add(trouble)
    const { name: node, url, notice } = this.#options
    const why = message.replace(/\w+:\/\/\S+/g, 'the address').slice(0, WORDS_MAX)
    const { method } = request
    if (trouble === 'key')
      notice('chain_refuses_key', { node, words: `${node} (${new URL(url).origin}) rejects its key (${why}): check the key in ${node}` })
    else
      notice('chain_does_not_answer', {
        node,
        method,
        trouble,
        words: `${node} (${new URL(url).origin}) does not answer ${method} (${why}): ${WAYS[trouble]}. Retrying, at least every ${RETRY_MS_MAX / 1_000} s, or ${LIMITED_MS_MAX / 1_000} s after status 429`,
      })
  }
  /** The node has recovered once no other request is failing. */
  #answered({ hasFailed }: Request): void {
    if (this.#reported.size === 0 || this.#failing > (hasFailed ? 1 : 0)) return
    this.#reported = new Set()
    this.#options.notice('chain_answers_again', { node: this.#options.name })
  }
}

/** The response for an error code. @throws Failed if it may be transient */
const refusal = ({ code, message }: NonNullable<Envelope['error']>): RpcAnswer => {
  if (FINAL_CODES.has(code)) return { ok: false, code, words: message.slice(0, WORDS_MAX) }
  const words = `${code}: ${message}`
  if (KEY_CODES.has(code)) throw new Failed('key', words)
  if (code === TOO_MANY_REQUESTS) throw new Failed('limited', words)
  throw PASSING_CODES.has(code)
    ? new Failed('refused', words)
    : new Failed('refused', words, { limit: { triesMax: UNKNOWN_TRIES_MAX, code } })
}

const waitOf = (retryAfter: string | readonly string[] | undefined): number => {
  const askedMs = Number(retryAfter ?? 0) * 1_000
  return Math.min(LIMITED_MS_MAX, Math.max(LIMITED_MS_MIN, Number.isFinite(askedMs) ? askedMs : 0))
}

/** Classifies a failed request: a timeout, or a connection that failed or ended early. */
const fromWorld = (thrown: unknown): Failed => {
  const name = typeof thrown === 'object' && thrown !== null && 'name' in thrown ? thrown.name : ''
  if (name === 'TimeoutError' || name === 'AbortError') return new Failed('late', 'no answer in time')
  const cause = typeof thrown === 'object' && thrown !== null && 'cause' in thrown ? thrown.cause : undefined
  return new Failed('unreachable', messageOf(cause ?? thrown))
}

const textOf = async (body: Readable, encoding: string | readonly string[] | undefined): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const unpacked = encoding === 'gzip' ? pipeline(body, createGunzip(), () => {}) : body
  for await (const chunk of unpacked as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_BYTES_MAX) throw unreadable(`more than ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  const all = Buffer.concat(chunks)
  // Decoding ASCII as latin1 takes a third of the time for a block of 6 MB.
  return all.toString(isAscii(all) ? 'latin1' : 'utf8')
}

interface Envelope {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Undefined if it is not a JSON-RPC response. */
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
