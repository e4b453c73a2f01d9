// Headers that stand on every answer, the gate's too.
import type { Middleware } from 'koa'

/** Answers carry text of strangers: no browser may take JSON for anything else. */
export const headers: Middleware = (ctx, next) => {
  ctx.set('X-Content-Type-Options', 'nosniff')
  return next()
}
