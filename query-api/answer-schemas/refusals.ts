// Schemas of refusals, and the meaning of each HTTP status in `/v1/labels`.
import * as z from 'zod'
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
  request_id: text.optional().describe('id of the request in the server log'),
})

const problem = z.strictObject({
  type: text,
  loc: z.array(z.string().or(z.int())),
  msg: text,
  input: z.unknown().optional().describe('the received value, truncated'),
  ctx: anyObject.optional(),
})

export const invalid = z.strictObject({
  detail: z.array(problem),
  charged: z.literal(false).optional().describe('paid routes: nothing was charged'),
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

/** Meanings by status. */
export const errors = {
  shape:
    '{ok: false, error, hint}: error is a stable code, hint states what to do; charged: false if a paid request was refused without charge',
  400: 'the request is not valid HTTP, or the payment header cannot be decoded. Compact checks: invalid_mint, invalid_mints: a mint is not an address, or is given twice; invalid_cursor: the cursor was not issued here, or for other mints. /v1/launches/since: the cursor was not issued by that route. The free check routes return 422 for these',
  402: 'payment required: the body is the x402 version 2 payment-required body, the header PAYMENT-REQUIRED is the body in base64. A path without its address (or with {mint} itself), without query and payment, also returns 402',
  403: 'foreign_origin: a request to /mcp of a local server with the Host or Origin of another machine',
  404: 'unknown path; not_an_address: the path parameter is not a valid address; coverage_missing: a mint of a compact check lacks full live coverage; no_cohort: the shape of the launch is not known; unknown_finding. Nothing is charged',
  405: 'routes accept GET and HEAD, /mcp accepts POST; HEAD never runs or settles a paid request',
  408: 'the request did not arrive in time',
  409: 'the payment does not match the request, or the outcome of the settlement is not known (charged: null)',
  410: 'cursor_expired: the cursor of a watch or of /v1/launches/since is older than 24 h; nothing is charged',
  413: 'routes accept no body; a message to /mcp exceeds body_bytes (see limits)',
  414: 'path and query are too long',
  415: '/mcp accepts bodies without Content-Encoding only',
  422: '{detail: [{type, loc, msg, input, ctx}]}, the format of FastAPI and pydantic 2. A repeated parameter is multiple_values. Paid routes refuse unknown query parameters (extra_forbidden, with the nearest name) before payment, with charged: false; free routes ignore them. forbidden_target: a webhook that is not public https; unproven_target: a generic webhook that did not return the challenge of /v1/alerts/webhook (see alerts.challenge), so nothing is charged',
  429: 'rate_limited: too many requests from an address, too many payments from a payer, too many at a time, or a second challenge to a webhook host within a minute; see limits. Retry-After states when to retry. charged is null if the request had a payment, which was not read',
  431: 'headers are too large',
  500: 'internal error; request_id identifies it',
  503: 'no valid answer is possible now (restoring; odds_withdrawn, odds_unavailable: graduation odds are not shown, so alerts about them are not sold; alerts_full; alerts_unavailable; feed_unavailable: no frame was captured yet, or the feed is not fresh yet; feed_stale: more than 5 s behind on compact checks; feed_behind: /v1/launches/since on a server that is behind another; news_taken_back: a reorg has just retracted the new events; history_unavailable; unavailable: a dependency of this service does not respond; busy; streams_full) or nothing can be sold (payment_unavailable, payment_store_unavailable, payment_busy, answer_too_large); Retry-After states when to retry',
}
