import fc from 'fast-check'
import { cleanText, escapeHidden, printable } from '../../../processors/text.ts'

describe('cleanText', () => {
  it.each([
    ['control characters', 'a\u0000b\u001B[31mc\r\n', 'ab[31mc'],
    ['bidirectional marks', '\u202Egnp.\u202C\u2066x\u2069\u200F', 'gnp.x'],
    ['zero-width characters', 'a\u200Bb\u200Cc\u200Dd\uFEFFe\u2060f', 'abcdef'],
    ['invisible fillers', '\u3164a\u115F\u034Fb\uFFA0', 'ab'],
    ['tag characters', `ok${String.fromCodePoint(0xe0069, 0xe0067)}`, 'ok'],
    ['lone surrogates', 'a\uD800b\uDC00', 'ab'],
    ['private use', 'a\uE000b', 'ab'],
    ['spaces around', '  a b \u3000', 'a b'],
  ])('removes %s', (_what, text, clean) => {
    expect(cleanText(text, 32)).toBe(clean)
  })

  it('truncates by characters, never through a surrogate pair', () => {
    expect(cleanText('🚀'.repeat(40), 3)).toBe('🚀🚀🚀')
    expect(cleanText('ab cd', 3)).toBe('ab')
  })

  it('gives well-formed text of bounded length, and is idempotent', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
        fc.nat(40),
        (text, charsMax) => {
          const clean = cleanText(text, charsMax)
          expect([...clean].length).toBeLessThanOrEqual(charsMax)
          expect(Buffer.from(clean, 'utf8').toString('utf8')).toBe(clean)
          expect(cleanText(clean, charsMax)).toBe(clean)
        },
      ),
      { numRuns: 300 },
    )
  })
})

const HOSTILE = 'a\u001B[31mb\u009B2Jc\u202Egnp.\u200Bd\u007F\uD800e'

test('JSON for a terminal has the same content, without hidden characters', () => {
  const text = escapeHidden(JSON.stringify({ name: HOSTILE, tags: String.fromCodePoint(0xe0069) }))
  expect(text).toMatch(/^[\x20-\x7e]*$/)
  expect(JSON.parse(text)).toEqual({ name: HOSTILE, tags: String.fromCodePoint(0xe0069) })
})
test('tables for a terminal keep their lines and lose hidden characters', () => {
  expect(printable(`| ${HOSTILE} |\t\n| ok |\r\n`)).toBe('| a[31mb2Jcgnp.de |\t\n| ok |\n')
})
