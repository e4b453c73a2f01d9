// Middleware that serves the pages, their pictures and assets, and passes everything else on to the routes.
import { readFileSync } from 'node:fs'
import type { Context, Middleware } from 'koa'
import type { Instant, Service } from '../answers/service.ts'
import { send, sendMethods } from '../http/send.ts'
import { RETRY_AFTER_S, refusal } from '../questions/bodies.ts'
import type { Market } from '../questions/question-facts.ts'
import { type Made, PageCache } from './cache.ts'
import { startingDocument } from './document.ts'
import { FIXED_PAGES, RECORD_PAGES, type RecordPage } from './list.ts'
import { SITEMAP_PATH, sitemapOf } from './machines/sitemap.ts'
import { documentOf } from './market/page.ts'
import type { PageAnswer } from './page-answer.ts'
import { PICTURE_PATH } from './paths.ts'

/** The page `/` is rendered at most once per this time, wall milliseconds. */
const PAGE_FRESH_MS = 2_000
/** A record page takes about ten milliseconds of drawing and one query. */
const RECORDS = { freshMs: 15_000, pagesMax: 200, makingMax: 8 }
/** About 40 KB each. */
const PICTURES = { freshMs: 300_000, pagesMax: 64, makingMax: 2 }
const SITEMAPS = { freshMs: 60_000, pagesMax: 1, makingMax: 1 }
const FRESH_S = 300

/** Allows only our own files, and images in `data:` URLs. Nothing inline runs; browsers read inline JSON-LD as data. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Denies browser features that the pages do not use. */
const PERMISSIONS = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'

/** The parts of the style sheet, in this order. */
const STYLES = ['colours', 'base', 'sheet', 'parts', 'market', 'record', 'screens'] as const

const ASSET_PATHS = ['/page/page.css', '/page/page.js', '/page/icon.svg', '/favicon.ico'] as const
const FIXED_PATHS = FIXED_PAGES.map(({ path }) => path)
/** All paths but those of records. */
export const PAGE_PATHS: readonly string[] = ['/', ...FIXED_PATHS, SITEMAP_PATH, ...ASSET_PATHS]

const HTML = 'text/html; charset=utf-8'
const fileOf = (name: string): string => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
const prefixOf = (path: string): string => path.slice(0, path.indexOf('{'))
const PICTURE_END = PICTURE_PATH.slice(PICTURE_PATH.indexOf('}') + 1)
const PICTURE_PREFIX = prefixOf(PICTURE_PATH)

type Sent = { readonly type: string; readonly body: string | Buffer; readonly cache: string }

const assets = (): ReadonlyMap<string, Sent> => {
  const cache = `public, max-age=${FRESH_S}`
  const icon = { type: 'image/svg+xml', body: fileOf('icon.svg'), cache }
  return new Map([
    ['/page/page.css', { type: 'text/css; charset=utf-8', body: STYLES.map((name) => fileOf(`${name}.css`)).join('\n'), cache }],
    ['/page/page.js', { type: 'text/javascript; charset=utf-8', body: fileOf('page.js'), cache }],
    ['/page/icon.svg', icon],
    // Browsers and crawlers request it without reading a page.
    ['/favicon.ico', icon],
  ])
}

/** Reads the assets once, when created. */
export const pages = (service: Service): Middleware => {
  const files = assets()
  const [records, pictures, sitemaps] = [new PageCache(RECORDS), new PageCache<Buffer>(PICTURES), new PageCache(SITEMAPS)]
  const nowMs = (): number => service.options.wallClock.now()
  let [madeAtMs, page] = [Number.NEGATIVE_INFINITY, '']
  const marketNow = (instant: Instant): string => {
    if (nowMs() - madeAtMs >= PAGE_FRESH_MS) [madeAtMs, page] = [nowMs(), documentOf(service, instant).toString()]
    return page
  }
  /** The startup page while the service clock is not known. */
  const madeAt = async (
    market: Market | undefined,
    make: (instant: Instant) => PageAnswer | Promise<PageAnswer>,
  ): Promise<Made<string>> => {
    const instant = service.instant(market)
    return madeOf(instant === null ? { status: 503, page: startingDocument(service, service.look()) } : await make(instant))
  }
  const record = ({ path, market, make }: RecordPage, ctx: Context): Promise<void> => {
    const text = ctx.path.slice(prefixOf(path).length)
    return sendMade(
      ctx,
      records.get(ctx.path, nowMs(), () => madeAt(market, (instant) => make(service, instant, text))),
      HTML,
      'no-store',
    )
  }
  const picture = (ctx: Context): Promise<void> => {
    const text = ctx.path.slice(PICTURE_PREFIX.length, -PICTURE_END.length)
    const instant = service.instant()
    if (instant === null) return sendMade(ctx, undefined, 'image/png', 'no-store')
    const draw = async (): Promise<Made<Buffer>> => (await import('./token/picture.ts')).tokenPicture(service, instant, text)
    const made = pictures.get(text, nowMs(), draw)
    return sendMade(ctx, made, 'image/png', `public, max-age=${FRESH_S}`)
  }
  const sitemap = (ctx: Context): Promise<void> => {
    const made = sitemaps.get('', nowMs(), async () => ({ status: 200, body: sitemapOf(service, ['/', ...FIXED_PATHS]) }))
    return sendMade(ctx, made, 'application/xml; charset=utf-8', `public, max-age=${FRESH_S}`)
  }
  const fixed = new Map(FIXED_PAGES.map((entry) => [entry.path, entry]))

  /** Undefined if the path is `/`, which also answers JSON, or is neither a page nor a file of the pages. */
  const answerOf = (ctx: Context): (() => void | Promise<void>) | undefined => {
    const { path } = ctx
    const file = files.get(path)
    if (file !== undefined) return () => sendFile(ctx, 200, file)
    if (path === SITEMAP_PATH) return () => sitemap(ctx)
    if (path.startsWith(PICTURE_PREFIX) && path.endsWith(PICTURE_END)) return named(ctx, PICTURE_PATH, () => picture(ctx))
    const entry = RECORD_PAGES.find((one) => path.startsWith(prefixOf(one.path)))
    if (entry !== undefined) return named(ctx, entry.path, () => record(entry, ctx))
    const one = fixed.get(path)
    if (one === undefined) return undefined
    const make = (): Promise<Made<string>> => madeAt('mints', (instant) => one.make(service, instant))
    return () => sendMade(ctx, one.isLive === true ? make() : records.get(path, nowMs(), make), HTML, 'no-store')
  }

  return (ctx, next) => {
    const answer = answerOf(ctx)
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (answer !== undefined) return isRead ? answer() : sendMethods(ctx, 'GET, HEAD', `${ctx.path} accepts GET and HEAD`)
    if (ctx.path !== '/' || !isRead) return next()
    ctx.vary('Accept')
    if (ctx.accepts('json', 'html') !== 'html') return next()
    const instant = service.instant()
    if (instant !== null && service.doing() === null) return sendFile(ctx, 200, { type: HTML, body: marketNow(instant), cache: 'no-store' })
    sendFile(ctx, 503, { type: HTML, body: startingDocument(service, service.look()).toString(), cache: 'no-store' })
  }
}

const madeOf = ({ page, ...made }: PageAnswer): Made<string> => ({ ...made, body: page.toString() })

/** Logs and metrics name the path's template, as for routes. */
const named = (ctx: Context, path: string, answer: () => Promise<void>): (() => Promise<void>) => {
  ctx._matchedRoute = path
  return answer
}

const BUSY = refusal(503, 'pages_busy', `too many pages are being rendered; retry in ${RETRY_AFTER_S} s`)

const sendMade = async (ctx: Context, making: Promise<Made<string | Buffer>> | undefined, type: string, cache: string): Promise<void> => {
  if (making === undefined) return send(ctx, BUSY)
  const { status, body, isPassing = false } = await making
  const isOfType = status === 200 || type === HTML
  sendFile(ctx, status, {
    type: isOfType ? type : 'application/json; charset=utf-8',
    body,
    cache: isOfType && !isPassing ? cache : 'no-store',
  })
}

const sendFile = (ctx: Context, status: number, { type, body, cache }: Sent): void => {
  ctx.status = status
  ctx.set('Content-Type', type)
  ctx.set('Content-Security-Policy', POLICY)
  ctx.set('Permissions-Policy', PERMISSIONS)
  ctx.set('Cache-Control', cache)
  ctx.body = body
}
