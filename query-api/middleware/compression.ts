// Bodies that are worth it leave compressed, for who accepts that.
import { constants } from 'node:zlib'
import type { Middleware } from 'koa'
import compress from 'koa-compress'

/** A card has about 4 KB, and packing one takes twice the processor time of making it (measured: 0.4 ms): lists and documents are worth it. */
const BODY_BYTES_MIN = 8_192

/** Quick settings: answers are made for each request. */
export const compression = (): Middleware =>
  compress({
    threshold: BODY_BYTES_MIN,
    gzip: { level: 2 },
    deflate: { level: 2 },
    br: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  })
