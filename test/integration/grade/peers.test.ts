// Statistics equal those of other libraries: run with PYTHON_TESTS=yes, and by CI; elsewhere skipped with a notice.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { qValues } from '../../../processors/grading/false-discovery.ts'
import { precisionPValue } from '../../../processors/grading/hypergeometric.ts'
import { curveAt, IsotonicFit } from '../../../processors/grading/isotonic.ts'
import { mean, overfitting, sharpeRatio } from '../../../processors/grading/overfitting.ts'
import { trainingRows } from '../../../processors/grading/purge.ts'
import { quantile } from '../../../processors/grading/quantile.ts'
import { mayTrain, walkForward } from '../../../processors/grading/time-folds.ts'
import { wilsonInterval } from '../../../processors/grading/wilson.ts'
import { describeGiven } from '../../services/describe-given.ts'
import { INSTALL_MS_MAX, isPythonAsked, pythonWith } from '../../services/python.ts'
import { givenFiles, linesOf, run } from '../../unit/cli/grade/given.ts'
import { casesIn } from './peer-cases.ts'

const PEERS = fileURLToPath(new URL('./peers.py', import.meta.url))
const PACKAGES = [
  'model-diagnostics==1.5.0',
  'purgedcv==0.1.11',
  'scikit-learn==1.9.1',
  'scipy==1.17.1',
  'numpy==2.4.6',
  'pandas==3.1.1',
  'matplotlib==3.11.2',
]
const RUN_MS_MAX = 120_000

const tests = (): void => {
  const files = givenFiles()
  const cases = casesIn(files)
  type Kind = keyof typeof cases
  const points = Array.from({ length: 41 }, (_, at) => at / 40)
  let theirs: Record<Kind, never[]>

  beforeAll(async () => {
    const python = await pythonWith(PACKAGES)
    const running = promisify(execFile)(python, [PEERS], { timeout: RUN_MS_MAX, maxBuffer: 64 * 1024 * 1024 })
    running.child.stdin?.end(
      JSON.stringify({
        ...cases,
        curve: cases.curve.map((groups) => ({
          at: groups.map(({ at }) => at),
          sums: groups.map(({ sum, weight }) => sum / weight),
          weights: groups.map(({ weight }) => weight),
          points,
        })),
      }),
    )
    theirs = JSON.parse((await running).stdout)
  }, RUN_MS_MAX + INSTALL_MS_MAX)
  afterAll(() => files.end())

  /** Each case with the libraries' result. */
  const both = <K extends Kind, Said>(kind: K): (readonly [(typeof cases)[K][number], Said])[] =>
    cases[kind].map((given, at) => [given, theirs[kind][at] as Said] as const)
  const near = (ours: number, theirs: number): void =>
    expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(theirs)))

  test('figures of `mintfold grade`, whole and by day, and its reliability curve: model-diagnostics, scikit-learn', async () => {
    type Scores = Readonly<Record<string, number | null>>
    for (const [path, { summary, days, line }] of both<'predictions', { summary: Scores; days: Record<string, Scores>; line: number[][] }>(
      'predictions',
    )) {
      const lines = linesOf(await run(path, '--resamples', '40'))
      const graded = lines.filter(({ type }) => type !== 'bin')
      expect(graded).toHaveLength(Object.keys(days).length + 1)
      for (const ours of graded)
        for (const [name, theirs] of Object.entries(ours.type === 'summary' ? summary : (days[String(ours.day)] ?? {}))) {
          const { value } = ours[name === 'score' ? 'brier' : name] as { value: number | null }
          if (theirs === null) expect([name, value]).toEqual([name, null])
          else near(value ?? Number.NaN, theirs)
        }
      const steps = lines
        .filter(({ type }) => type === 'bin')
        .flatMap((bin) => {
          const [from, to, { value }] = [Number(bin.probability_min), Number(bin.probability_max), bin.observed as { value: number }]
          return from === to
            ? [[from, value]]
            : [
                [from, value],
                [to, value],
              ]
        })
      expect(steps).toHaveLength(line.length)
      for (const [at, step] of steps.flat().entries()) near(step, line.flat()[at] as number)
    }
  })
  test('isotonic curves with weights, between and beyond their points: scikit-learn', () => {
    for (const [groups, theirs] of both<'curve', number[]>('curve')) {
      const fit = new IsotonicFit(groups.length).fit(
        Float64Array.from(groups, ({ weight }) => weight),
        Float64Array.from(groups, ({ sum }) => sum),
      )
      const values = new Float64Array(points.length)
      curveAt(
        fit,
        Float64Array.from(groups, ({ at }) => at),
        Float64Array.from(points),
        values,
      )
      for (const [at, value] of theirs.entries()) near(values[at] as number, value)
    }
  })
  test('overfitting, with ties: purgedcv', () => {
    for (const [{ blocks, groups, metric }, theirs] of both<
      'overfit',
      { probability: number; logits: number[]; best: number[][]; slope: number | null }
    >('overfit')) {
      const ours = overfitting(blocks, groups, metric === 'mean' ? mean : sharpeRatio)
      near(ours.probability, theirs.probability)
      expect(ours.logits).toHaveLength(theirs.logits.length)
      for (const [at, logit] of theirs.logits.entries()) near(ours.logits[at] as number, logit)
      for (const [at, [inSample, outOfSample]] of theirs.best.entries()) {
        near(ours.best[at]?.inSample ?? Number.NaN, inSample as number)
        near(ours.best[at]?.outOfSample ?? Number.NaN, outOfSample as number)
      }
      if (theirs.slope === null) expect(ours.slope).toBeNull()
      else near(ours.slope ?? Number.NaN, theirs.slope)
    }
  })
  test('purge and embargo of folds and of rows here and there, and walking forward: purgedcv', () => {
    type Folds = { kfold: number[][][]; forward: number[][][]; some: number[] }
    for (const [{ test: chosen, ...given }, theirs] of both<'folds', Folds>('folds')) {
      const rows = given.atS.map((_, row) => row)
      const beside = (test: readonly number[]): number[] => rows.filter((row) => !test.includes(row))
      for (const [train = [], test = []] of theirs.kfold) expect(trainingRows(given, beside(test), test, given)).toEqual(train)
      expect(trainingRows(given, beside(chosen), chosen, given)).toEqual(theirs.some)
      for (const [train = [], test = []] of theirs.forward) {
        const before = rows.filter((row) => row < (test[0] as number))
        expect(trainingRows(given, before, test, { ...given, embargoS: 0 })).toEqual(train)
      }
    }
  })
  test('windows that walk forward have the rows of purgedcv, where every outcome takes its time', () => {
    for (const [{ atS, knownAtS, purgeS, testRows }, { forward }] of both<'folds', { forward: number[][][] }>('folds'))
      for (const [train = [], test = []] of forward) {
        const first = test[0] as number
        if (atS[first] === knownAtS[first]) continue
        const [fromS, length] = [atS[first] as number, testRows]
        const range = { fromS: -1, toS: fromS + length, folds: 1, testS: length, trainS: null, purgeS }
        const [fold] = walkForward(range)
        const takesTime = (row: number): boolean => (knownAtS[row] as number) > (atS[row] as number) && (atS[row] as number) < fromS
        const ours = atS
          .map((_, row) => row)
          .filter((row) => fold !== undefined && mayTrain(fold, atS[row] as number, knownAtS[row] as number))
        expect(ours.filter(takesTime)).toEqual(train.filter(takesTime))
      }
  })
  test("Wilson's interval, p-values down to 1e-300, q-values and quantiles: scipy, numpy", () => {
    for (const [{ hits, n }, [low, high]] of both<'wilson', [number, number]>('wilson')) {
      near(wilsonInterval(hits, n)?.low ?? Number.NaN, low)
      near(wilsonInterval(hits, n)?.high ?? Number.NaN, high)
    }
    for (const [given, theirs] of both<'pValue', number>('pValue'))
      expect(Math.abs(precisionPValue(given) - theirs)).toBeLessThanOrEqual(1e-9 * theirs + 1e-300)
    for (const [given, theirs] of both<'qValues', number[]>('qValues'))
      for (const [at, value] of qValues(given).entries()) near(value ?? Number.NaN, theirs[at] as number)
    for (const [{ values, shares }, theirs] of both<'quantiles', number[]>('quantiles')) {
      const sorted = [...values].sort((a, b) => a - b)
      for (const [at, share] of shares.entries()) near(quantile(sorted, share), theirs[at] as number)
    }
  })
}

describeGiven('other libraries give the same', tests, {
  isThere: isPythonAsked,
  lack: 'set PYTHON_TESTS=yes to make a virtual environment with purgedcv and model-diagnostics',
})
