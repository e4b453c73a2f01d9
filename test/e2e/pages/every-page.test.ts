// Every page in a real browser: three widths, both themes, with and without scripts. Screenshots go to SCREENSHOTS_DIR, else to a temporary
// folder. Needs Chromium; skips with a notice without it.
import { mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { type Serving, serve } from '../../../query-api/http/server.ts'
import { keyText } from '../../../schemas/keys.ts'
import { SetHistory } from '../../fakes/set-history.ts'
import { GRADUATED, OTHER } from '../../fixtures/curve-market.ts'
import { fillMarket } from '../../fixtures/page-market.ts'
import { creatorOf, pointsOf } from '../../fixtures/record-market.ts'
import { type Harness, harness } from '../../integration/api-harness.ts'
import { inBrowser, launchBrowser } from '../../tools/browser.ts'
import { base58, CREATOR, curveRow, flagRow, key, launchRow, liveState, NOW_S, outcomeRow } from '../../unit/query-api/given-mint.ts'

const WIDTHS = [
  [360, 800],
  [768, 1_024],
  [1_280, 800],
] as const
const THEMES = ['light', 'dark'] as const
/** Time limit of a test on a machine with ten other jobs; on an idle machine a test takes 8 s. */
const MS_MAX = 300_000
/** Limit for a page with its style sheet and script, compressed as sent. */
const PAGE_BYTES_MAX = 60 * 1024

const PAGES: readonly (readonly [name: string, path: string])[] = [
  ['market', '/'],
  ['radar', '/radar'],
  ['alerts', '/alerts'],
  ['calibration', '/calibration'],
  ['docs', '/docs'],
  ['token', `/token/${base58(1)}`],
  ['token-moving', `/token/${base58(2)}`],
  ['token-unknown', `/token/${base58(9)}`],
  ['creator', `/creator/${keyText(CREATOR)}`],
  ['alt', `/alt/${keyText(GRADUATED)}`],
  ['alt-other', `/alt/${keyText(OTHER)}`],
]
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const AXE_FAULTS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ target }) => target).join('; ')))`

/** A launch unchanged for 5 minutes, one that changes, and their creator, who launched before. */
const fillRecords = ({ view, records, curves }: Harness, history: SetHistory): void => {
  const at = NOW_S - 2_600
  const curve = curveRow({ lastAt: NOW_S - 310, lastTradeAt: NOW_S - 310, lastBuyAt: NOW_S - 400, lastNewBuyerAt: NOW_S - 700 })
  const flags = [
    flagRow('creator_sold', { firstSeenAt: at + 900 }),
    flagRow('bundle_dumped', { firstSeenAt: at + 1_210, evidence: '{"n_wallets":4,"bought_share":0.11,"sold_share":0.08}' }),
    flagRow('curve_drained', { firstSeenAt: at + 2_000, evidence: '{"peak_rs":12,"rs":1.9}' }),
  ]
  const launch = launchRow({ at, name: 'Second Breakfast <b>&amp;</b> \u202eevil', symbol: '2BRK' })
  view.put(key(1), liveState({ launch, curve, flags, flows: [], outcome: outcomeRow({ settledAt: NOW_S - 305, rugDtS: 900 }) }))
  view.put(key(2), liveState({ launch: { ...launch, name: 'Plumber Dog' }, curve: curveRow({ lastAt: NOW_S - 3 }), flags }))
  history.points.set(key(1), pointsOf(at, 2_290))
  history.points.set(key(2), pointsOf(at, 2_600))
  history.points.set(GRADUATED, pointsOf(curves.find(GRADUATED)?.head.launch?.at ?? 0, 9))
  records.putCreator(CREATOR, creatorOf([1, 2, 5, 6, 7].map(key)))
}

const NAMES = ['Plumber Dog', 'Moon <i>Cat</i>', 'A name as long as a launchpad takes it', '', '日本の犬', 'Sixth'] as const

/** Young launches and some that may graduate, with odds of both heads; the last of each kind has no odds. */
const fillRadar = ({ view, odds }: Harness): void => {
  for (const [n, name] of NAMES.entries()) {
    const [young, older] = [key(40 + n), key(60 + n)]
    const flags = n % 2 === 0 ? [flagRow('creator_sold', { firstSeenAt: NOW_S - 5 })] : []
    view.put(young, liveState({ launch: launchRow({ at: NOW_S - 4 * n - 3, number: 1_090 - n, name }), flags }))
    view.put(older, liveState({ launch: launchRow({ at: NOW_S - 90 * n - 60, number: 900 - n, name }), curve: curveRow({ buys: 12 + n }) }))
    if (n === NAMES.length - 1) continue
    odds.set(young, 'rug_within_300s', 0.97 - 0.18 * n)
    odds.set(older, 'true_graduation', 0.61 - 0.12 * n)
  }
}

inBrowser('every page')('every page', () => {
  const folder = process.env.SCREENSHOTS_DIR ?? mkdtempSync(join(tmpdir(), 'mintfold-pages-'))
  let given: Harness
  let serving: Serving
  let browser: Browser

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    const history = new SetHistory()
    given = harness({ history, sandbox: true, around: { buyCommand: (path) => `npx mintfold buy ${path}` } })
    fillMarket(given.view)
    fillRecords(given, history)
    fillRadar(given)
    given.view.setStatus({ folded: { number: 332_254_908, time: NOW_S }, tip: { number: 332_254_908, time: NOW_S } })
    serving = await serve(given.app, { host: '127.0.0.1', port: 0 })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await serving.close(1_000)
  })

  const open = async (theme: (typeof THEMES)[number], javaScriptEnabled: boolean) => {
    const context = await browser.newContext({ colorScheme: theme, javaScriptEnabled })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (line) => line.type() === 'error' && !line.text().includes('404') && complaints.push(line.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    // A page that is left cancels its requests.
    page.on('requestfailed', (request) => request.failure()?.errorText !== 'net::ERR_ABORTED' && complaints.push(request.url()))
    return { context, page, complaints }
  }

  test.each(THEMES)(
    'in the %s theme, at each width: axe finds nothing, nothing scrolls sideways, no error is logged',
    async (theme) => {
      const { context, page, complaints } = await open(theme, true)
      for (const [name, path] of PAGES) {
        await page.goto(`${serving.url}${path}`)
        await page.evaluate(AXE)
        for (const [width, height] of WIDTHS) {
          await page.setViewportSize({ width, height })
          const file = join(folder, `${name}-${width}-${theme}.jpeg`)
          await page.screenshot({ path: file, fullPage: true, type: 'jpeg', quality: 80 })
          expect(statSync(file).size).toBeGreaterThan(5_000)
          expect([name, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([name, width])
          expect([name, width, await page.evaluate<string[]>(AXE_FAULTS)]).toEqual([name, width, []])
        }
      }
      expect(complaints).toEqual([])
      await context.close()
    },
    MS_MAX,
  )

  test('without scripts: one main heading, no missing value, nothing wider than the page, and no button', async () => {
    const { context, page, complaints } = await open('light', false)
    for (const [name, path] of PAGES) {
      await page.goto(`${serving.url}${path}`)
      for (const [width, height] of WIDTHS) {
        await page.setViewportSize({ width, height })
        expect([name, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([name, width])
      }
      expect([name, await page.locator('h1').count(), await page.locator('button:visible').count()]).toEqual([name, 1, 0])
      expect(await page.locator('main').textContent()).not.toMatch(/\b(NaN|undefined|Infinity|\[object)\b/)
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each(PAGES)('%s at %s has at most 60 KiB with its resources', async (_name, path) => {
    const bodies = await Promise.all(
      [path, '/page/page.css', '/page/page.js'].map(async (part) =>
        Buffer.from(await (await fetch(`${serving.url}${part}`, { headers: { accept: 'text/html,*/*' } })).arrayBuffer()),
      ),
    )
    const bytes = bodies.reduce((sum, body) => sum + brotliCompressSync(body, { params: { 1: 2 } }).length, 0)
    expect(bytes).toBeLessThanOrEqual(PAGE_BYTES_MAX)
  })
})
