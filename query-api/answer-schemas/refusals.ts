// Bodies of answers that are no success, and what `/v1/labels` says of each status.
import { z } from 'zod'
import { anyObject, text } from './vocabulary.ts'

export const refusal = z.strictObject({
  ok: z.literal(false),
  error: z
    .string()
    .regex(/^[a-z_0-9]+$/)
    .describe('a stable code'),
  hint: z.string().min(1).describe('what to do'),
  charged: z
    .literal([false, null])
    .optional()
    .describe('false: nothing was charged; null: the outcome of the settlement is not known yet, or the payment was not read'),
  request_id: text.optional().describe('names the line of the log'),
})

const problem = z.strictObject({
  type: text,
  loc: z.array(z.string().or(z.int())),
  msg: text,
  input: z.unknown().optional().describe('what was sent, cut'),
  ctx: anyObject.optional(),
})

export const invalid = z.strictObject({
  detail: z.array(problem),
  charged: z.literal(false).optional().describe('of routes that are sold: nothing was charged'),
})

/** Terms of payment, x402 version 2. */
export const accepts = z.array(
  z.strictObject({
    scheme: z.literal('exact'),
    network: z.string().regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/),
    asset: text,
    amount: z
      .string()
      .regex(/^[1-9][0-9]*$/)
      .describe('micro-USDC'),
    payTo: text,
    maxTimeoutSeconds: z.literal(60),
    extra: anyObject,
  }),
)

/** x402 version 2. */
export const paymentRequired = z.strictObject({
  x402Version: z.literal(2),
  error: text,
  resource: z.strictObject({
    url: text,
    description: text,
    mimeType: text.optional(),
    serviceName: text.optional(),
    tags: z.array(text).optional(),
  }),
  accepts,
  extensions: anyObject,
})

/** By status. */
export const errors = {
  shape: '{ok: false, error, hint}: error is a stable code, hint says what to do; charged: false where a paid question was refused unpaid',
  400: 'the request is not HTTP as this service reads it, the payment header cannot be read, or (compact checks) invalid_mint, invalid_mints: no address or not distinct, invalid_cursor: forged or of other mints; the free check routes answer 422 to these',
  402: 'payment required: the body is the x402 version 2 payment-required body, the header PAYMENT-REQUIRED the same in base64. A path without its address (or with {mint} itself), no query and no payment, answers 402 too',
  403: 'foreign_origin: /mcp of a server for this machine only, asked in the name of another',
  404: 'unknown path, a path parameter that is no address, coverage_missing: a mint of a compact check lacks full live coverage, no_cohort: nothing to compare the launch of a mint by, or unknown_finding; nothing is charged',
  405: 'routes answer GET and HEAD, /mcp answers POST; HEAD never runs nor settles a paid question',
  408: 'the request did not arrive in time',
  409: 'payment and request do not fit, or the outcome of the settlement is not known (charged: null)',
  410: 'cursor_expired: the watch cursor is older than 24 h; nothing is charged',
  413: 'questions take no body; a message to /mcp has its limit',
  414: 'path and query are too long',
  415: '/mcp takes bodies as they are, without Content-Encoding',
  422: '{detail: [{type, loc, msg, input, ctx}]} in the shape of FastAPI and pydantic 2. A parameter given twice is multiple_values. Paid routes refuse unknown query parameters (extra_forbidden, with the nearest name) before payment, charged: false; forbidden_target: a webhook that is not public https; free ones ignore them',
  429: 'rate_limited: too many requests of an address, too many payments of a payer, or too many at a time; see limits. Retry-After says when to come back. charged is null where a payment came along that was not read',
  431: 'headers are too large',
  500: 'a fault of the service; request_id names it',
  503: 'nothing true can be said now (restoring, odds_withdrawn and odds_unavailable: graduation odds are not shown, so that no alerts of them are sold, alerts_full, alerts_unavailable, feed_unavailable: no frame was captured yet or the feed was not fresh yet, feed_stale: more than 5 s behind on compact checks, news_taken_back: by a fork in this moment, history_unavailable, unavailable: something this service needs does not answer, busy, streams_full) or nothing can be sold (payment_unavailable, payment_store_unavailable, payment_busy, answer_too_large); Retry-After says when to try again',
}
