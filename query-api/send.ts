// How an answer leaves.
import type { Context } from 'koa'
import type { Answer } from './bodies.ts'

type Response = Pick<Context, 'status' | 'body' | 'set'>

/** Status and headers of an answer whose body nobody made: what HEAD gets where nothing is asked for. */
export const sendHead = (ctx: Response, status = 200): void => {
  ctx.status = status
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.set('Cache-Control', 'no-store')
}

/** Sets status, headers and body; length and type are set here, so that Koa guesses nothing. */
export const send = (ctx: Response, { status, body, headers }: Answer): void => {
  sendHead(ctx, status)
  if (headers !== undefined) ctx.set(headers)
  ctx.body = body
}
