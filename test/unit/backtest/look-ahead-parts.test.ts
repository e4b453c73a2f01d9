// Parts of the look-ahead test: relabelling, time shifts, and the sample of calls.
import fc from 'fast-check'
import { SEEN } from '../../../processors/detector-kit/fields.ts'
import type { DetectorRows } from '../../../processors/mint/detectors/detector.ts'
import { isSameShown, Relabelling } from '../../../topology/backtest/look-ahead/relabel.ts'
import { changeRows, visitFields } from '../../../topology/backtest/look-ahead/rows.ts'
import { mixed, Sample } from '../../../topology/backtest/look-ahead/sample.ts'
import { backward, forward, isTextShifted, shifting } from '../../../topology/backtest/look-ahead/shift.ts'
import { ROWS } from './given-file.ts'

describe('relabelling', () => {
  const texts = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ maxLength: 6 })), {
    minLength: 2,
    maxLength: 8,
  })
  test('is injective and keeps lengths, letter case and prefixes', () => {
    fc.assert(
      fc.property(texts, fc.integer(), (words, seed) => {
        const labels = new Relabelling(seed)
        const others = words.map((word) => labels.words(word))
        expect(new Set(others).size).toBe(new Set(words).size)
        for (const [n, word] of words.entries()) {
          expect(others[n]).toHaveLength(word.length)
          for (const [m, part] of words.entries()) if (word.includes(part)) expect(others[n]).toContain(others[m])
        }
      }),
    )
  })
  test('changes every address, hash and word, and nothing else', () => {
    const other = changeRows('mint', ROWS, new Relabelling(3).change)
    const values = (rows: DetectorRows, isLabel: boolean): unknown[] => {
      const all: unknown[] = []
      visitFields('mint', rows, (kind, value) => {
        if (['address', 'hash', 'words', 'link'].includes(kind) === isLabel && value !== null && value !== '') all.push(value)
      })
      return all
    }
    expect(values(other, false)).toEqual(values(ROWS, false))
    expect(values(other, true).filter((value, n) => value === values(ROWS, true)[n])).toEqual([])
    expect(other.launch.creator === other.launch.user).toBe(ROWS.launch.creator === ROWS.launch.user)
    expect(other.launch.uri.startsWith('https://files.example/')).toBe(true)
  })
  test.each<readonly [boolean, string, string]>([
    [true, 'by AbcdEfgh..', 'by XyzwVutsr..'],
    [true, 'by AbcdE..Efgh', 'by XyzwV..utsr'],
    [true, 'twice Abcd in AbcdEfgh', 'twice Xyzw in XyzwVutsr'],
    [false, 'by AbcdE', 'by XyzwU'],
    [false, 'by Abcd', 'by utsr'],
    [false, 'by Abc', 'by Xyz'],
    [false, 'by AbcdEfgh', 'by AbcdEfgh.'],
    [true, 'nothing of it', 'nothing of it'],
  ])('is recognized by the visible parts: %s for %s and %s', (same, was, is) => {
    expect(isSameShown(was, is, [{ was: 'AbcdEfgh', is: 'XyzwVutsr' }])).toBe(same)
  })
  test('is recognized even if the end of an address also occurs inside it', () => {
    expect(isSameShown('..U7b8', '..MhtG', [{ was: 'GbyU7b8gdiU7b8', is: 'BcDr2C8ckJMhtG' }])).toBe(true)
    expect(isSameShown('GbyUx', 'BcDrx', [{ was: 'GbyUx7b8', is: 'BcDrC2a8' }])).toBe(true)
  })
})

describe('time shifts', () => {
  test('keep every difference, weekday and hour, and move back in time with other minutes', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 4_000_000_000 }), (seed, at) => {
        const rows = { ...ROWS, launch: { ...ROWS.launch, at }, curve: { ...ROWS.curve, lastAt: at, lastTradeAt: 0, lastNumber: 3 } }
        for (const shift of [forward(seed), backward('mint', rows, seed)]) {
          const other = changeRows('mint', rows, shifting(shift))
          const [was, is] = [rows, other].map(({ launch }) => new Date(launch.at * 1_000))
          expect([is?.getUTCHours(), is?.getUTCDay()]).toEqual([was?.getUTCHours(), was?.getUTCDay()])
          expect(other.curve.lastNumber - other.launch.number).toBe(3 - rows.launch.number)
          expect(other.curve).toMatchObject({ lastTradeAt: 0, gapNumber: -1 })
          expect(Math.min(other.launch.at, other.curve.lastNumber)).toBeGreaterThan(0)
          expect(shift.weeksS < 0 && shift.withinHourS === 0).toBe(false)
        }
      }),
    )
  })
  test('are distinguished from other texts', () => {
    const shift = { slots: 1_000_003, weeksS: 604_800, withinHourS: 0 }
    expect(isTextShifted('slot 12 on 2026-10-15', 'slot 1000015 on 2026-10-22', shift)).toBe(true)
    expect(isTextShifted('slot 12 on 2026-10-15', 'slot 1000016 on 2026-10-22', shift)).toBe(false)
    expect(isTextShifted('at 2026-10-15T12:00:01Z', 'at 2026-10-22T12:00:01Z', shift)).toBe(true)
    expect(isTextShifted('at 5', 'at 5 ', shift)).toBe(false)
  })
})

test('every row that a detector sees has all of its fields listed', () => {
  const { rows } = SEEN.mint
  for (const [name, row] of Object.entries({ launch: ROWS.launch, curve: ROWS.curve, position: ROWS.position }))
    expect(Object.keys(rows[name] ?? {}).sort()).toEqual(Object.keys(row).sort())
})

test('a sample holds the lowest hashes whatever the order, and spreads over adjacent positions', () => {
  const hashes = Array.from({ length: 5_000 }, (_, n) => mixed(1, 443_000_000 + n))
  const kept = (order: readonly number[]): number[] => {
    const sample = new Sample<number>(64)
    for (const hash of order) if (sample.takes(hash)) sample.put(String(hash), hash, hash)
    return sample.entries.map(([, hash]) => hash).sort((a, b) => a - b)
  }
  const sample = kept(hashes)
  expect(sample).toEqual([...hashes].sort((a, b) => a - b).slice(0, sample.length))
  expect(sample.length).toBeGreaterThanOrEqual(32)
  expect(hashes.filter((hash) => hash < 2 ** 31).length / 5_000).toBeCloseTo(0.5, 1)
})
