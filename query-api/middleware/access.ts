// Access log and metrics of each request when it ends; logs the route's template, never the path or query.
import type { Context, Middleware } from 'koa'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import type { Logger } from '../http/logger.ts'

/** Time for a client to read an answer larger than the socket's buffers; then the connection is closed. */
const READ_MS_MAX = 30_000
const BUFFERED_BYTES = 64 * 1024
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS'])

/** Returns the route's template, never the requested path: this bounds the number of different values. */
export type RouteOf = (ctx: Context) => string

export const access =
  (logger: Pick<Logger, 'info'>, observer: ApiObserver, routeOf: RouteOf): Middleware =>
  async (ctx, next) => {
    const startedMs = performance.now()
    const { res, req } = ctx
    const bytesBefore = req.socket.bytesWritten
    res.once('close', () => {
      const ms = performance.now() - startedMs
      const route = routeOf(ctx)
      const method = METHODS.has(ctx.method) ? ctx.method : 'other'
      observer.request({ route, method, status: res.statusCode, ms })
      const { requestId } = ctx.state as { readonly requestId?: string }
      const bytes = req.socket.bytesWritten - bytesBefore
      const facts = { requestId, method, route, status: res.statusCode, ms: Math.round(ms * 10) / 10, caller: ctx.ip, bytes }
      logger.info(res.writableFinished ? facts : { ...facts, cut: true }, 'request')
    })
    await next()
    cutSlowReader(ctx)
  }

/** Not for event streams, which bypass Koa and disconnect slow readers themselves. */
const cutSlowReader = ({ res, response, respond }: Context): void => {
  if (respond === false || (response.length ?? Number.POSITIVE_INFINITY) <= BUFFERED_BYTES) return
  const timer = setTimeout(() => res.destroy(), READ_MS_MAX)
  timer.unref()
  res.once('close', () => clearTimeout(timer))
}

/** The matched route's template, a path of `fixed`, or `unmatched`. */
export const routeNames = (templates: readonly string[], fixed: readonly string[]): RouteOf => {
  const byRoute = new Map(templates.map((template) => [template.replaceAll(/\{(\w+)\}/g, ':$1'), template]))
  const known = new Set(fixed)
  return (ctx) => {
    const matched: unknown = ctx._matchedRoute
    if (typeof matched === 'string') return byRoute.get(matched) ?? matched
    return known.has(ctx.path) ? ctx.path : 'unmatched'
  }
}
