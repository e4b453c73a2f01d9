import { Random } from '../../../topology/simulator/random.ts'
import { aucOf } from '../../tools/market-check/two-sample/auc.ts'
import { compare, foldsOf, type Row } from '../../tools/market-check/two-sample/compare.ts'

/** Rows of two normal columns and a uniform one. */
const given = {
  rows: (random: Random, count: number, shift: number, prefix: string): Row[] =>
    Array.from({ length: count }, (_, n) => ({
      mint: `${prefix}${n}`,
      figures: [random.normal() + shift, random.normal(), random.next()],
    })),
  columns: ['shifted', 'same', 'uniform'],
  /** 60 recorded launches, whose first column is shifted, against 240 simulated ones. */
  compared: (shift: number) => {
    const random = new Random(7)
    const recorded = given.rows(random, 60, shift, 'r')
    return compare({ columns: given.columns, recorded, simulated: given.rows(random, 240, 0, 's') })
  },
}

describe('AUC', () => {
  test('is the share of pairs in the right order, ties count half', () => {
    expect(aucOf([3, 2], [1, 2]).auc).toBe(0.875)
  })
  test('has the interval of DeLong', () => {
    // Shares below: 1, 1, .5; shares above: 1, .667, 1 (mean .833): variances of the means .0278 and .0123.
    const { auc, low, high } = aucOf([3, 4, 1.5], [1, 2, 0])
    expect(auc).toBeCloseTo(8 / 9, 10)
    const error = 1.96 * Math.sqrt(1 / 27 / 3 + 1 / 27 / 3)
    expect([low, high]).toEqual([expect.closeTo(8 / 9 - error, 10), 1])
  })
})

describe('the two-sample comparison', () => {
  test('finds nothing between samples of one distribution', () => {
    for (const { auc, low, high } of given.compared(0)) {
      expect(Math.abs(auc - 0.5)).toBeLessThan(0.12)
      expect(low).toBeLessThan(0.5)
      expect(high).toBeGreaterThan(0.5)
    }
  })
  test('tells a shifted distribution apart, and names the column', () => {
    for (const { auc, explanation } of given.compared(4)) {
      expect(auc).toBeGreaterThan(0.97)
      expect(explanation).toMatch(/^shifted/)
    }
  })
  test('tells apart by a column that differs only in spread, with stumps', () => {
    const random = new Random(7)
    const wide = given.rows(random, 100, 0, 'r').map(({ mint, figures: [first = 0, ...rest] }) => ({ mint, figures: [first * 5, ...rest] }))
    const [best] = compare({ columns: given.columns, recorded: wide, simulated: given.rows(random, 200, 0, 's') })
    expect(best?.classifier).toBe('boosted stumps')
    expect(best?.auc).toBeGreaterThan(0.75)
  })
  test('scores a launch by models that have not seen its mint: two equal rows of a mint do not help each other', () => {
    const random = new Random(7)
    const twice = (prefix: string): Row[] =>
      Array.from({ length: 20 }, (_, n) => ({ mint: `${prefix}${n}`, figures: [random.next(), random.next(), random.next()] })).flatMap(
        (row) => [row, row],
      )
    const results = compare({ columns: given.columns, recorded: twice('r'), simulated: twice('s') })
    for (const { auc } of results) expect(auc).toBeLessThan(0.7)
  })
  test('gives the same result for the same seed', () => {
    const sample = () => {
      const random = new Random(7)
      return { columns: given.columns, recorded: given.rows(random, 20, 1, 'r'), simulated: given.rows(random, 40, 0, 's') }
    }
    expect(compare(sample())).toEqual(compare(sample()))
  })
  test('puts all rows of a mint into one fold, and as many mints into each', () => {
    const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].flatMap((mint) => [
      { mint, figures: [1] },
      { mint, figures: [2] },
    ])
    const folds = foldsOf(rows, new Random(3))
    expect([...folds.keys()].sort()).toHaveLength(10)
    for (let fold = 0; fold < 5; fold++) expect([...folds.values()].filter((one) => one === fold)).toHaveLength(2)
  })
})
