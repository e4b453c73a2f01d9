// Converts answers, refusals and errors into tool results.
import { randomUUID } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { SettleResponse } from '@x402/core/types'
import { unreachable } from '../../schemas/errors.ts'
import { causeOf, faultOf } from '../http/fault.ts'
import type { Logger } from '../http/logger.ts'
import type { SaleOutcome } from '../payment/gate.ts'
import type { QuestionSale } from '../payment/sale.ts'
import { type Answer, invalid, type ProblemDetail, RETRY_AFTER_S } from '../questions/bodies.ts'

/** Key of the payment in `params._meta`. */
export const PAYMENT = 'x402/payment'
/** Key of the receipt in the result's `_meta`. */
const PAYMENT_RESPONSE = 'x402/payment-response'

/** The payment in a call's `_meta`, as sent. */
export const paymentIn = ({ [PAYMENT]: payment }: Readonly<Record<string, unknown>>): string | object | undefined =>
  typeof payment === 'string' || (typeof payment === 'object' && payment !== null) ? payment : undefined

type Body = Record<string, unknown>

const result = (text: string, isError: boolean, receipt?: SettleResponse): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: JSON.parse(text) as Body,
  ...(isError && { isError }),
  ...(receipt && { _meta: { [PAYMENT_RESPONSE]: receipt } }),
})

/** Converts 422 bodies, whose `loc` is in the query, into problems of arguments. */
export const answered = ({ status, body }: Answer): CallToolResult => {
  if (status !== 422) return result(body, status >= 400)
  const { detail } = JSON.parse(body) as { detail: ProblemDetail[] }
  return wrongArguments(detail.map((problem) => ({ ...problem, loc: problem.loc.slice(1) })))
}

/** All problems of the arguments, in the form of HTTP and as a hint. */
export const wrongArguments = (detail: readonly ProblemDetail[]): CallToolResult => {
  const at = detail.map(({ loc, ...problem }) => ({ ...problem, loc: ['arguments', ...loc] }))
  const hint = detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
  const { detail: shown } = JSON.parse(invalid(at).body) as { detail: unknown }
  return result(JSON.stringify({ ok: false, error: 'invalid_arguments', hint, detail: shown }), true)
}

/** A call without payment is not a protocol error: the result has the terms, and paying clients call again. */
export const outcomeResult = (outcome: SaleOutcome, finish: QuestionSale['finish']): CallToolResult => {
  switch (outcome.kind) {
    case 'sold':
      return result(finish(Buffer.from(outcome.answer.bodyBase64, 'base64').toString('utf8'), outcome), false, outcome.receipt)
    case 'given':
      return answered(outcome.answer)
    case 'asked':
      return result(JSON.stringify(outcome.body), true, outcome.failed)
    case 'refused': {
      const { error, hint, charged, retryAfterS, failed } = outcome
      return result(JSON.stringify({ ok: false, error, hint, charged, ...(retryAfterS && { retry_after_s: retryAfterS }) }), true, failed)
    }
    default:
      return unreachable(outcome)
  }
}

/** The log has the cause under the request id of the result. */
export const fault = (error: unknown, tool: string, logger: Logger): CallToolResult => {
  const requestId = randomUUID()
  const { isWorld, ...shown } = faultOf(error)
  logger.error({ requestId, tool, err: causeOf(error) }, isWorld ? 'tool failed: a dependency failed' : 'tool failed: a bug')
  const body = { ok: false, ...shown, ...(isWorld && { retry_after_s: RETRY_AFTER_S }), request_id: requestId }
  return result(JSON.stringify(body), true)
}
