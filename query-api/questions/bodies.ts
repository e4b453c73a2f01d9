// The bodies of refusals; clients rely on their shapes, which `/openapi.json` describes (`Refusal`, `ValidationError`).
import type { Problem } from './params.ts'

/** A complete answer: status, body (JSON unless its headers state another type) and headers. */
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

/** `{ok: false, error, hint}`: `error` is a stable code, `hint` states what to do. */
export const refusal = (status: number, error: string, hint: string, headers: Headers = {}): Answer => refused(status, error, hint, headers)

/** A refusal with `charged: false`: `{ok: false, error, hint, charged: false}`. */
export const refusedUnpaid = (status: number, error: string, hint: string, headers: Headers = {}): Answer =>
  refused(status, error, hint, headers, false)

const UNREAD = 'If the request had a payment, it was not read: send the identical payment again; do not sign another while charged is null'
/** A refusal of a request that was not read, with `charged: null`: its payment was not touched, and may have been settled earlier. */
export const refusedUnread = (status: number, error: string, hint: string, retryAfterS: number): Answer =>
  refused(status, error, `${hint}. ${UNREAD}`, { 'Retry-After': String(retryAfterS) }, null)

/** As `refusedUnpaid`, with `Retry-After`, if the request cannot be answered now. */
export const refusedForNow = (status: number, error: string, hint: string, retryAfterS: number): Answer =>
  refusedUnpaid(status, error, hint, { 'Retry-After': String(retryAfterS) })

/** The default `Retry-After` after the failure of a dependency, seconds. */
export const RETRY_AFTER_S = 5
/** For free routes: the history is needed, and does not answer. */
export const historyAway = (reason: string): Answer =>
  refusal(503, 'history_unavailable', `${reason}; retry in ${RETRY_AFTER_S} s`, { 'Retry-After': String(RETRY_AFTER_S) })
/** 503 with `charged: false`: the history is needed, and does not answer. @param text states what is missing, and why */
export const historyUnavailable = (text: string): Answer =>
  refusedForNow(503, 'history_unavailable', `${text}. Retry in ${RETRY_AFTER_S} s`, RETRY_AFTER_S)
const RESTORING_TEXT = `the stores are being restored; retry in ${RETRY_AFTER_S} s`
/** For free routes. */
export const RESTORING = refusal(503, 'restoring', RESTORING_TEXT)
/** For paid routes, and for the free routes of checks and of the stream: states that nothing was charged. */
export const RESTORING_UNPAID = refusedForNow(503, 'restoring', RESTORING_TEXT, RETRY_AFTER_S)

const noFeedText = (reason: string): string => `${reason}: there is nothing to sell; see GET /health`
/** For free routes. */
export const feedUnavailable = (reason: string): Answer =>
  refusal(503, 'feed_unavailable', noFeedText(reason), { 'Retry-After': String(RETRY_AFTER_S) })
/** For paid routes, and for the free watch: states that nothing was charged. */
export const feedUnavailableUnpaid = (reason: string): Answer => refusedForNow(503, 'feed_unavailable', noFeedText(reason), RETRY_AFTER_S)

/** Too many requests; nothing was charged. */
export const tooMany = (limit: string, waitS: number): Answer =>
  refusedForNow(429, 'rate_limited', `${limit}: retry in ${waitS} s; a signed payment remains usable`, waitS)

/** The 422 body. Echoed input is cut to INPUT_CHARS_MAX and INPUT_VALUES_MAX. */
export const invalid = (detail: readonly ProblemDetail[], charged?: false): Answer => ({
  status: 422,
  body: JSON.stringify({ detail: shown(detail), charged }),
})
/** The 422 body of a paid route. */
export const invalidUnpaid = (detail: readonly ProblemDetail[]): Answer => invalid(detail, false)

/** Limit of listed problems: a query can have thousands of names. */
const DETAIL_MAX = 20
const shown = (detail: readonly ProblemDetail[]): object[] =>
  detail.slice(0, DETAIL_MAX).map(({ type, loc, msg, input, ctx }) => ({ type, loc, msg, input: cut(input), ...(ctx && { ctx }) }))

const INPUT_CHARS_MAX = 128
const INPUT_VALUES_MAX = 10
/** Lists are echoed one level deep, objects not at all: tool arguments can be any JSON. */
const cut = (input: unknown): unknown => (Array.isArray(input) ? input.slice(0, INPUT_VALUES_MAX).map(shortOf) : shortOf(input))

const shortOf = (input: unknown): unknown => {
  if (typeof input === 'string') return input.length > INPUT_CHARS_MAX ? `${input.slice(0, INPUT_CHARS_MAX)}…` : input
  return typeof input === 'object' && input !== null ? (Array.isArray(input) ? '[…]' : '{…}') : input
}
