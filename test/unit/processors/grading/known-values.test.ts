// Statistics against published values, or values that can be counted by hand.
import { qValues } from '../../../../processors/grading/false-discovery.ts'
import { precisionPValue } from '../../../../processors/grading/hypergeometric.ts'
import { curveAt, IsotonicFit } from '../../../../processors/grading/isotonic.ts'
import { quantile } from '../../../../processors/grading/quantile.ts'
import { sampleOf } from '../../../../processors/grading/sample.ts'
import { averagePrecision, calibrationError, scoresOf } from '../../../../processors/grading/scores.ts'
import { wilsonInterval } from '../../../../processors/grading/wilson.ts'
import { Seeded } from '../../../../processors/seeded.ts'

const sample = (rows: readonly (readonly [probability: number, label: 0 | 1])[]) =>
  sampleOf(
    Float64Array.from(rows, ([probability]) => probability),
    Uint8Array.from(rows, ([, label]) => label),
  )
const scores = (...rows: (readonly [number, 0 | 1])[]) => {
  const of = sample(rows)
  return scoresOf(of.probabilities, of, new IsotonicFit(of.probabilities.length))
}

describe("Wilson's interval", () => {
  test('of 81 of 263 equals Newcombe 1998, also of 0 of 20 and 1 of 29', () => {
    const rounded = (hits: number, n: number): unknown => {
      const { low, high } = wilsonInterval(hits, n) ?? {}
      return [low?.toFixed(4), high?.toFixed(4)]
    }
    expect(rounded(81, 263)).toEqual(['0.2553', '0.3662'])
    expect(rounded(0, 20)).toEqual(['0.0000', '0.1611'])
    expect(rounded(1, 29)).toEqual(['0.0061', '0.1718'])
  })
  test('of no observation is null', () => expect(wilsonInterval(0, 0)).toBeNull())
})

describe('q-values', () => {
  test('find the 4 discoveries among the 15 tests of Benjamini and Hochberg 1995', () => {
    const values = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1]
    const found = qValues([...values].reverse()).reverse()
    expect(found.filter((value) => (value ?? 1) <= 0.05)).toHaveLength(4)
    expect(found.slice(3, 5).map((value) => value?.toFixed(6))).toEqual(['0.035625', '0.060300'])
  })
  test('skip hypotheses that were not tested', () => {
    expect(qValues([])).toEqual([])
    expect(qValues([null, 0.02, null, 0.04])).toEqual([null, 0.04, null, 0.04])
  })
})

describe('the p-value of a precision', () => {
  test('of the lady tasting tea is 1 of 70 for 4 hits, 17 of 70 for 3', () => {
    const tea = { flagged: 4, withOutcome: 4, resolved: 8 }
    expect(precisionPValue({ ...tea, hits: 4 })).toBeCloseTo(1 / 70, 14)
    expect(precisionPValue({ ...tea, hits: 3 })).toBeCloseTo(17 / 70, 14)
    expect(precisionPValue({ ...tea, hits: 0 })).toBe(1)
  })
  test('is 1 if nothing or everything is flagged, or if the hits are certain', () => {
    expect(precisionPValue({ hits: 0, flagged: 0, withOutcome: 3, resolved: 9 })).toBe(1)
    expect(precisionPValue({ hits: 3, flagged: 9, withOutcome: 3, resolved: 9 })).toBe(1)
    expect(precisionPValue({ hits: 1, flagged: 7, withOutcome: 3, resolved: 9 })).toBe(1)
  })
  test('of a million launches is small but not lost, and 0 below the smallest number', () => {
    const many = { flagged: 500, withOutcome: 20_000, resolved: 1_000_000 }
    expect(precisionPValue({ ...many, hits: 100 })).toBeGreaterThan(1e-80)
    expect(precisionPValue({ ...many, hits: 100 })).toBeLessThan(1e-60)
    expect(precisionPValue({ ...many, hits: 500 })).toBe(0)
  })
  test('of contradictory counts is a bug', () => {
    expect(() => precisionPValue({ hits: 5, flagged: 4, withOutcome: 9, resolved: 9 })).toThrow('contradict')
  })
})

describe('quantiles', () => {
  test('interpolate between the two nearest ranks, as in numpy', () => {
    expect([0, 0.25, 0.5, 0.875, 1].map((share) => quantile([1, 2, 3, 10], share))).toEqual([1, 1.75, 2.5, 7.375, 10])
    expect(quantile([7], 0.3)).toBe(7)
  })
})

describe('a sample', () => {
  test('has its groups in ascending order, and its rows by group, those with the outcome last', () => {
    const { probabilities, rows, positives, groupOf, isPositive, positiveRows } = sample([
      [0.5, 1],
      [0.2, 0],
      [0.5, 0],
      [0.2, 0],
      [0.9, 1],
    ])
    expect([probabilities, rows, positives].map((column) => Array.from(column))).toEqual([
      [0.2, 0.5, 0.9],
      [2, 2, 1],
      [0, 1, 1],
    ])
    expect([Array.from(groupOf), Array.from(isPositive), positiveRows]).toEqual([[0, 0, 1, 1, 2], [0, 0, 0, 1, 1], 2])
  })
})

describe('isotonic regression', () => {
  test('pools decreasing neighbours, and skips groups without weight', () => {
    const fit = new IsotonicFit(6).fit(Float64Array.of(1, 1, 0, 1, 2, 1), Float64Array.of(1, 0, 9, 1, 1, 2))
    const blocks = Array.from({ length: fit.blocks }, (_, block) => [fit.first[block], fit.last[block], fit.rate(block)])
    expect(blocks).toEqual([
      [0, 1, 0.5],
      [3, 4, 2 / 3],
      [5, 5, 2],
    ])
  })
  test('is flat within a block and beyond the ends, linear between blocks', () => {
    const fit = new IsotonicFit(3).fit(Float64Array.of(1, 1, 1), Float64Array.of(0, 0, 0.8))
    const values = new Float64Array(5)
    curveAt(fit, Float64Array.of(0.2, 0.4, 0.8), Float64Array.of(0.1, 0.3, 0.5, 0.8, 0.9), values)
    expect(Array.from(values, (value) => value.toFixed(6))).toEqual(['0.000000', '0.000000', '0.200000', '0.800000', '0.800000'])
  })
})

describe('scores', () => {
  test('of four predictions, computed by hand', () => {
    const { brier, miscalibration, discrimination, uncertainty, brierSkill, ece } = scores([0.1, 0], [0.4, 1], [0.4, 0], [0.8, 1])
    expect(brier).toBeCloseTo((0.01 + 0.36 + 0.16 + 0.04) / 4, 15)
    expect(uncertainty).toBe(0.25)
    expect(brierSkill).toBeCloseTo(1 - 0.1425 / 0.25, 14)
    expect(miscalibration).toBeCloseTo(0.1425 - 0.125, 14)
    expect(discrimination).toBeCloseTo(0.25 - 0.125, 14)
    expect(ece).toBeCloseTo((0.1 + 0.2 + 0.2) / 4, 14)
  })
  test('of the base rate itself are skill 0 and discrimination 0', () => {
    const { brierSkill, miscalibration, discrimination, ece } = scores([0.5, 0], [0.5, 1])
    expect([brierSkill, miscalibration, discrimination, ece]).toEqual([0, 0, 0, 0])
  })
  test('that are undefined are null', () => {
    expect(scores([0.2, 0], [0.3, 0])).toMatchObject({ brierSkill: null, prAuc: null, uncertainty: 0 })
    expect(scores([0.2, 1])).toMatchObject({ brierSkill: null, prAuc: 1 })
  })
  test('PR-AUC equals the example in the scikit-learn manual, and ties enter together', () => {
    expect(
      averagePrecision(
        sample([
          [0.1, 0],
          [0.4, 0],
          [0.35, 1],
          [0.8, 1],
        ]),
      ),
    ).toBeCloseTo(0.8333333333333333, 15)
    expect(
      averagePrecision(
        sample([
          [0.5, 0],
          [0.5, 1],
          [0.5, 1],
          [0.5, 0],
        ]),
      ),
    ).toBe(0.5)
  })
  test('a bin of the calibration error includes its lower end, and the last one includes 1', () => {
    const edges = sample([
      [0.5, 1],
      [0.49, 0],
      [1, 1],
    ])
    expect(calibrationError(edges.probabilities, edges, 2)).toBeCloseTo((0.49 + 0.5) / 3, 15)
  })
})

describe('a seeded generator', () => {
  test('gives the same numbers for the same seed and stream, and different ones otherwise', () => {
    const first = (...of: [number, number?]): number[] => {
      const random = new Seeded(...of)
      return [random.u32(), random.u32()]
    }
    expect(first(1)).toEqual([441_792_574, 614_447_336])
    expect(new Set([first(1), first(2), first(1, 1), first(2 ** 40 + 1)].map(String)).size).toBe(4)
  })
})
