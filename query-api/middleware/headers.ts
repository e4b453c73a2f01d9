// Headers that stand on every answer, the gate's too.
import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'
import { RETRY_AFTER_S } from '../questions/bodies.ts'

/** Ids of callers that are kept: nothing that could break a log or a header. */
const SANE_ID = /^[A-Za-z0-9._:-]{8,128}$/
/** Shared caches tell answers apart by these: who reads across origins is told so, and long bodies leave compressed. */
const VARY = 'Origin, Accept-Encoding'

/** The caller's id where it is sane, else a new one. */
const requestIdOf = (sent: string | string[] | undefined): string => (typeof sent === 'string' && SANE_ID.test(sent) ? sent : randomUUID())

/**
 * Answers carry text of strangers: no browser may take JSON for anything else, run it or frame it. Pages set a policy of their own. Puts
 * the request's id into `ctx.state.requestId`.
 */
export const headers: Middleware = async (ctx, next) => {
  const requestId = requestIdOf(ctx.req.headers['x-request-id'])
  ctx.state.requestId = requestId
  const { res } = ctx
  res.setHeader('X-Request-Id', requestId)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('Vary', VARY)
  await next()
  // Of refusals that name no time of their own.
  if ((ctx.status === 503 || ctx.status === 429) && !res.headersSent && !res.hasHeader('Retry-After'))
    res.setHeader('Retry-After', String(RETRY_AFTER_S))
}
