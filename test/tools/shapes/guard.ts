// Middleware for an app under test: replaces an answer that violates its published schema with a 599 that lists the violations.

import { Readable } from 'node:stream'
import type { Middleware } from 'koa'
import { answerNames } from '../../shipped.ts'
import { componentOf, faultsAs } from './check.ts'

const templates = Object.keys(answerNames).map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))

/** The path template, of a path with published answers. */
const templateOf = (path: string): string | undefined => templates.find(({ pattern }) => pattern.test(path))?.path

/** Skips bodies of 402s, which tests with a real gate check, and compressed bodies, which tests of compression check. */
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
