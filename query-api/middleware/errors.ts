// The one place where what was thrown becomes an answer. Nothing of the process leaves: no stack, no path, no message.
import type { Middleware } from 'koa'
import { EngineError } from '../../schemas/errors.ts'
import type { Logger } from '../logger.ts'

/** Seconds after which a caller may try again when the world failed. */
const RETRY_AFTER_S = 5

/** World failures answer 503, everything else 500; both carry the request's id, which stands in the log beside the cause. */
export const mapErrors =
  (logger: Logger): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const { requestId } = ctx.state as { readonly requestId?: string }
      const isWorld = error instanceof EngineError
      logger.error(
        { requestId, method: ctx.method, path: ctx.path, err: error },
        isWorld ? 'request failed: the world' : 'request failed: a bug',
      )
      ctx.status = isWorld ? 503 : 500
      ctx.set('Cache-Control', 'no-store')
      if (isWorld) ctx.set('Retry-After', String(RETRY_AFTER_S))
      ctx.body = {
        ok: false,
        error: isWorld ? 'unavailable' : 'internal_error',
        hint: isWorld
          ? `something this service needs does not answer; try again in ${RETRY_AFTER_S} s`
          : 'this is a fault of the service; name the request id when you report it',
        request_id: requestId,
      }
    }
  }
