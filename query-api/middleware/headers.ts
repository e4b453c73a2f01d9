// Sets the headers of every answer.
import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'
import { RETRY_AFTER_S } from '../questions/bodies.ts'

/** Accepted request ids of callers: safe in logs and headers. */
const SANE_ID = /^[A-Za-z0-9._:-]{8,128}$/
/** Answers vary by CORS origin and by compression. */
const VARY = 'Origin, Accept-Encoding'

/** The caller's id if it is accepted, else a new one. */
const requestIdOf = (sent: string | string[] | undefined): string => (typeof sent === 'string' && SANE_ID.test(sent) ? sent : randomUUID())

/**
 * Answers contain untrusted text: browsers must not sniff the type of JSON, run it or frame it. Pages set their own policy. Sets
 * `ctx.state.requestId`. Once `stopping` has fired, each answer closes its connection: the caller's next one goes to another process.
 */
export const headers =
  (stopping?: AbortSignal): Middleware =>
  async (ctx, next) => {
    const requestId = requestIdOf(ctx.req.headers['x-request-id'])
    ctx.state.requestId = requestId
    const { res } = ctx
    res.setHeader('X-Request-Id', requestId)
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
    res.setHeader('Referrer-Policy', 'no-referrer')
    res.setHeader('Vary', VARY)
    await next()
    // The default for refusals without their own Retry-After.
    if ((ctx.status === 503 || ctx.status === 429) && !res.headersSent && !res.hasHeader('Retry-After'))
      res.setHeader('Retry-After', String(RETRY_AFTER_S))
    if (stopping?.aborted && !res.headersSent) res.setHeader('Connection', 'close')
  }
