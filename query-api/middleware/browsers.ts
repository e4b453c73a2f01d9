// What programs in browsers need: any origin may ask, because nothing here goes by cookies or by where a request comes from.
import cors from '@koa/cors'
import type { Middleware } from 'koa'

/** What a page may read of an answer, beside what browsers always show. */
const EXPOSED = ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Retry-After', 'X-Request-Id', 'ETag', 'Mcp-Session-Id']
/** What a page may send. The official clients of x402 send `Access-Control-Expose-Headers`, an answer's header, with each payment. */
const ALLOWED = [
  'PAYMENT-SIGNATURE',
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
/** A preflight holds for so long, seconds. */
const PREFLIGHT_S = 600

/** Who names no origin is told nothing of this. */
export const browsers = (): Middleware => {
  const tell = cors({ origin: '*', allowMethods: 'GET,HEAD,POST', allowHeaders: ALLOWED, exposeHeaders: EXPOSED, maxAge: PREFLIGHT_S })
  return (ctx, next) => (ctx.req.headers.origin === undefined && ctx.method !== 'OPTIONS' ? next() : tell(ctx, next))
}
