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

/** `{ok: false, error, hint}`: `error` is a stable code, `hint` a sentence that says what to do. */
export const refusal = (status: number, error: string, hint: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  body: JSON.stringify({ ok: false, error, hint }),
  headers,
})

/** A refusal of a paid question that cannot be answered now: says that nothing was charged. */
export const unpaidRefusal = (status: number, error: string, hint: string, retryAfterS: number): Answer => ({
  status,
  body: JSON.stringify({ ok: false, error, hint, charged: false }),
  headers: { 'Retry-After': String(retryAfterS) },
})

/** The 422 body. Echoed input is cut to INPUT_CHARS_MAX. */
export const invalid = (detail: readonly ProblemDetail[]): Answer => ({
  status: 422,
  body: JSON.stringify({
    detail: detail.map(({ type, loc, msg, input, ctx }) => ({ type, loc, msg, input: cut(input), ...(ctx && { ctx }) })),
  }),
})

const INPUT_CHARS_MAX = 128
const INPUT_VALUES_MAX = 10
const cut = (input: unknown): unknown => {
  if (typeof input === 'string') return input.length > INPUT_CHARS_MAX ? `${input.slice(0, INPUT_CHARS_MAX)}…` : input
  return Array.isArray(input) ? input.slice(0, INPUT_VALUES_MAX).map(cut) : input
}
