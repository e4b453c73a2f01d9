// Refuses requests larger than any route needs, before reading them. Header limits: see serverOptions.
import type { IncomingHttpHeaders } from 'node:http'
import type { Middleware } from 'koa'
import { send } from '../http/send.ts'
import { refusal } from '../questions/bodies.ts'
import { MCP_PATH } from '../questions/limits.ts'

/** Maximum length of path and query together, characters. */
export const URL_CHARS_MAX = 4096
/** Routes accept no body; a small one is ignored, because some clients always send `{}`. MCP has its own limit. */
export const BODY_BYTES_MAX = 1024

const URL_TOO_LONG = refusal(414, 'url_too_long', `path and query together can have at most ${URL_CHARS_MAX} characters`)
const BODY_TOO_LARGE = refusal(413, 'body_not_allowed', 'routes accept no body: put parameters into the query', { Connection: 'close' })

export const limits: Middleware = (ctx, next) => {
  if (ctx.originalUrl.length > URL_CHARS_MAX) return send(ctx, URL_TOO_LONG)
  if (ctx.path !== MCP_PATH && hasLargeBody(ctx.req.headers)) return send(ctx, BODY_TOO_LARGE)
  return next()
}

const hasLargeBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX
