// The bodies of answers that are no success; the contract fixes their shapes.
import type { Problem } from './params.ts'

/** What a question answers with: always JSON, whole, as text. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** One entry of a 422 body. */
export interface ProblemDetail extends Problem {
  readonly loc: readonly (string | number)[]
  readonly input: unknown
}

type Headers = NonNullable<Answer['headers']>
const refused = (status: number, error: string, hint: string, headers: Headers, charged?: false | null): Answer => ({
  status,
  body: JSON.stringify({ ok: false, error, hint, charged }),
  headers,
})

/** `{ok: false, error, hint}`: `error` is a stable code, `hint` a sentence that says what to do. */
export const refusal = (status: number, error: string, hint: string, headers: Headers = {}): Answer => refused(status, error, hint, headers)

/** A refusal that says that nothing was charged: `{ok: false, error, hint, charged: false}`. */
export const refusedUnpaid = (status: number, error: string, hint: string, headers: Headers = {}): Answer =>
  refused(status, error, hint, headers, false)

const UNREAD = 'A payment that came with it was not read: send the identical one again; do not sign another while charged is null'
/** A refusal of a request that nobody read: a payment that came with it is untouched, and may have been settled before. */
export const refusedUnread = (status: number, error: string, hint: string, retryAfterS: number): Answer =>
  refused(status, error, `${hint}. ${UNREAD}`, { 'Retry-After': String(retryAfterS) }, null)

/** As `refusedUnpaid`, of a question that cannot be answered now. */
export const unpaidRefusal = (status: number, error: string, hint: string, retryAfterS: number): Answer =>
  refusedUnpaid(status, error, hint, { 'Retry-After': String(retryAfterS) })

/** After a failure of the world a caller may try again in so many seconds, where an answer names no other time. */
export const RETRY_AFTER_S = 5
const RESTORING_WORDS = `the stores are being restored; try again in ${RETRY_AFTER_S} s`
/** Of questions that are free. */
export const RESTORING = refusal(503, 'restoring', RESTORING_WORDS)
/** Of questions that are sold, and what has to do with them. */
export const RESTORING_UNPAID = unpaidRefusal(503, 'restoring', RESTORING_WORDS, RETRY_AFTER_S)

const unheardWords = (reason: string): string => `${reason}: there is nothing to sell; GET /health says why`
/** Of this process, to whom it may concern. */
export const unheard = (reason: string): Answer =>
  refusal(503, 'feed_unavailable', unheardWords(reason), { 'Retry-After': String(RETRY_AFTER_S) })
/** Of questions that are sold. */
export const unheardUnpaid = (reason: string): Answer => unpaidRefusal(503, 'feed_unavailable', unheardWords(reason), RETRY_AFTER_S)

/** Too many requests; nothing was charged. */
export const tooMany = (limit: string, waitS: number): Answer =>
  unpaidRefusal(429, 'rate_limited', `${limit}: try again in ${waitS} s; a signed payment stays usable`, waitS)

/** The 422 body. Echoed input is cut to INPUT_CHARS_MAX and INPUT_VALUES_MAX. */
export const invalid = (detail: readonly ProblemDetail[], charged?: false): Answer => ({
  status: 422,
  body: JSON.stringify({ detail: shown(detail), charged }),
})
/** The same of a question that is sold. */
export const invalidUnpaid = (detail: readonly ProblemDetail[]): Answer => invalid(detail, false)

/** At most as many as one looks at: a query holds thousands of names. */
const DETAIL_MAX = 20
const shown = (detail: readonly ProblemDetail[]): object[] =>
  detail.slice(0, DETAIL_MAX).map(({ type, loc, msg, input, ctx }) => ({ type, loc, msg, input: cut(input), ...(ctx && { ctx }) }))

const INPUT_CHARS_MAX = 128
const INPUT_VALUES_MAX = 10
/** Lists are echoed one level deep, objects not at all: tools are sent any JSON. */
const cut = (input: unknown): unknown => (Array.isArray(input) ? input.slice(0, INPUT_VALUES_MAX).map(shortOf) : shortOf(input))

const shortOf = (input: unknown): unknown => {
  if (typeof input === 'string') return input.length > INPUT_CHARS_MAX ? `${input.slice(0, INPUT_CHARS_MAX)}…` : input
  return typeof input === 'object' && input !== null ? (Array.isArray(input) ? '[…]' : '{…}') : input
}
