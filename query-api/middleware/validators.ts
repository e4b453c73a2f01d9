// ETags and 304 answers for cacheable answers.
import { hash } from 'node:crypto'
import type { Middleware } from 'koa'

/** Maximum number of cached tags; about a dozen page assets and documents need one. */
const REMEMBERED_MAX = 64
const TAG_CHARS = 22

/** Weak, because the same answer is also sent compressed. */
export const tagOf = (text: string): string => `W/"${hash('sha256', text, 'base64url').slice(0, TAG_CHARS)}"`

/** Adds an ETag to public answers without one, and returns 304 to clients whose If-None-Match has the current one. */
export const validators = (): Middleware => {
  const known = new Map<string, { readonly body: string; readonly tag: string }>()
  const tagAt = (path: string, body: string): string => {
    const found = known.get(path)
    if (found?.body === body) return found.tag
    const tag = tagOf(body)
    if (known.size >= REMEMBERED_MAX) known.clear()
    known.set(path, { body, tag })
    return tag
  }
  return async (ctx, next) => {
    await next()
    const { body, res } = ctx
    if (ctx.status !== 200 || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return
    const isPublic = String(res.getHeader('Cache-Control') ?? '').startsWith('public')
    if (isPublic && typeof body === 'string' && !res.hasHeader('ETag')) res.setHeader('ETag', tagAt(ctx.path, body))
    if (!res.hasHeader('ETag') || !ctx.fresh) return
    ctx.status = 304
    ctx.body = null
  }
}
