// Sends answers through Koa.
import type { Context } from 'koa'
import { type Answer, refusal } from '../questions/bodies.ts'

type Response = Pick<Context, 'status' | 'body' | 'res'>

/** Sets status and headers of an answer without a body, as for HEAD with payments off. */
export const sendHead = (ctx: Response, status = 200): void => {
  ctx.status = status
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.res.setHeader('Cache-Control', 'no-store')
}

/** Sets status, headers (the type included, so Koa does not guess it) and body. */
export const send = (ctx: Response, { status, body, headers }: Answer): void => {
  sendHead(ctx, status)
  for (const name in headers) ctx.res.setHeader(name, headers[name] as string)
  ctx.body = body
}

/** Answers unsupported methods with 405 and `Allow`, and OPTIONS with 204 and `Allow`. */
export const sendMethods = (ctx: Response & Pick<Context, 'method' | 'path'>, methods: 'GET, HEAD' | 'POST', hint: string): void => {
  ctx.res.setHeader('Allow', `${methods}, OPTIONS`)
  if (ctx.method === 'OPTIONS') ctx.status = 204
  else send(ctx, refusal(405, 'method_not_allowed', hint))
}
