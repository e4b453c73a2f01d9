// CORS for programs in browsers: allows any origin, because nothing here depends on cookies or origins.
import cors from '@koa/cors'
import type { Middleware } from 'koa'

/** Response headers that pages can read, in addition to those always readable. */
const EXPOSED = ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Retry-After', 'X-Request-Id', 'ETag', 'Mcp-Session-Id']
/** Request headers that pages can send. The official x402 clients send `Access-Control-Expose-Headers`, a response header, with each payment.
 * X-PAYMENT is refused with a sentence, which pages can read only if it is allowed. */
const ALLOWED = [
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'Access-Control-Expose-Headers',
  'Accept',
  'Content-Type',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
]
/** Cache time of a preflight, seconds. */
const PREFLIGHT_S = 600

/** Skips requests without an Origin. */
export const browsers = (): Middleware => {
  const setHeaders = cors({
    origin: '*',
    allowMethods: 'GET,HEAD,POST',
    allowHeaders: ALLOWED,
    exposeHeaders: EXPOSED,
    maxAge: PREFLIGHT_S,
  })
  return (ctx, next) => (ctx.req.headers.origin === undefined && ctx.method !== 'OPTIONS' ? next() : setHeaders(ctx, next))
}
