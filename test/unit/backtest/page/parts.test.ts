import fc from 'fast-check'
import { parseHTML } from 'linkedom'
import { embeddedOf } from '../../../../topology/backtest/page/data.ts'
import { html, lineOf } from '../../../../topology/backtest/page/html.ts'
import { drawnOf, listed, scoreOf } from '../../../../topology/backtest/page/picks.ts'
import { labelsOf, type Spot } from '../../../../topology/backtest/page/plots/labels.ts'
import { leadTimes } from '../../../../topology/backtest/page/plots/leads.ts'
import { amount, chance, change, count, interval, percent, score, span, when } from '../../../../topology/backtest/page/words.ts'
import type { Graded } from '../../../../topology/backtest/report-types.ts'
import { givenReport } from './given-page.ts'

const SOL = { symbol: 'SOL', decimals: 9 }

describe('text', () => {
  test('in HTML survives escaping, on one line and visible', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { document } = parseHTML(html`<p title="${text}">${text}</p>`.toString())
        const paragraph = document.querySelector('p')
        expect(paragraph?.textContent).toBe(lineOf(text))
        expect(paragraph?.getAttribute('title')).toBe(lineOf(text))
        expect(lineOf(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
      }),
    )
  })
  test('is truncated if too long', () => {
    expect(lineOf('abcdef', 4)).toBe('abc…')
    expect(lineOf(`ab${'😀'.repeat(3)}`, 4)).toBe('ab…')
    expect(html`${'x'.repeat(1e5)}`.toString()).toHaveLength(2_000)
  })
})

describe('figures', () => {
  test.each([
    [percent(0.8123), '81.2\u00a0%'],
    [percent(null), '–'],
    [percent(Number.NaN), '–'],
    [interval({ hits: 1, of: 2, value: 0.5, low: 0.094, high: 0.906 }), '9.4–90.6'],
    [chance(0.0004), '<0.001'],
    [chance(0.05), '0.050'],
    [score(-0.1), '−0.100'],
    [score(0.25), '+0.250'],
    [count(12_345), '12,345'],
    [span(59), '59 s'],
    [span(61), '1 min'],
    [span(5_400), '1 h 30 min'],
    [span(86_400 * 14), '14 d'],
    [span(90_000), '1 d 1 h'],
    [when(1_794_268_800), '2026-11-10 00:00'],
    [when(Number.MAX_VALUE), '–'],
    [amount('80200000000', SOL), '80.2\u00a0SOL'],
    [amount('no number', SOL), '–'],
    [amount('', SOL), '–'],
    [amount('1500000000000000000', { symbol: 'ETH', decimals: 18 }), '1.5\u00a0ETH'],
    [change(-12_400_000, SOL), '−0.0124'],
    [change(12_400_000, SOL), '+0.0124'],
  ])('read %s', (shown, expected) => {
    expect(shown).toBe(expected)
  })
})

describe('the data', () => {
  const report = givenReport({ detectors: 2, settings: 3 })
  const drawn = report.settings.slice(0, 1)
  const within = (charactersMax: number) => embeddedOf(report, drawn, charactersMax)
  const parsed = (charactersMax: number) => JSON.parse(within(charactersMax).json)

  test('is dropped step by step if it is too large, and the page states it', () => {
    const sizes = [4_000_000]
    for (let i = 0; i < 4; i++) sizes.push(within(sizes.at(-1)!).json.length - 1)
    const [all, ofDrawn, bare, none, nothing] = sizes.map(parsed)
    expect(all).toEqual(report)
    expect(ofDrawn.settings.map(({ slices }: Graded) => slices.length > 0)).toEqual([true, false, false, false, false, false])
    expect(bare.settings.map(({ slices, leads, mistakes }: Graded) => [slices, leads, mistakes].flat())).toEqual([[], [], [], [], [], []])
    expect(bare.settings[5].precision).toEqual(report.settings[5]!.precision)
    expect(none).toEqual({ summary: report.summary, settings: [] })
    expect(nothing).toBeNull()
    expect(new Set(sizes.map((size) => within(size).omitted)).size).toBe(5)
    expect(within(sizes[0]!).omitted).toBeNull()
  })
  test('has no character sequence that could end its element', () => {
    const unit = fc.oneof(fc.constantFrom('<', '>', '&', '\u2028', '\n', '\u202e', '/script'), fc.string({ unit: 'binary', maxLength: 1 }))
    fc.assert(
      fc.property(fc.string({ unit }), (program) => {
        const { json } = embeddedOf({ summary: { ...report.summary, program }, settings: [] }, [])
        expect(json).not.toMatch(/[<>&\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(JSON.parse(json).summary.program).toBe(program)
      }),
    )
  })
})

describe('the settings that are drawn', () => {
  test('are the defaults first, then the best of each detector', () => {
    const { settings } = givenReport({ detectors: 3, settings: 4 })
    const drawn = drawnOf(settings)
    expect(drawn.slice(0, 3).map(({ isDefault }) => isDefault)).toEqual([true, true, true])
    for (const graded of drawn.slice(3)) {
      const of = settings.filter(({ detector }) => detector.id === graded.detector.id)
      expect(scoreOf(graded)).toBe(Math.max(...of.map((one) => scoreOf(one) ?? -1)))
    }
    expect(new Set(drawn).size).toBe(drawn.length)
  })
  test('score 1 if exactly the rugs are flagged, 0 if everything is flagged', () => {
    const [graded] = givenReport().settings
    const counts = { late: 0, rugged: 60, launches: 100 }
    expect(scoreOf({ ...graded!, ...counts, hits: 60, judged: 60 })).toBe(1)
    expect(scoreOf({ ...graded!, ...counts, hits: 60, judged: 100 })).toBe(0)
    expect(scoreOf({ ...graded!, ...counts, rugged: 100, hits: 60, judged: 60 })).toBeNull()
  })
  test('are listed by detector with the default first, none missing', () => {
    const { settings } = givenReport({ detectors: 3, settings: 4 })
    const mixed = [...settings].reverse()
    expect(new Set(listed(mixed))).toEqual(new Set(settings))
    expect(listed(mixed).map(({ isDefault }) => isDefault)).toEqual([0, 1, 2].flatMap(() => [true, false, false, false]))
  })
})

describe('names in a plot', () => {
  test('stay inside the plot and never overlap', () => {
    const spot = fc.record({
      x: fc.double({ min: 0, max: 500, noNaN: true }),
      y: fc.double({ min: 0, max: 300, noNaN: true }),
      text: fc.string({ maxLength: 26 }),
    })
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 12 }), (spots: Spot[]) => {
        const boxes = labelsOf(spots, { left: 0, right: 500, top: 0, bottom: 300 }, spots).map(({ x, y, text, anchor }) => {
          const width = text.length * 6
          const left = x - width * { start: 0, middle: 0.5, end: 1 }[anchor]
          return { left, right: left + width, top: y - 6, bottom: y + 6 }
        })
        for (const [i, a] of boxes.entries()) {
          expect(a.left >= -0.01 && a.right <= 500.01 && a.top >= 0 && a.bottom <= 300).toBe(true)
          for (const b of boxes.slice(i + 1))
            expect(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top).toBe(true)
        }
      }),
    )
  })
})

describe('lead times', () => {
  const [graded] = givenReport().settings
  const text = (change: Partial<Graded>): string | undefined => leadTimes({ ...graded!, name: 'x', leadP50S: null, ...change })?.text
  const expected = 'Of the hits of x: 80.0\u00a0% more than 10 s, 30.0\u00a0% more than 1 min, 0.0\u00a0% more than 1 h.'

  test('are the hits not yet counted at each bound', () => {
    expect(text({ hits: 10, leads: [10, 60, 3_600].map((upToS, i) => ({ upToS, hits: [2, 7, 10][i]! })) })).toBe(expected)
  })
  test('beyond the last bound count as longer', () => {
    const leads = [10, 60, Number.POSITIVE_INFINITY].map((upToS, i) => ({ upToS, hits: [2, 7, 10][i]! }))
    expect(text({ hits: 10, leads })).toBe('Of the hits of x: 80.0\u00a0% more than 10 s, 30.0\u00a0% more than 1 min.')
  })
  test('are not drawn without hits', () => {
    expect(
      text({
        hits: 0,
        leads: [
          { upToS: 10, hits: 0 },
          { upToS: 60, hits: 0 },
        ],
      }),
    ).toBeUndefined()
  })
})
