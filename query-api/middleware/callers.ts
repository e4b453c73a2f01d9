// Sets `ctx.ip` to the caller's address, for rate limits, logs and payment replays.
import type { Middleware } from 'koa'
import type { TrustedProxies } from '../http/caller-address.ts'

export const callers =
  (proxies: TrustedProxies): Middleware =>
  (ctx, next) => {
    const forwarded = ctx.req.headers['x-forwarded-for']
    const text = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
    ctx.request.ip = proxies.callerOf(ctx.req.socket.remoteAddress ?? '', text)
    return next()
  }
