// Scores, fits and resamples keep their invariants for any input.
import fc from 'fast-check'
import { grade, gradeWithCurve } from '../../../processors/grading/grade.ts'
import { IsotonicFit } from '../../../processors/grading/isotonic.ts'
import { sampleOf } from '../../../processors/grading/sample.ts'
import { scoresOf } from '../../../processors/grading/scores.ts'
import { Seeded } from '../../../processors/seeded.ts'

interface Row {
  readonly probability: number
  readonly label: 0 | 1
}
/** Hundredths, so that there are many ties. */
const rows = fc.array(
  fc.record({ probability: fc.integer({ min: 0, max: 100 }).map((n) => n / 100), label: fc.constantFrom<0 | 1>(0, 1) }),
  { minLength: 1, maxLength: 60 },
)
const columns = (of: readonly Row[]): [Float64Array, Uint8Array] => [
  Float64Array.from(of, ({ probability }) => probability),
  Uint8Array.from(of, ({ label }) => label),
]
const scored = (of: readonly Row[]) => {
  const sample = sampleOf(...columns(of))
  return scoresOf(sample.probabilities, sample, new IsotonicFit(sample.probabilities.length))
}
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const last = <Result>(steps: Generator<void, Result, void>): Result => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

test('the isotonic fit equals the max-min formula, group by group', () => {
  const weighted = fc.array(fc.record({ weight: fc.integer({ min: 1, max: 5 }), sum: fc.integer({ min: -9, max: 9 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(weighted, (groups) => {
      const fit = new IsotonicFit(groups.length).fit(
        Float64Array.from(groups, ({ weight }) => weight),
        Float64Array.from(groups, ({ sum }) => sum),
      )
      const rates = Array.from({ length: fit.blocks }, (_, block) =>
        new Array<number>((fit.last[block] as number) - (fit.first[block] as number) + 1).fill(fit.rate(block)),
      ).flat()
      const between = (from: number, to: number): number => {
        const some = groups.slice(from, to + 1)
        return some.reduce((total, { sum }) => total + sum, 0) / some.reduce((total, { weight }) => total + weight, 0)
      }
      const expected = groups.map((_, at) =>
        Math.max(...groups.slice(0, at + 1).map((_, from) => Math.min(...groups.slice(at).map((_, after) => between(from, at + after))))),
      )
      for (const [at, rate] of rates.entries()) expect(rate).toBeCloseTo(expected[at] as number, 12)
      for (let block = 1; block < fit.blocks; block++) expect(fit.rate(block)).toBeGreaterThan(fit.rate(block - 1))
    }),
  )
})

test('the Brier score is the sum of its parts, none is negative, and a monotone change of the probabilities changes miscalibration only', () => {
  fc.assert(
    fc.property(rows, (of) => {
      const { brier, miscalibration, discrimination, uncertainty } = scored(of) as Record<string, number>
      expect(brier).toBeCloseTo(mean(of.map(({ probability, label }) => (probability - label) ** 2)), 12)
      expect((miscalibration ?? 0) - (discrimination ?? 0) + (uncertainty ?? 0)).toBeCloseTo(brier ?? 0, 12)
      expect(
        Math.min(miscalibration ?? -1, discrimination ?? -1, (uncertainty ?? -1) - (discrimination ?? 0) + 1e-12),
      ).toBeGreaterThanOrEqual(0)
      const raised = scored(of.map(({ probability, label }) => ({ probability: 0.2 + probability / 2, label })))
      expect([raised.discrimination, raised.uncertainty, raised.prAuc]).toEqual([discrimination, uncertainty, scored(of).prAuc])
    }),
  )
})

test('PR-AUC is the precision at each threshold times the recall it adds, counted row by row', () => {
  fc.assert(
    fc.property(rows, (of) => {
      const all = of.filter(({ label }) => label === 1).length
      const thresholds = [...new Set(of.map(({ probability }) => probability))].sort((a, b) => b - a)
      let [area, before] = [0, 0]
      for (const threshold of thresholds) {
        const predicted = of.filter(({ probability }) => probability >= threshold)
        const hits = predicted.filter(({ label }) => label === 1).length
        area += ((hits - before) / all) * (hits / predicted.length)
        before = hits
      }
      const { prAuc } = scored(of)
      if (all === 0) expect(prAuc).toBeNull()
      else expect(prAuc).toBeCloseTo(area, 12)
    }),
  )
})

test('a grade is the same for the same seed, whatever the order of the rows', () => {
  fc.assert(
    fc.property(rows, fc.nat(), fc.integer({ min: 0, max: 5 }), (of, seed, stream) => {
      const chance = { seed, stream, resamples: 40 }
      const first = last(gradeWithCurve(...columns(of), chance))
      const again = last(gradeWithCurve(...columns([...of].reverse()), chance))
      expect(again).toEqual(first)
      expect(first.bins.reduce((sum, bin) => sum + bin.rows, 0)).toBe(of.length)
      expect(first.bins.reduce((sum, bin) => sum + bin.positives, 0)).toBe(first.positives)
      for (const { consistency, confidence, meanProbability, observed, probabilityMin, probabilityMax } of first.bins) {
        const within = of.filter(({ probability }) => probabilityMin <= probability && probability <= probabilityMax)
        expect(meanProbability).toBeCloseTo(mean(within.map(({ probability }) => probability)), 12)
        expect(probabilityMin <= meanProbability && meanProbability <= probabilityMax).toBe(true)
        expect(consistency.low <= meanProbability && meanProbability <= consistency.high).toBe(true)
        expect(confidence.low <= observed && observed <= confidence.high).toBe(true)
      }
    }),
    { numRuns: 40 },
  )
})

test('an interval is null with a reason exactly where a resample has no score', () => {
  const [one] = [
    last(
      grade(
        ...columns([
          { probability: 0.5, label: 1 },
          { probability: 0.1, label: 0 },
        ]),
        { seed: 1, stream: 0, resamples: 100 },
      ),
    ),
  ]
  expect(one.scores.brierSkill).toMatchObject({
    value: 1 - 0.13 / 0.25,
    low: null,
    reason: expect.stringMatching(/^not defined in \d+ of 100 resamples/),
  })
  expect(one.scores.brier.reason).toBeNull()
  const none = last(grade(...columns([{ probability: 0.5, label: 0 }]), { seed: 1, stream: 0, resamples: 40 }))
  expect(none.scores.prAuc).toEqual({ value: null, low: null, high: null, reason: 'no label is 1' })
})

test('the bands of a single probability are quantiles of the binomial distribution', () => {
  const of = Array.from({ length: 100 }, (_, row): Row => ({ probability: 0.5, label: row < 30 ? 1 : 0 }))
  const { bins } = last(gradeWithCurve(...columns(of), { seed: 1, stream: 0, resamples: 4_000 }))
  const [{ consistency, confidence } = { consistency: { low: 0, high: 0 }, confidence: { low: 0, high: 0 } }] = bins
  for (const [found, expected] of [
    [consistency.low, 0.4],
    [consistency.high, 0.6],
    [confidence.low, 0.21],
    [confidence.high, 0.39],
  ] as const)
    expect(Math.abs(found - expected)).toBeLessThan(0.015)
})

describe('over 60 markets whose probabilities are true', () => {
  const ROWS = 400
  const graded = (seed: number, distort: (probability: number) => number) => {
    const random = new Seeded(seed, 99)
    const of = Array.from({ length: ROWS }, (): Row => {
      const truth = Math.floor(random.next() * 20 + 1) / 25
      return { probability: distort(truth), label: random.next() < truth ? 1 : 0 }
    })
    return last(gradeWithCurve(...columns(of), { seed, stream: 0, resamples: 100 }))
  }
  const markets = Array.from({ length: 60 }, (_, seed) => graded(seed, (truth) => truth))

  test('the interval of the Brier score holds the true mean in at least 52', () => {
    const truths = Array.from({ length: 20 }, (_, at) => (at + 1) / 25)
    const expected = mean(truths.map((truth) => truth * (1 - truth)))
    const held = markets.filter(({ scores: { brier } }) => (brier.low ?? 1) <= expected && expected <= (brier.high ?? 0))
    expect(held.length).toBeGreaterThanOrEqual(52)
  })
  test('the calibration test rejects at most 8, and always rejects a model with doubled odds', () => {
    expect(markets.filter(({ miscalibrationPValue }) => miscalibrationPValue <= 0.05).length).toBeLessThanOrEqual(8)
    expect(markets.filter(({ miscalibrationPValue }) => miscalibrationPValue <= 0.5).length).toBeGreaterThanOrEqual(18)
    expect(graded(1, (truth) => (2 * truth) / (1 + truth)).miscalibrationPValue).toBe(1 / 101)
  })
})
