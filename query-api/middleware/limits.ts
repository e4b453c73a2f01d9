// Refuses requests larger than any route needs, before reading them. Header limits: see serverOptions.
import type { IncomingMessage } from 'node:http'
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
  if (ctx.path === MCP_PATH) return next()
  const { 'content-length': declared = 0, 'transfer-encoding': framing } = ctx.req.headers
  if (Number(declared) > BODY_BYTES_MAX) return send(ctx, BODY_TOO_LARGE)
  return framing === undefined ? next() : isSmall(ctx.req).then((small) => (small ? next() : send(ctx, BODY_TOO_LARGE)))
}

/** Reads a body of undeclared length; false as well if its client disconnects. */
const isSmall = async (request: IncomingMessage): Promise<boolean> => {
  let bytes = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > BODY_BYTES_MAX) return false
    }
    return true
  } catch {
    return false
  }
}
