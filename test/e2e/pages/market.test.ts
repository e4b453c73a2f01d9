// The market page in a real browser, with and without scripts. Needs Chromium; skips with a notice without it.
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type Serving, serve } from '../../../query-api/http/server.ts'
import { SetHistory } from '../../fakes/set-history.ts'
import { fillMarket } from '../../fixtures/page-market.ts'
import { type Harness, harness } from '../../integration/api-harness.ts'
import { inBrowser, LEAST_CONTRAST, launchBrowser } from '../../tools/browser.ts'
import { curveRow, key, launchRow, liveState, NOW_S } from '../../unit/query-api/given-mint.ts'

const SIZES = { phone: { width: 390, height: 844 }, laptop: { width: 1280, height: 800 }, wide: { width: 1440, height: 900 } } as const
type Size = keyof typeof SIZES
/** Not every size in both themes: every-page.test.ts tests that. */
const views = [
  ['phone', 'light'],
  ['laptop', 'dark'],
  ['wide', 'light'],
] as const

/** Words of commands that are broken over several lines. */
const BROKEN_WORDS = `(() => {
  const broken = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement.closest('pre.command code') === null) continue
    for (const { 0: word, index } of node.textContent.matchAll(/\\S+/g)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word)
    }
  }
  return broken
})()`
/** How far the cells and list items of tables overflow the table's container at most, pixels. */
const OVERHANG = `Math.max(...[...document.querySelectorAll('table')].flatMap((table) => {
  const edge = table.parentElement.getBoundingClientRect().right
  return [...table.querySelectorAll('th, td, li')].map((cell) => cell.getBoundingClientRect().right - edge)
}))`
/** Where the list of launches and the column next to it end. */
const ENDS = `['.list', '.beside'].map((name) => {
  const last = document.querySelector(name).lastElementChild.getBoundingClientRect()
  return last.bottom + scrollY
})`
const HEIGHT = 'document.documentElement.scrollHeight'

inBrowser('the page')('the page', () => {
  const folder = process.env.SCREENSHOTS_DIR ?? mkdtempSync(join(tmpdir(), 'mintfold-page-'))
  let api: Harness
  let serving: Serving
  let browser: Browser

  beforeAll(async () => {
    const buyCommand = (path: string): string => `npx mintfold buy ${path} --server http://127.0.0.1:18402`
    api = harness({ history: new SetHistory(), sandbox: true, around: { buyCommand } })
    fillMarket(api.view)
    api.view.setStatus({ folded: { number: 332_254_908, time: NOW_S }, tip: { number: 332_254_908, time: NOW_S } })
    serving = await serve(api.app, { host: '127.0.0.1', port: 0 })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await serving.close(1_000)
  })

  const open = async (size: Size, theme: 'light' | 'dark', javaScriptEnabled = true): Promise<{ page: Page; complaints: string[] }> => {
    const page = await browser.newPage({ viewport: SIZES[size], colorScheme: theme, javaScriptEnabled })
    const complaints: string[] = []
    page.on('console', (line) => complaints.push(line.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('requestfailed', (request) => complaints.push(request.url()))
    await page.goto(serving.url, { waitUntil: 'networkidle' })
    return { page, complaints }
  }

  test.each(views)('on a %s, %s: no error, nothing cut off, readable contrast', async (size, theme) => {
    const { page, complaints } = await open(size, theme)
    const file = join(folder, `${size}-${theme}.png`)
    await page.screenshot({ path: file, fullPage: true })
    expect(statSync(file).size).toBeGreaterThan(20_000)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(SIZES[size].width)
    const { ratio, text } = await page.evaluate<{ ratio: number; text: string }>(LEAST_CONTRAST)
    expect([ratio >= 4.5, text]).toEqual([true, text])
    expect(await page.locator('.list .launches tbody tr').count()).toBe(20)
    expect(await page.evaluate<string[]>(BROKEN_WORDS)).toEqual([])
    expect(await page.evaluate<number>(OVERHANG)).toBeLessThanOrEqual(1)
    expect(complaints).toEqual([])
    await page.close()
  })
  test.each(['laptop', 'wide'] as const)('on a %s no column ends long before the other', async (size) => {
    const { page } = await open(size, 'light')
    const [list = 0, beside = 0] = await page.evaluate<number[]>(ENDS)
    expect(Math.abs(list - beside)).toBeLessThan((await page.evaluate<number>(HEIGHT)) * 0.2)
    await page.close()
  })
  test('on a phone a row reads name, curve next to its figures, flags', async () => {
    const { page } = await open('phone', 'light')
    const row = page.locator('.list .launches tbody tr').first()
    const parts = ['th', '.curve', '.seen'].map((part) => row.locator(part).boundingBox())
    const tops = (await Promise.all(parts)).map((box) => box?.y ?? 0)
    expect(tops).toEqual([...tops].sort((a, b) => a - b))
    const [curve, buyers] = await Promise.all(['.curve', '.buyers'].map((part) => row.locator(part).boundingBox()))
    expect(buyers?.y).toBe(curve?.y)
    await page.close()
  })
  test('two themes have two backgrounds', async () => {
    const grounds = await Promise.all(
      (['light', 'dark'] as const).map(async (theme) => {
        const { page } = await open('phone', theme)
        const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
        await page.close()
        return ground
      }),
    )
    expect(new Set(grounds).size).toBe(2)
  })
  test('is accessible to screen readers', async () => {
    const { page } = await open('phone', 'light')
    const tree = await page.locator('body').ariaSnapshot()
    for (const part of [
      '- banner:',
      '- main:',
      '- contentinfo:',
      'heading "Newest launches" [level=2]',
      'columnheader "Age"',
      'rowheader',
      'img "',
    ])
      expect(tree).toContain(part)
    await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to the content')
    await page.close()
  })
  test('without scripts it shows as many launches, and no button', async () => {
    const { page, complaints } = await open('wide', 'light', false)
    expect(await page.locator('.list .launches tbody tr').count()).toBe(20)
    expect(await page.locator('button:visible').count()).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })
  test('inserts newer launches by itself, and stops on request', async () => {
    const { page, complaints } = await open('wide', 'light')
    const first = page.locator('.list .launches tbody tr').first()
    const launch = launchRow({ at: NOW_S - 298, number: 900_000, name: 'Just turned five' })
    api.view.put(key(77), liveState({ launch, curve: curveRow({ lastAt: NOW_S - 298 }) }))
    api.time.nowMs += 2_000
    await first.getByText('Just turned five').waitFor({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Pause updates' }).click()
    expect(await page.getByRole('button', { name: 'Resume updates' }).textContent()).toBe('Resume')
    expect(complaints).toEqual([])
    await page.close()
  })
  test('a row copies its address to the clipboard, and links to its record, which logs no error', async () => {
    const { page, complaints } = await open('laptop', 'light')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: serving.url })
    const row = page.locator('.list .launches tbody tr').first()
    const mint = await row.locator('code').getAttribute('title')
    await row.getByRole('button', { name: 'Copy the address' }).click()
    await row.getByText('copied').waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(mint)
    await row.getByRole('link').click()
    await page.getByRole('heading', { name: 'Over time' }).waitFor()
    expect(page.url()).toBe(`${serving.url}/token/${mint}`)
    expect(await page.locator('.address code').textContent()).toBe(mint)
    expect(complaints).toEqual([])
    await page.close()
  })
  test.each(['phone', 'laptop'] as const)('a record on a %s: readable, and nothing cut off', async (size) => {
    const { page } = await open(size, 'dark')
    await page.locator('.list .launches tbody tr').nth(3).getByRole('link').click()
    await page.getByRole('heading', { name: 'Over time' }).waitFor()
    await page.screenshot({ path: join(folder, `card-${size}.png`), fullPage: true })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(SIZES[size].width)
    const { ratio, text } = await page.evaluate<{ ratio: number; text: string }>(LEAST_CONTRAST)
    expect([ratio >= 4.5, text]).toEqual([true, text])
    // An address is longer than a phone is wide.
    if (size === 'laptop') expect(await page.evaluate<string[]>(BROKEN_WORDS)).toEqual([])
    await page.close()
  })
  test('a start shows its progress, advances, and becomes the page by itself', async () => {
    const page = await browser.newPage({ viewport: SIZES.laptop })
    api.view.setStatus({ ready: false, preparing: { what: 'history', share: 0.2 } })
    await page.goto(serving.url)
    expect(await page.locator('progress').getAttribute('value')).toBe('20')
    api.view.setStatus({ preparing: { what: 'history', share: 0.6 } })
    await page.locator('progress[value="60"]').waitFor({ timeout: 60_000 })
    api.view.setStatus({ ready: true, preparing: null })
    await page.locator('.list .launches tbody tr').first().waitFor({ timeout: 60_000 })
    api.view.setStatus({ ready: false })
    await page.getByText('The service is starting').waitFor({ timeout: 60_000 })
    api.view.setStatus({ ready: true })
    await page.locator('.list .launches tbody tr').first().waitFor({ timeout: 60_000 })
    await page.close()
  })
})
