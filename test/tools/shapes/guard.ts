// Stands before an app under test: an answer that is not what is published of it becomes a 599 that says where.

import { Readable } from 'node:stream'
import type { Middleware } from 'koa'
import { answerNames } from '../../shipped.ts'
import { componentOf, faultsAs } from './check.ts'

const templates = Object.keys(answerNames).map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))

/** The template of a path, among those with published answers. */
const templateOf = (path: string): string | undefined => templates.find(({ pattern }) => pattern.test(path))?.path

/** Bodies of 402s are left to tests with a real gate, and compressed ones to those that ask for compression. */
export const publishedShapes: Middleware = async (ctx, next) => {
  await next()
  const path = templateOf(ctx.path)
  const body: unknown = ctx.body
  if (body instanceof Readable) return
  if (path === undefined || ctx.method !== 'GET' || ctx.status === 402 || ctx.response.is('json') === false) return
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? String(body) : JSON.stringify(body)
  const faults = faultsAs(componentOf(path, ctx.status), JSON.parse(text))
  if (faults.length === 0) return
  ctx.status = 599
  ctx.body = { path, faults: faults.slice(0, 20) }
}
