// Statistics of paired bench runs of two commits.
import { ratioOf, runOrder } from '../../bench/ratios.ts'

const times = (factor: number, values: readonly number[]): number[] => values.map((value) => value * factor)

describe('the order of runs', () => {
  test('alternates which commit runs first, so a steady drift of the machine favours neither', () => {
    expect(
      runOrder(4)
        .map((side) => (side === 'here' ? 'A' : 'B'))
        .join(''),
    ).toBe('ABBAABBA')
  })
})

describe('the ratio of pairs', () => {
  test('does not depend on how fast the machine was during each pair', () => {
    const there = [100, 200, 50, 400, 100]
    expect(ratioOf({ here: times(1.5, there), there })).toEqual({ ratio: 1.5, low: 1.5, high: 1.5 })
  })
  test('is the median, with the whole range of five pairs as its interval', () => {
    expect(ratioOf({ here: [90, 110, 100, 300, 95], there: [100, 100, 100, 100, 100] })).toEqual({ ratio: 1, low: 0.9, high: 3 })
  })
  test('of an even number of pairs is between the two middle ones', () => {
    expect(ratioOf({ here: [1, 2, 3, 4, 5, 6], there: [1, 1, 1, 1, 1, 1] }).ratio).toBe(3.5)
  })
  test('excludes one outlier on each side from the interval of nine pairs, and two of eleven', () => {
    const nine = [0.1, 2, 3, 4, 5, 6, 7, 8, 90]
    expect(ratioOf({ here: nine, there: nine.map(() => 1) })).toEqual({ ratio: 5, low: 2, high: 8 })
    const eleven = [0.1, 0.2, 3, 4, 5, 6, 7, 8, 9, 80, 90]
    expect(ratioOf({ here: eleven, there: eleven.map(() => 1) })).toEqual({ ratio: 6, low: 3, high: 9 })
  })
})
