// The parts of training, each with its invariants for any input.
import fc from 'fast-check'
import { binOf } from '../../../../processors/odds/card.ts'
import { edgesOf } from '../../../../processors/odds/train/binning.ts'
import { knotsOf } from '../../../../processors/odds/train/calibrate.ts'
import { fitLogistic } from '../../../../processors/odds/train/logistic.ts'
import { dateOf, eceByChance, figuresOf } from '../../../../processors/odds/train/metrics.ts'
import { Pairing } from '../../../../processors/odds/train/pairing.ts'
import { type TrainingRow, TrainingRows } from '../../../../processors/odds/train/rows.ts'
import { SETTLE_S, splitOf, WINDOWS } from '../../../../processors/odds/train/split.ts'
import { cellOf, tableOf } from '../../../../processors/odds/train/table.ts'
import { Seeded } from '../../../../processors/seeded.ts'
import { keyOf } from '../../../../schemas/keys.ts'
import type { Outcome } from '../../../../schemas/types.ts'
import { givenJudgement } from '../../../fixtures/odds-given.ts'

const keyFor = (n: number) => keyOf(Buffer.alloc(32, n))
const settled = { rugged: true, rugDtS: 100, graduated: false, censored: null }
const rowOf = (n: number, t0: number, afterS: number, other: Partial<TrainingRow['outcome']> = {}): TrainingRow => ({
  judgement: givenJudgement({ mint: keyFor(n % 256), t0 }),
  outcome: { creator: keyFor(n % 7), ...settled, ...other },
  knownAtS: t0 + afterS,
})

test('edges ascend, and every value is in one bin', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constant(Number.NaN)), { maxLength: 300 }), (values) => {
      const edges = edgesOf('dev_sold_ppm', Float64Array.from(values))
      expect(edges).toEqual([...new Set(edges)].sort((a, b) => a - b))
      for (const value of values) {
        const bin = binOf(edges, value)
        if (Number.isNaN(value)) expect(bin).toBe(0)
        else
          expect([edges[bin - 2] ?? -1 <= value, (edges[bin - 1] ?? Number.POSITIVE_INFINITY) > value]).toEqual([expect.anything(), true])
      }
    }),
  )
})

test('a value that more than a quarter of the rows have gets its own bin', () => {
  const edges = edgesOf(
    'holders',
    Float64Array.from({ length: 200 }, (_, i) => (i < 80 ? 5 : i)),
  )
  expect(edges).toEqual(expect.arrayContaining([6]))
  expect(binOf(edges, 5)).not.toBe(binOf(edges, 6))
})

test('a fit is right on average in every bin without penalty, and its base rate is that of the rows', () => {
  const random = new Seeded(5)
  const bins = Uint16Array.from({ length: 2_000 }, (_, cell) => (cell % 2 === 0 ? random.int(3) : 3 + random.int(4)))
  const labels = Uint8Array.from({ length: 1_000 }, (_, row) => Number(random.next() < ((bins[row * 2] as number) + 1) / 5))
  const steps = fitLogistic({ bins, features: 2, labels, next: new Int32Array(7).fill(-1) }, { ridge: 0.001, smooth: 0 })
  let step = steps.next()
  while (!step.done) step = steps.next()
  const { base, weights } = step.value
  const off = new Float64Array(8)
  for (const [row, label] of labels.entries()) {
    const [a, b] = [bins[row * 2] as number, bins[row * 2 + 1] as number]
    const error = label - 1 / (1 + Math.exp(-(base + (weights[a] as number) + (weights[b] as number))))
    for (const index of [a, b, 7]) off[index] = (off[index] as number) + error
  }
  for (const error of off) expect(Math.abs(error)).toBeLessThan(0.05)
})

test('knots rise in score, never fall in probability, and are whole numbers from 0 to 1,000,000 ppm', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.boolean()), { minLength: 1, maxLength: 400 }), (rows) => {
      const scores = Float64Array.from(rows, ([score]) => score * 1e6)
      const knots = knotsOf(
        scores,
        Uint8Array.from(rows, ([, label]) => Number(label)),
      )
      for (const [at, [score, ppm]] of knots.entries()) {
        expect(Number.isInteger(score) && Number.isInteger(ppm) && ppm >= 0 && ppm <= 1_000_000).toBe(true)
        const [before, below] = knots[at - 1] ?? [Number.NEGATIVE_INFINITY, 0]
        expect(score).toBeGreaterThan(before)
        expect(ppm).toBeGreaterThanOrEqual(below)
      }
    }),
    { numRuns: 50 },
  )
})

describe('knots', () => {
  /** Of 100 rows at each score, the first ones are positive: as many as given. */
  const knotsFor = (positives: Readonly<Record<number, number>>): (readonly [score: number, ppm: number])[] => {
    const rows = Object.entries(positives).flatMap(([score, count]) => Array.from({ length: 100 }, (_, n) => [Number(score), n < count]))
    return knotsOf(
      Float64Array.from(rows, ([score]) => Number(score)),
      Uint8Array.from(rows, ([, label]) => Number(label)),
    )
  }
  const ppmOf = (share: number): number => Math.round(share * 1e6)

  test('are the means of the labels, with two rows at the base rate mixed in', () =>
    expect(knotsFor({ 1000: 20, 5000: 60 })).toEqual([
      [1_000, ppmOf((20 + 2 * 0.4) / 102)],
      [5_000, ppmOf((60 + 2 * 0.4) / 102)],
    ]))
  test('are one at the mean score where the labels fall', () => expect(knotsFor({ 1000: 60, 5000: 20 })).toEqual([[3_000, 400_000]]))
  test('are never 0 or 1 as long as both labels occur', () =>
    expect(knotsFor({ 1000: 0, 5000: 100 })).toEqual([
      [1_000, ppmOf(1 / 102)],
      [5_000, ppmOf(101 / 102)],
    ]))
})

test('no window uses knowledge of a later one', () => {
  const launch = fc.tuple(fc.integer({ min: 0, max: 40 * 3_600 }), fc.integer({ min: 0, max: 5 * 3_600 }))
  fc.assert(
    fc.property(fc.array(launch, { minLength: 1, maxLength: 80 }), (launches) => {
      const set = new TrainingRows()
      for (const [n, [t0, afterS]] of launches.entries()) set.add(rowOf(n, t0, afterS))
      const untilS = Math.max(...launches.map(([t0, afterS]) => t0 + afterS))
      const { windows, purged } = splitOf(set, untilS)
      const taken = WINDOWS.flatMap((name) => [...windows[name].rows])
      expect(new Set(taken).size).toBe(taken.length)
      expect(purged).toBe(launches.length - taken.length)
      for (const [at, name] of WINDOWS.entries()) {
        const next = windows[WINDOWS[at + 1] ?? 'test'].fromS
        for (const row of windows[name].rows) {
          const [t0, afterS] = launches[row] as readonly [number, number]
          if (name !== 'test') expect([t0 + afterS <= next, t0 < next - SETTLE_S]).toEqual([true, true])
          expect(t0).toBeGreaterThanOrEqual(windows[name].fromS)
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('rows beyond the limit replace the oldest, which are counted', () => {
  const set = new TrainingRows(3)
  for (let n = 0; n < 5; n++) set.add(rowOf(n, 1_000 + n, 10))
  expect([set.length, set.dropped]).toEqual([3, 2])
  expect([...set.t0.slice(0, 3)].sort()).toEqual([1_002, 1_003, 1_004])
})

describe('judgements and outcomes of a stream', () => {
  const outcome = (n: number, other: Partial<Outcome> = {}) => ({
    at: 2_000,
    body: { type: 'outcome', mint: keyFor(n), creator: keyFor(9), ...settled, ...other } as Outcome,
  })
  const judgement = (n: number) => ({ at: 1_000, body: givenJudgement({ mint: keyFor(n) }) })

  test('become rows once the launch has settled; censored and pending ones are counted', () => {
    const rows: TrainingRow[] = []
    const pairing = new Pairing((row) => rows.push(row))
    for (const one of [judgement(1), judgement(1), judgement(2), judgement(3), outcome(1), outcome(2, { censored: 'gap' })])
      pairing.take(one)
    expect(rows.map(({ knownAtS, judgement: { mint } }) => [mint, knownAtS])).toEqual([
      [keyFor(1), 2_000],
      [keyFor(1), 2_000],
    ])
    expect(pairing.left).toEqual({ censored: 1, unresolved: 1 })
  })
  test('are dropped, oldest first, beyond the limit of pending launches', () => {
    const rows: TrainingRow[] = []
    const pairing = new Pairing((row) => rows.push(row), 2)
    for (const one of [judgement(1), judgement(2), judgement(3), outcome(1), outcome(3)]) pairing.take(one)
    expect(rows.map(({ judgement: { mint } }) => mint)).toEqual([keyFor(3)])
    expect(pairing.left).toEqual({ censored: 0, unresolved: 2 })
  })
  test.each([
    [{}, [1, 0]],
    [{ rugDtS: 301 }, [0, 0]],
    [{ rugged: false, rugDtS: null, graduated: true }, [0, 1]],
    [{ rugged: null, rugDtS: null, graduated: null }, [2, 2]],
  ])('%j is labelled %j (2: unknown)', (other, labels) => {
    const set = new TrainingRows()
    set.add(rowOf(1, 1_000, 10, other))
    expect([set.labels.rug_within_300s[0], set.labels.true_graduation[0]]).toEqual(labels)
  })
})

test('the table shrinks the rate of a cell with few rows towards the rate of its age', () => {
  const set = new TrainingRows()
  for (let n = 0; n < 40; n++) set.add(rowOf(n, 1_000, 10, { rugged: n % 2 === 0, rugDtS: n % 2 === 0 ? 10 : null }))
  set.add({ ...rowOf(1, 1_000, 10), judgement: givenJudgement({ flagBits: 4 }) })
  const table = tableOf(
    set,
    'rug_within_300s',
    Array.from({ length: 41 }, (_, row) => row),
  )
  expect(table(cellOf(set, 0))).toBeCloseTo((20 + 20 * (21 / 41)) / 60)
  expect(table(cellOf(set, 40))).toBeCloseTo((1 + 20 * (21 / 41)) / 21)
})

test('dates are calendar days', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e9 }), (at) => {
      expect(dateOf(at)).toBe(new Date(at * 1_000).toISOString().slice(0, 10))
    }),
  )
})

describe('figures', () => {
  const of = (rows: number, launches: number) => ({
    probabilities: new Float64Array(rows).fill(0.5),
    labels: Uint8Array.from({ length: rows }, (_, row) => row % 2),
    launch: Float64Array.from({ length: rows }, (_, row) => row % launches),
  })
  test('of a calibrated forecast with one probability deviate by chance like a coin', () => {
    expect(eceByChance(of(400, 400))).toBeCloseTo(Math.sqrt(2 / Math.PI) * 0.025)
  })
  test('treat rows of one launch as correlated', () => expect(eceByChance(of(400, 100))).toBeCloseTo(Math.sqrt(2 / Math.PI) * 0.05))
  test('have base rate, launches and skill, and none without rows', () => {
    expect(figuresOf(of(10, 5))).toMatchObject({ n: 10, launches: 5, positives: 5, base_rate: 0.5, brier: 0.25, brier_skill: 0, ece: 0 })
    expect(figuresOf(of(0, 1))).toEqual({ n: 0, launches: 0, positives: 0 })
  })
})
