// How answers, refusals and faults look as results of tools: an agent reads them, so that each says what to do.
import { randomUUID } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { SettleResponse } from '@x402/core/types'
import { unreachable } from '../../schemas/errors.ts'
import { causeOf, faultOf } from '../http/fault.ts'
import type { Logger } from '../http/logger.ts'
import type { SaleOutcome } from '../payment/gate.ts'
import type { QuestionSale } from '../payment/sale.ts'
import { type Answer, invalid, type ProblemDetail, RETRY_AFTER_S } from '../questions/bodies.ts'

/** Where a payment stands in `params._meta`. */
export const PAYMENT = 'x402/payment'
/** Where its receipt stands in `_meta` of the result. */
const PAYMENT_RESPONSE = 'x402/payment-response'

/** The payment as sent, in `_meta` of a call. */
export const paymentIn = ({ [PAYMENT]: payment }: Readonly<Record<string, unknown>>): string | object | undefined =>
  typeof payment === 'string' || (typeof payment === 'object' && payment !== null) ? payment : undefined

type Body = Record<string, unknown>

const result = (text: string, isError: boolean, receipt?: SettleResponse): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: JSON.parse(text) as Body,
  ...(isError && { isError }),
  ...(receipt && { _meta: { [PAYMENT_RESPONSE]: receipt } }),
})

/** A body of 422 names places in the query, which a tool does not have. */
export const answered = ({ status, body }: Answer): CallToolResult => {
  if (status !== 422) return result(body, status >= 400)
  const { detail } = JSON.parse(body) as { detail: ProblemDetail[] }
  return wrongArguments(detail.map((problem) => ({ ...problem, loc: problem.loc.slice(1) })))
}

/** All that is wrong with the arguments, as HTTP says it, and once more in a sentence. */
export const wrongArguments = (detail: readonly ProblemDetail[]): CallToolResult => {
  const at = detail.map(({ loc, ...problem }) => ({ ...problem, loc: ['arguments', ...loc] }))
  const hint = detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
  const { detail: shown } = JSON.parse(invalid(at).body) as { detail: unknown }
  return result(JSON.stringify({ ok: false, error: 'invalid_arguments', hint, detail: shown }), true)
}

/** Unpaid is no error of the protocol: the result says the terms, and clients that can pay call again. */
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

/** The request id stands in the log beside the cause. */
export const fault = (error: unknown, tool: string, logger: Logger): CallToolResult => {
  const requestId = randomUUID()
  const { isWorld, ...told } = faultOf(error)
  logger.error({ requestId, tool, err: causeOf(error) }, isWorld ? 'tool failed: the world' : 'tool failed: a bug')
  const body = { ok: false, ...told, ...(isWorld && { retry_after_s: RETRY_AFTER_S }), request_id: requestId }
  return result(JSON.stringify(body), true)
}
