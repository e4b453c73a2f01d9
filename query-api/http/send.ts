// How an answer leaves.
import type { Context } from 'koa'
import { type Answer, refusal } from '../questions/bodies.ts'

type Response = Pick<Context, 'status' | 'body' | 'res'>

/** Status and headers of an answer whose body nobody made: what HEAD gets where nothing is asked for. */
export const sendHead = (ctx: Response, status = 200): void => {
  ctx.status = status
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.res.setHeader('Cache-Control', 'no-store')
}

/** Sets status, headers and body; length and type are set here, so that Koa guesses nothing. */
export const send = (ctx: Response, { status, body, headers }: Answer): void => {
  sendHead(ctx, status)
  for (const name in headers) ctx.res.setHeader(name, headers[name] as string)
  ctx.body = body
}

/** What another method than those it answers gets: the list of them, which OPTIONS asks for. */
export const sendMethods = (ctx: Response & Pick<Context, 'method' | 'path'>, methods: 'GET, HEAD' | 'POST', hint: string): void => {
  ctx.res.setHeader('Allow', `${methods}, OPTIONS`)
  if (ctx.method === 'OPTIONS') ctx.status = 204
  else send(ctx, refusal(405, 'method_not_allowed', hint))
}
