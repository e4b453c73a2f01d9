// The pages for browsers: `/`, one of each launch, and the three files that they load. Everything else goes on to the routes.
import { readFileSync } from 'node:fs'
import type { Context, Middleware } from 'koa'
import type { Service } from '../answers/service.ts'
import { sendMethods } from '../http/send.ts'
import { ALERTS_PATH, alertsPage } from './alerts.ts'
import { documentOf, startingDocument } from './document.ts'
import { TOKEN_PATH, tokenPage } from './token.ts'

/** The page is made at most so often, whatever is asked, wall milliseconds. */
const PAGE_FRESH_MS = 2_000
const ASSET_FRESH_S = 300

/** Only our own files, and nothing written into the page itself. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What browsers may do with a page: nothing that needs asking. */
const PERMISSIONS = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'

/** What it answers. */
export const PAGE_PATHS = ['/', '/page/page.css', '/page/page.js', '/page/icon.svg', '/favicon.ico', ALERTS_PATH] as const

const TOKEN_PREFIX = TOKEN_PATH.slice(0, TOKEN_PATH.indexOf('{'))

const assetOf = (name: string, type: string) => ({ type, body: readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8') })

/** Reads its files once, at the start. */
export const pages = (service: Service): Middleware => {
  const icon = assetOf('icon.svg', 'image/svg+xml')
  const assets: ReadonlyMap<string, ReturnType<typeof assetOf>> = new Map([
    ['/page/page.css', assetOf('page.css', 'text/css; charset=utf-8')],
    ['/page/page.js', assetOf('page.js', 'text/javascript; charset=utf-8')],
    ['/page/icon.svg', icon],
    // Where browsers and crawlers look that read no page.
    ['/favicon.ico', icon],
  ])
  const sendPage = (ctx: Context, status: number, body: string): void => {
    ctx.status = status
    send(ctx, { type: 'text/html; charset=utf-8', body, cache: 'no-store' })
  }
  let [madeAtMs, page] = [Number.NEGATIVE_INFINITY, '']
  const pageNow = (): string => {
    const nowMs = service.options.wallClock.now()
    if (nowMs - madeAtMs >= PAGE_FRESH_MS) [madeAtMs, page] = [nowMs, documentOf(service, service.look()).toString()]
    return page
  }
  return (ctx, next) => {
    const asset = assets.get(ctx.path)
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      const isPage = asset !== undefined || ctx.path === ALERTS_PATH || ctx.path.startsWith(TOKEN_PREFIX)
      return isPage ? sendMethods(ctx, 'GET, HEAD', `${ctx.path} answers GET and HEAD`) : next()
    }
    if (asset !== undefined) return send(ctx, { ...asset, cache: `public, max-age=${ASSET_FRESH_S}` })
    if (ctx.path.startsWith(TOKEN_PREFIX)) {
      // The log and the figures name the template, as of routes.
      ctx._matchedRoute = TOKEN_PATH
      const { status, page: made } = tokenPage(service, service.look(), ctx.path.slice(TOKEN_PREFIX.length))
      return sendPage(ctx, status, made.toString())
    }
    if (ctx.path === ALERTS_PATH) return sendPage(ctx, 200, alertsPage(service, service.look()).toString())
    if (ctx.path !== '/') return next()
    ctx.vary('Accept')
    if (ctx.accepts('json', 'html') !== 'html') return next()
    if (service.doing() === null) return sendPage(ctx, 200, pageNow())
    sendPage(ctx, 503, startingDocument(service, service.look()).toString())
  }
}

const send = (ctx: Context, { type, body, cache }: { readonly type: string; readonly body: string; readonly cache: string }): void => {
  ctx.set('Content-Type', type)
  ctx.set('Content-Security-Policy', POLICY)
  ctx.set('Permissions-Policy', PERMISSIONS)
  ctx.set('Cache-Control', cache)
  ctx.body = body
}
