// Cases for our statistics and for other libraries.
import fc from 'fast-check'
import { Seeded } from '../../../processors/seeded.ts'
import { csvOf, type Files, predictions } from '../../unit/cli/grade/given.ts'

const SEED = 11

/** Uniform: doubles of fast-check are mostly next to 0. */
const part = fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 1_000_000)
const drawn = fc.tuple(fc.integer({ min: 1, max: 2_000_000 }), part, part, part).map(([resolved, a, b, c]) => {
  const [flagged, withOutcome] = [Math.round(resolved * a ** 3), Math.round(resolved * b)]
  const [least, most] = [Math.max(0, flagged + withOutcome - resolved), Math.min(flagged, withOutcome)]
  return { resolved, flagged, withOutcome, hits: Math.round(least + (most - least) * c) }
})
const matrix = fc
  .record({ settings: fc.integer({ min: 2, max: 6 }), groups: fc.constantFrom(2, 4, 6, 8), more: fc.nat(9) })
  .chain(({ settings, groups, more }) =>
    fc.record({
      groups: fc.constant(groups),
      // Sixteenths: sums are exact, and ties are ties in every order of adding.
      blocks: fc.array(
        fc.array(
          fc.integer({ min: -20, max: 20 }).map((n) => n / 16),
          { minLength: settings, maxLength: settings },
        ),
        {
          minLength: groups + more,
          maxLength: groups + more,
        },
      ),
    }),
  )
/** Without ties: those by rounding alone could go either way. */
const fine = (seed: number): number[][] => {
  const random = new Seeded(seed)
  return Array.from({ length: 24 + (seed % 7) }, () => Array.from({ length: 5 }, () => random.next() - 0.4))
}
const seconds = fc.integer({ min: 0, max: 12 })
const folds = fc
  .record({
    gapsS: fc.array(fc.nat(3), { minLength: 30, maxLength: 40 }),
    tookS: fc.array(fc.nat(9), { minLength: 40, maxLength: 40 }),
    purgeS: seconds,
    embargoS: seconds,
    chosen: fc.array(fc.nat(29), { minLength: 1 }),
  })
  .map(({ gapsS, tookS, purgeS, embargoS, chosen }) => {
    let nowS = 0
    const atS = gapsS.map((gapS) => (nowS += gapS))
    const knownAtS = atS.map((at, row) => at + (tookS[row] ?? 0))
    return { atS, knownAtS, purgeS, embargoS, folds: 4, testRows: 5, test: [...new Set(chosen)].sort((a, b) => a - b) }
  })
const weighted = fc
  .uniqueArray(
    fc.record({
      at: fc.integer({ min: 0, max: 1_000 }).map((n) => n / 1_000),
      sum: fc.integer({ min: 0, max: 9 }),
      weight: fc.integer({ min: 1, max: 9 }),
    }),
    { selector: ({ at }) => at, minLength: 1 },
  )
  .map((groups) => groups.sort((a, b) => a.at - b.at))

const sampled = <Value>(arbitrary: fc.Arbitrary<Value>, numRuns: number): Value[] => fc.sample(arbitrary, { seed: SEED, numRuns })

/** Cases by topic; writes files of predictions. */
export const casesIn = (files: Files) => ({
  predictions: [
    files.path(csvOf(predictions(5_000, 1))),
    files.path(csvOf(predictions(2, 2))),
    files.path(csvOf(predictions(300, 3).map((row) => ({ ...row, probability: Math.round(row.probability) })))),
    files.path(csvOf(predictions(700, 4).map((row, at) => ({ ...row, probability: row.probability * 0.9 + at * 1e-5 })))),
    files.path(csvOf(predictions(200, 5).map((row) => ({ ...row, label: 1 as const })))),
  ],
  curve: sampled(weighted, 60),
  overfit: [
    ...sampled(matrix, 60).map((given) => ({ ...given, metric: 'mean' as const })),
    ...Array.from({ length: 10 }, (_, seed) => ({ blocks: fine(seed), groups: 6, metric: 'sharpe' as const })),
  ],
  folds: sampled(folds, 60),
  wilson: sampled(drawn, 60).map(({ hits, resolved }) => ({ hits, n: resolved })),
  pValue: sampled(drawn, 300),
  qValues: sampled(fc.array(part, { minLength: 1 }), 30),
  quantiles: sampled(
    fc.record({
      values: fc.array(part, { minLength: 1 }),
      shares: fc.array(part, { minLength: 1 }),
    }),
    30,
  ),
})
