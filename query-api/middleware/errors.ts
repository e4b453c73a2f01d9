// Maps errors thrown by routes to answers.
import type { Middleware } from 'koa'
import { causeOf, faultOf } from '../http/fault.ts'
import type { Logger } from '../http/logger.ts'

/** Failures of dependencies return 503, everything else 500; both have the request id, under which the log has the cause. */
export const mapErrors =
  (logger: Logger): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const { requestId } = ctx.state as { readonly requestId?: string }
      const { isWorld, ...shown } = faultOf(error)
      logger.error(
        { requestId, method: ctx.method, path: ctx.path, err: causeOf(error) },
        isWorld ? 'request failed: a dependency failed' : 'request failed: a bug',
      )
      ctx.status = isWorld ? 503 : 500
      ctx.set('Cache-Control', 'no-store')
      ctx.body = { ok: false, ...shown, request_id: requestId }
    }
  }
