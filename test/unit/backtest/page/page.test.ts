import { execFileSync } from 'node:child_process'
import { reportPage } from '../../../../topology/backtest/page/page.ts'
import { DRAWN_MAX } from '../../../../topology/backtest/page/picks.ts'
import { SETTINGS_MAX } from '../../../../topology/backtest/page/settings-table.ts'
import type { Graded, Report } from '../../../../topology/backtest/report-types.ts'
import { dataOf, givenReport, HOSTILE, hostileReport, pageOf, withSettings } from './given-page.ts'

const NO_SHARE = { hits: 0, of: 0, value: null, low: null, high: null }
const NOTHING_JUDGED: Partial<Graded> = {
  ...{ flagged: 0, judged: 0, hits: 0, late: 0, killedWinners: 0, rugged: 0, launches: 0, flagsADay: 0 },
  ...{ precision: NO_SHARE, recall: NO_SHARE, baseRate: NO_SHARE, leadP50S: null, leadP90S: null, leads: [], slices: [], mistakes: [] },
  ...{ placebo: { expectedHits: 0, precision: null, p: null, q: null }, profit: null, lookAhead: null, loss: null },
}

describe('the page of a report', () => {
  test('has its parts in reading order', () => {
    const { document } = pageOf(givenReport())
    const parts = [...document.querySelectorAll('main section')].map((part) => part.getAttribute('aria-labelledby'))
    const order = ['lead', 'overfitting', 'settings', 'overview', 'each', 'walk', 'checks', 'mistakes', 'assumptions', 'words', 'data']
    expect(parts.filter((part) => part !== 'walk')).toEqual(order.filter((part) => part !== 'walk'))
    expect([...document.querySelectorAll('h2')].map(({ id }) => id)).toEqual(expect.arrayContaining(order.slice(1)))
  })
  test('is the same text for the same report', () => {
    expect(reportPage(givenReport())).toBe(reportPage(givenReport()))
  })
  test('loads nothing from another origin', () => {
    const { document, page } = pageOf(givenReport())
    const asking = [...document.querySelectorAll('[src], link, [href], object, iframe, base, meta[http-equiv=refresh]')]
    expect(asking.map((element) => element.getAttribute('href')).filter((href) => !/^(#[a-z]+|data:,)$/.test(href ?? ''))).toEqual([])
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script type="application/json" id="report-data">', '<script>'])
    expect(page).not.toMatch(/url\(|@import|https?:\/\/(?!www\.w3\.org)/)
    expect(page).toMatch(/Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;sha256-[A-Za-z0-9+/]{43}=&#39;;/)
  })
  test('embeds the report as data, which the printed command extracts', () => {
    const report = givenReport()
    const { page, document } = pageOf(report)
    expect(dataOf(page)).toEqual(report)
    const [, script = ''] = /^sed -n '(.*)' REPORT.html$/.exec(document.querySelector('#data ~ pre code')?.textContent ?? '') ?? []
    expect(JSON.parse(execFileSync('sed', ['-n', script], { input: page, encoding: 'utf8' }))).toEqual(report)
  })
  test('shows hostile names as text, and carries them unchanged as data', () => {
    const report = hostileReport({ settings: 3, days: 6 })
    const { page, document } = pageOf(report)
    expect(page).not.toContain('<img')
    expect(page.match(/<script/g)).toHaveLength(2)
    expect(page.match(/<\/script/g)).toHaveLength(2)
    expect(document.querySelectorAll('img, [onerror]').length).toBe(0)
    expect(dataOf(page)).toEqual(JSON.parse(JSON.stringify(report)))
    expect(document.querySelector('table.settings tbody th')?.textContent).toContain(
      '</script></title><img src=x onerror="document.title=1">\'`&amp; ; rm -rf ',
    )
  })
  test('has no line break or hidden character in commands to copy', () => {
    const { document } = pageOf(hostileReport())
    const commands = [...document.querySelectorAll('.mistakes pre code')].map(({ textContent }) => textContent)
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) expect(command).not.toMatch(/[\p{Cc}\u202e]/u)
    expect(HOSTILE).toMatch(/[\p{Cc}]/u)
  })
  test('states for an empty report that nothing was graded', () => {
    const { summary } = givenReport()
    const { text, document } = pageOf({
      summary: { ...summary, overfitting: [], walkForward: [], assumptions: [], input: [], tried: 0 },
      settings: [],
    })
    expect(text).toContain('Nothing was graded')
    expect(document.querySelectorAll('svg').length).toBe(0)
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/)
  })
  test('shows unknown values as a dash', () => {
    const { text, document } = pageOf(withSettings(givenReport(), NOTHING_JUDGED))
    const cells = [...(document.querySelector('table.settings tbody tr')?.querySelectorAll('td.n') ?? [])].map(
      ({ textContent }) => textContent,
    )
    expect(cells.filter((cell) => cell?.trim().startsWith('–'))).toHaveLength(8)
    expect(text).toContain('2 had no flag that could be judged')
    expect(text).toContain('there is nothing to draw')
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/)
  })
})

describe('the head of the page', () => {
  const textOf = (report: Report): string => pageOf(report).text.replace(/\s+/g, ' ')

  test('marks a stopped run as partial', () => {
    const report = givenReport()
    expect(textOf(report)).not.toContain('PARTIAL')
    const { text, document } = pageOf({ ...report, summary: { ...report.summary, isPartial: true } })
    expect(text).toContain('PARTIAL')
    expect(document.title).toContain('(partial)')
  })
  test('counts the defaults that beat chance, and none that used the future', () => {
    const report = withSettings(givenReport({ detectors: 3 }), {
      placebo: { expectedHits: 1, precision: 0.5, p: 0.001, q: 0.01 },
      lookAhead: null,
    })
    expect(textOf(report)).toContain('At default thresholds, 3 of 3 detectors are right more often than random flags')
    const [first, ...others] = report.settings.filter(({ isDefault }) => isDefault)
    const seeing = { ...(first as Graded), lookAhead: { checked: 40, flips: 1, examples: ['at 12 s true became false'] } }
    const changed = { ...report, settings: [seeing, ...others] }
    expect(textOf(changed)).toContain('2 of 3 detectors are right more often')
    expect(textOf(changed)).toContain('Look-ahead: 1 changed answer in 40 repeated calls')
    expect(pageOf(changed).document.querySelectorAll('td.failed').length).toBe(1)
  })
  test('does not count hits below the number expected by chance as a success, however small q is', () => {
    const report = withSettings(givenReport(), { placebo: { expectedHits: 1e6, precision: 0.9, p: 0, q: 0 } })
    expect(textOf(report)).toContain('0 of 2 detectors are right more often')
  })
  test('marks overfitting that is more likely than not', () => {
    const { document } = pageOf(givenReport({ detectors: 3 }))
    expect([...document.querySelectorAll('.caution')].map(({ textContent }) => textContent)).toEqual(['63.0\u00a0%'])
  })
})

describe('the size of the page', () => {
  test.each([
    [1, 1],
    [5, 100],
  ])('has a row for each of %i x %i settings, and draws at most eight', (detectors, settings) => {
    const { rows, page } = pageOf(givenReport({ detectors, settings, days: 1 }))
    expect(rows).toBe(detectors * settings)
    expect(page.split('<article>').length - 1).toBe(Math.min(DRAWN_MAX, detectors * settings))
  })
  test('lists a thousand settings, and states that there are more', () => {
    const { settings, summary } = givenReport({ detectors: 1, settings: 1 })
    const many = Array.from({ length: SETTINGS_MAX + 1 }, () => ({ ...settings[0]!, ...NOTHING_JUDGED }))
    const { rows, page } = pageOf({ summary, settings: many })
    expect(rows).toBe(SETTINGS_MAX)
    expect(page).toContain('The first 1,000 of 1,001')
  })
})
