// Sends one request to a target: resolves it again, follows no redirects, limits time and bytes. Failure reasons contain no address.
import { Agent, request } from 'undici'
import { alertLimits } from '../limits.ts'
import type { Message } from '../messages.ts'
import { FORBIDDEN_CODE, guardedLookup, type Resolve, UNKNOWN_CODE } from './resolving.ts'
import { type TargetRules, urlProblem } from './target-url.ts'

/** `waitMs`: the target's Retry-After, at most the maximum backoff. */
export interface SendFailure {
  readonly kind: 'failed'
  readonly reason: string
  readonly waitMs: number
}
/** `body`: what was read of the response. */
type SendOutcome = { readonly kind: 'delivered'; readonly body: string } | SendFailure

export interface Sender {
  /** Any 2xx is a delivery. Never rejects. Each request is on the wire at once: the caller limits their number. */
  send(message: Message, stop: AbortSignal): Promise<SendOutcome>
  close(): Promise<void>
}

const MS = 1_000
const ORIGINS_MAX = 2_000

export const openSender = (resolve: Resolve, rules: TargetRules): Sender => {
  const { requestMsMax } = alertLimits
  const agents = new Agents(() => {
    const connect = { lookup: guardedLookup(resolve, rules), timeout: requestMsMax }
    // The deadline of a request covers its headers and its body.
    return new Agent({ pipelining: 1, keepAliveTimeout: MS, headersTimeout: 0, bodyTimeout: 0, connect })
  })
  return {
    send: async ({ url, headers, body }, stop) => {
      if (urlProblem(url, 'generic', rules) !== null) return failed('target_forbidden')
      const deadline = new Deadline(requestMsMax)
      try {
        const signal = AbortSignal.any([stop, deadline.signal])
        const dispatcher = agents.for(new URL(url).origin)
        const response = await request(url, { method: 'POST', headers, body, dispatcher, signal, maxRedirections: 0 })
        const read = await readSome(response.body)
        const { statusCode } = response
        if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', body: read }
        return failed(`status ${statusCode}`, waitOf(response.headers['retry-after']))
      } catch (failure) {
        return failed(reasonOf(failure))
      } finally {
        deadline.clear()
      }
    },
    close: () => agents.close(),
  }
}

/** Aborts after a time, once what has arrived until then is read: if this process was stopped meanwhile, the target has not failed. */
class Deadline {
  readonly #late = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(ms: number) {
    const end = (): void => this.#late.abort(new DOMException('no answer in time', 'TimeoutError'))
    this.#timer = setTimeout(() => setImmediate(end), ms).unref()
  }
  get signal(): AbortSignal {
    return this.#late.signal
  }
  clear(): void {
    clearTimeout(this.#timer)
  }
}

/** An agent keeps an object for each origin for good: after `ORIGINS_MAX` of them another one takes its place. */
class Agents {
  readonly #open: () => Agent
  readonly #origins = new Set<string>()
  #agent: Agent

  constructor(open: () => Agent) {
    this.#open = open
    this.#agent = open()
  }
  for(origin: string): Agent {
    if (!this.#origins.has(origin) && this.#origins.size >= ORIGINS_MAX) {
      // Ends after the requests that it has in flight.
      void this.#agent.close()
      this.#agent = this.#open()
      this.#origins.clear()
    }
    this.#origins.add(origin)
    return this.#agent
  }
  close(): Promise<void> {
    return this.#agent.destroy()
  }
}

const failed = (reason: string, waitMs = 0): SendFailure => ({ kind: 'failed', reason, waitMs })

/** Reads a response up to the limit, and closes the connection if it is longer. */
const readSome = async (body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > alertLimits.responseBytesMax) break
  }
  body.destroy()
  return Buffer.concat(chunks).toString('utf8')
}

/** Retry-After in milliseconds. Only the form in seconds is supported: Discord and Telegram send no other. */
const waitOf = (header: string | string[] | undefined): number => {
  const seconds = Number(header)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * MS, alertLimits.retryMsMax) : 0
}

const REASONS: Readonly<Record<string, string>> = {
  [FORBIDDEN_CODE]: 'target_forbidden',
  [UNKNOWN_CODE]: 'name_unknown',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
}

/** A fixed code, because error messages of libraries contain addresses. */
const reasonOf = (failure: unknown): string => {
  const { code, name } = (failure ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  if (name === 'TimeoutError' || String(code).includes('TIMEOUT')) return 'no_answer_in_time'
  return REASONS[String(code)] ?? 'request_failed'
}
