// Intervals, tests and folds keep their invariants for any input.
import fc from 'fast-check'
import { qValues } from '../../../processors/grading/false-discovery.ts'
import { precisionPValue } from '../../../processors/grading/hypergeometric.ts'
import { overfitting } from '../../../processors/grading/overfitting.ts'
import { trainingRows } from '../../../processors/grading/purge.ts'
import { mayTrain, purgedFolds, walkForward } from '../../../processors/grading/time-folds.ts'
import { wilsonInterval } from '../../../processors/grading/wilson.ts'

/** Evenly spread: doubles of fast-check are mostly close to 0. */
const part = fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 1_000_000)

const counted = fc
  .record({ n: fc.integer({ min: 1, max: 10_000 }), share: part })
  .map(({ n, share }) => ({ n, hits: Math.round(n * share) }))

test("Wilson's interval holds the share, lies between 0 and 1, and mirrors the interval of the misses", () => {
  fc.assert(
    fc.property(counted, ({ hits, n }) => {
      const { low, high } = wilsonInterval(hits, n) ?? { low: Number.NaN, high: Number.NaN }
      const mirror = wilsonInterval(n - hits, n)
      expect(low >= 0 && low <= hits / n && hits / n <= high && high <= 1).toBe(true)
      expect(mirror?.low).toBeCloseTo(1 - high, 12)
    }),
  )
})

test('q-values are at least the p-values, in the same order, and at most 1', () => {
  fc.assert(
    fc.property(fc.array(fc.option(part)), (values) => {
      const found = qValues(values)
      const both = values.flatMap((value, at) => (value === null ? [] : [[value, found[at] as number] as const]))
      expect(found.map((value) => value === null)).toEqual(values.map((value) => value === null))
      for (const [p, q] of both) expect(q >= p && q <= 1).toBe(true)
      const sorted = both.sort((a, b) => a[0] - b[0]).map(([, q]) => q)
      expect(sorted).toEqual([...sorted].sort((a, b) => a - b))
    }),
  )
})

/** Exact number of ways to choose `k` of `n`. */
const choose = (n: number, k: number): bigint => {
  let ways = 1n
  for (let at = 1; at <= k; at++) ways = (ways * BigInt(n - k + at)) / BigInt(at)
  return ways
}

test('the p-value of a precision is the exact count of all draws with at least as many hits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), part, part, part, (resolved, a, b, c) => {
      const [flagged, withOutcome] = [Math.round(resolved * a), Math.round(resolved * b)]
      const hits = Math.round(Math.min(flagged, withOutcome) * c)
      let draws = 0n
      for (let more = hits; more <= Math.min(flagged, withOutcome); more++)
        if (flagged - more <= resolved - withOutcome) draws += choose(withOutcome, more) * choose(resolved - withOutcome, flagged - more)
      const scale = 10n ** 400n
      const digits = (draws * scale) / choose(resolved, flagged)
      const exact = Number(`${digits}e-400`)
      expect(Math.abs(precisionPValue({ hits, flagged, withOutcome, resolved }) - exact)).toBeLessThanOrEqual(exact * 1e-11)
    }),
  )
})

test('overfitting does not depend on the order of settings without ties, nor on scaling all of them', () => {
  const rows = fc.integer({ min: 2, max: 5 }).chain((settings) =>
    fc.array(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: settings, maxLength: settings }), {
      minLength: 4,
      maxLength: 9,
    }),
  )
  fc.assert(
    fc.property(rows, (blocks) => {
      const { probability, logits } = overfitting(blocks, 4)
      expect(probability >= 0 && probability <= 1 && logits.length === 6).toBe(true)
      expect(
        overfitting(
          blocks.map((row) => row.map((value) => value * 2)),
          4,
        ).logits,
      ).toEqual(logits)
      const sums = (blocks[0] ?? []).map((_, setting) => blocks.map((row) => row[setting]).join())
      fc.pre(new Set(sums).size === sums.length && isUntied(blocks))
      expect(
        overfitting(
          blocks.map((row) => [...row].reverse()),
          4,
        ).logits,
      ).toEqual(logits)
    }),
  )
})
/** Whether no two settings have the same sum over any set of blocks. */
const isUntied = (blocks: readonly (readonly number[])[]): boolean => {
  for (let chosen = 1; chosen < 1 << blocks.length; chosen++) {
    const sums = (blocks[0] ?? []).map((_, setting) =>
      blocks.reduce((sum, row, at) => sum + (chosen & (1 << at) ? (row[setting] as number) : 0), 0),
    )
    if (new Set(sums).size < sums.length) return false
  }
  return true
}

/** Rows in time order, on a grid, so that edges coincide. */
const times = fc
  .array(fc.record({ atS: fc.integer({ min: 0, max: 60 }), tookS: fc.integer({ min: 0, max: 8 }) }), { minLength: 1, maxLength: 40 })
  .map((rows) => rows.sort((a, b) => a.atS - b.atS))
  .map((rows) => ({ atS: rows.map(({ atS }) => atS), knownAtS: rows.map(({ atS, tookS }) => atS + tookS) }))
const seconds = fc.integer({ min: 0, max: 10 })

test('training rows are exactly those that no test row excludes, checked one by one', () => {
  fc.assert(
    fc.property(times, fc.array(fc.nat(39)), seconds, seconds, ({ atS, knownAtS }, chosen, purgeS, embargoS) => {
      const test = [...new Set(chosen.map((row) => row % atS.length))]
      const others = atS.map((_, row) => row).filter((row) => !test.includes(row))
      const at = (row: number): number => atS[row] as number
      const known = (row: number): number => knownAtS[row] as number
      const allowed = others.filter((row) =>
        test.every((other) => {
          const overlaps = at(row) < known(row) && at(other) - purgeS < known(row) && at(row) < known(other) + purgeS
          const isEmpty = at(other) - purgeS === known(other) + purgeS
          const isUnderEmbargo = embargoS > 0 && at(row) >= known(other) && at(row) <= known(other) + embargoS
          return !(overlaps && !isEmpty) && !isUnderEmbargo
        }),
      )
      expect(trainingRows({ atS, knownAtS }, others, test, { purgeS, embargoS })).toEqual(allowed)
    }),
  )
})

test('rows that a window allows for training are also allowed row by row, and overlap no test row', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 2, max: 4 }), seconds, seconds, fc.boolean(), (rows, folds, purgeS, embargoS, isForward) => {
      const range = { fromS: 0, toS: 60, folds, purgeS }
      const windows = isForward ? walkForward({ ...range, testS: 10, trainS: null }) : purgedFolds({ ...range, horizonS: 8, embargoS })
      for (const fold of windows) {
        const index = rows.atS.map((_, row) => row)
        const test = index.filter((row) => (rows.atS[row] as number) >= fold.test.fromS && (rows.atS[row] as number) < fold.test.toS)
        const train = index.filter((row) => mayTrain(fold, rows.atS[row] as number, rows.knownAtS[row] as number))
        expect(train.filter((row) => test.includes(row))).toEqual([])
        expect(trainingRows(rows, train, test, { purgeS, embargoS: isForward ? 0 : embargoS })).toEqual(train)
      }
    }),
  )
})
