// The report of a backtest in a real browser, from a file, with hostile names in it. Needs Chromium; skips with a notice without it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { reportPage } from '../../topology/backtest/page/page.ts'
import { backtestReport } from '../fixtures/backtest-report.ts'
import { inBrowser, LEAST_CONTRAST, launchBrowser } from '../tools/browser.ts'
import { hostileReport } from '../unit/backtest/page/given-page.ts'

const SIZES = { phone: { width: 390, height: 844 }, laptop: { width: 1280, height: 800 } } as const
const views: readonly View[] = [
  ['phone', 'light', true],
  ['phone', 'dark', true],
  ['laptop', 'light', true],
  ['laptop', 'dark', true],
  ['phone', 'dark', false],
  ['laptop', 'light', false],
]
type View = readonly [size: keyof typeof SIZES, theme: 'light' | 'dark', scripts: boolean]

/** For each visible drawing its name and the number of its marks, without axes, whose width and height add up to more than 2 pixels. */
const DRAWINGS = `[...document.querySelectorAll('svg.plot')].filter((svg) => svg.getBoundingClientRect().width > 0).map((svg) => ({
  name: svg.getAttribute('aria-label'),
  marks: [...svg.querySelectorAll('circle, path, rect')].filter((mark) => {
    const { width, height } = mark.getBoundingClientRect()
    return width + height > 2 && mark.closest('[aria-label*=axis]') === null
  }).length,
}))`
/** Contrasts of mark colours against the background. */
const MARK_CONTRASTS = `(() => {
  const light = (name) => {
    const hex = getComputedStyle(document.documentElement).getPropertyValue(name).slice(1)
    const [x, y, z] = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((part) => ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  return ['--seen', '--stroke'].map((name) => {
    const [a, b] = [light(name), light('--ground')].sort((x, y) => y - x)
    return (a + 0.05) / (b + 0.05)
  })
})()`
/** Elements that overflow the page to the right, except inside scrolling boxes. */
const OVERHANG = `[...document.querySelectorAll('body *')].filter((element) => element.closest('.box, svg, .skip, script') === null &&
  element.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5).map((element) => element.outerHTML.slice(0, 100))`
/** For each visible drawing the font size of its first text as scaled on the screen, pixels. */
const TEXT_SIZES = `[...document.querySelectorAll('svg.plot')].filter((svg) => svg.getBoundingClientRect().width > 0).map((svg) =>
  parseFloat(getComputedStyle(svg.querySelector('text')).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)`

inBrowser('the report of a backtest')('the report of a backtest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintfold-backtest-page-'))
  const fileOf = (name: string, page: string): string => {
    const file = join(folder, `${name}.html`)
    writeFileSync(file, page)
    return pathToFileURL(file).href
  }
  const hostile = fileOf('hostile', reportPage(hostileReport({ detectors: 2, settings: 3, days: 5 })))
  const usual = fileOf('usual', reportPage(backtestReport({ seed: 3, detectors: 3, settings: 3, days: 7 })))
  let browser: Browser

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  const open = async (url: string, [size, colorScheme, javaScriptEnabled]: View): Promise<{ page: Page; complaints: string[] }> => {
    const page = await browser.newPage({ viewport: SIZES[size], colorScheme, javaScriptEnabled })
    const complaints: string[] = []
    page.on('console', (line) => complaints.push(line.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (request.url() !== url) complaints.push(request.url())
    })
    await page.goto(url)
    return { page, complaints }
  }

  test.each(views)('on a %s, %s, scripts %s: requests nothing, cuts nothing off, and everything is readable', async (...view) => {
    const { page, complaints } = await open(hostile, view)
    const { width } = SIZES[view[0]]
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
    expect(await page.evaluate<string[]>(OVERHANG)).toEqual([])
    const { ratio, text } = await page.evaluate<{ ratio: number; text: string }>(LEAST_CONTRAST)
    expect([ratio >= 4.5, text]).toEqual([true, text])
    for (const contrast of await page.evaluate<number[]>(MARK_CONTRASTS)) expect(contrast).toBeGreaterThanOrEqual(3)
    expect(await page.evaluate<string>('document.title')).toMatch(/^mintfold backtest/)
    expect(await page.locator('img').count()).toBe(0)
    expect((await page.locator('button:visible').count()) > 0).toBe(view[2])
    expect(complaints).toEqual([])
    await page.close()
  })
  test.each(views.filter(([, theme, scripts]) => theme === 'light' && scripts))(
    'on a %s every plot shows marks and has a text alternative',
    async (...view) => {
      const { page } = await open(usual, view)
      const drawings = await page.evaluate<{ name: string; marks: number }[]>(DRAWINGS)
      // Two drawings of all settings, one of each detector, five of each setting that has an article, and one of each detector's windows.
      expect(drawings).toHaveLength(2 + 3 + 5 * (await page.locator('article').count()) + 3)
      for (const { name, marks } of drawings) expect([name, marks > 2, name.length > 20]).toEqual([name, true, true])
      for (const size of await page.evaluate<number[]>(TEXT_SIZES)) expect(size).toBeGreaterThanOrEqual(10)
      await page.close()
    },
  )
  test('figures and tables have names, and both themes their own background', async () => {
    const { page } = await open(usual, ['laptop', 'dark', true])
    const named = await page.evaluate<[number, number, number, number]>(`[
      [...document.querySelectorAll('figure')].filter((figure) => !figure.querySelector('figcaption h4')?.textContent).length,
      [...document.querySelectorAll('table')].filter((table) => !table.caption?.textContent).length,
      document.querySelectorAll('table th:not([scope])').length,
      document.querySelectorAll('.box:not([tabindex="0"][role=region][aria-label])').length,
    ]`)
    expect(named).toEqual([0, 0, 0, 0])
    const tree = await page.locator('body').ariaSnapshot()
    for (const part of [
      '- banner:',
      '- main:',
      '- contentinfo:',
      'heading "Settings" [level=2]',
      'columnheader "Recall',
      'rowheader',
      'img "9 settings',
    ])
      expect(tree).toContain(part)
    const ground = 'getComputedStyle(document.body).backgroundColor'
    const dark = await page.evaluate<string>(ground)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await page.evaluate<string>(ground)).not.toBe(dark)
    await page.close()
  })
  test('in print the page is light and readable, boxes show their whole content, and no button is left', async () => {
    const { page } = await open(usual, ['laptop', 'dark', true])
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    expect(await page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme')).toBe('light')
    expect((await page.evaluate<{ ratio: number }>(LEAST_CONTRAST)).ratio).toBeGreaterThanOrEqual(4.5)
    const hidden = `[...document.querySelectorAll('.box')].filter((box) => box.scrollHeight > box.clientHeight + 1).length`
    expect(await page.evaluate<number>(hidden)).toBe(0)
    expect(await page.locator('button:visible').count()).toBe(0)
    await page.close()
  })
  test('copies a command to the clipboard, and saves the data to a file', async () => {
    const { page, complaints } = await open(usual, ['laptop', 'light', true])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const first = page.locator('.mistakes li').first()
    await first.getByRole('button').click()
    await first.getByText('copied').waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(await first.locator('code').last().textContent())
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save it' }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe('backtest.json')
    expect(complaints.filter((line) => !line.startsWith('blob:'))).toEqual([])
    await page.close()
  })
})
