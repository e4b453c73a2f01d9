// Backtests of a demo market against the market's own record of each launch, which no fold reads.
import { deserialize, serialize } from 'node:v8'
import { quantile } from '../../../processors/grading/quantile.ts'
import type { Graded, Report } from '../../../topology/backtest/report-types.ts'
import type { DemoTruth } from '../../../topology/simulator/solana/market-types.ts'
import { backtested, backtestOf, closed, demoMarket, settledIn, shippedCandidates } from '../../fixtures/backtest-market.ts'

const HOURS = 2.5
const DELAYS_S = [0, 7]
const FLAGGED_AT: Readonly<Record<string, (truth: DemoTruth) => number | null>> = {
  creator_sold: (truth) => truth.creatorSoldAtMs,
  bundle_dumped: (truth) => truth.bundleDumpedAtMs,
  curve_drained: (truth) => truth.curveDrainedAtMs,
  curve_closed_low: (truth) => truth.closedLowAtMs,
  migrate_below_grad: (truth) => truth.migratedLowAtMs,
  pool_drained: (truth) => truth.poolDrainedAtMs,
}
const { tape, truths } = demoMarket({ seed: 10, rate: 1, seconds: HOURS * 3_600 }, 8 * 3_600)
const [first = 0, last = 0] = [tape[0]?.time, tape.at(-1)?.time]
/** Outcomes of the settled launches: the market ended their stories, so that their truth is complete. */
const settled = settledIn(tape)
const RANGE = { from: first, to: first + 2_700 }
/** Tests that do not compare with the truth use the first third of the tape. */
const short = tape.slice(0, Math.floor(tape.length / 3))
const judgedTruths = [...truths.values()].flatMap((truth) => {
  const outcome = settled.get(truth.mint)
  const isIn = truth.launchedAtMs >= RANGE.from * 1_000 && truth.launchedAtMs < RANGE.to * 1_000
  return isIn && outcome?.censored === null ? [{ truth, settledAt: outcome.settledAt }] : []
})

/** Expected figures of a detector, counted here from the truth file alone. */
const countedFrom = (flag: string, delayS: number) => {
  const at = FLAGGED_AT[flag] as (truth: DemoTruth) => number | null
  const flags = judgedTruths.flatMap(({ truth, settledAt }) => {
    const flaggedAt = at(truth)
    return flaggedAt === null || flaggedAt > settledAt * 1_000 ? [] : [{ truth, flaggedAt }]
  })
  const leads = flags.flatMap(({ truth: { rug }, flaggedAt }) => (rug === null ? [] : [(rug.atMs - flaggedAt) / 1_000 - delayS]))
  const hits = leads.filter((lead) => lead >= 0).sort((a, b) => a - b)
  const rugged = judgedTruths.filter(({ truth }) => truth.rug !== null).length
  return {
    judged: flags.length,
    hits: hits.length,
    late: leads.length - hits.length,
    killedWinners: flags.filter(({ truth }) => truth.graduated).length,
    rugged,
    launches: judgedTruths.length,
    precision: flags.length === 0 ? null : hits.length / flags.length,
    recall: hits.length / rugged,
    leadP50S: hits.length === 0 ? null : quantile(hits, 0.5),
    leadP90S: hits.length === 0 ? null : quantile(hits, 0.9),
  }
}
const figuresOf = ({ judged, hits, late, killedWinners, rugged, launches, precision, recall, leadP50S, leadP90S }: Graded) => ({
  ...{ judged, hits, late, killedWinners, rugged, launches, precision: precision.value, recall: recall.value, leadP50S, leadP90S },
})

test('the market has rugs, winners, true and false flags', () => {
  expect(last - first).toBeGreaterThan((HOURS - 0.1) * 3_600)
  const ended = [...settled.values()].filter(({ t0, censored }) => t0 >= RANGE.from && t0 < RANGE.to && censored === null)
  expect(ended.map(({ mint }) => mint).sort()).toEqual(judgedTruths.map(({ truth }) => truth.mint).sort())
  const { judged, hits, rugged, launches } = countedFrom('bundle_dumped', 0)
  expect([judged > 15, hits > 3, judged > hits, rugged > 20, launches > rugged + 10]).toEqual([true, true, true, true, true])
  expect(judgedTruths.length).toBeGreaterThan(60)
})

let known: Report | undefined
/** The shipped settings alone, without a delay. */
const alone = (): Report => {
  known ??= backtested(tape, shippedCandidates(), RANGE)
  return known
}

test.each(DELAYS_S)('precision, recall and leads equal those counted from the truth, with a delay of %i s', (delayS) => {
  const { settings, summary } = delayS === 0 ? alone() : backtested(tape, shippedCandidates(), { ...RANGE, delayS })
  for (const [flag] of Object.entries(FLAGGED_AT)) {
    const graded = settings.find(({ detector }) => detector.flag === flag)
    expect([flag, graded && figuresOf(graded)]).toEqual([flag, countedFrom(flag, delayS)])
  }
  expect(summary.launches).toBeGreaterThanOrEqual(judgedTruths.length)
})

test('the shipped setting has the same figures, whatever other settings run beside it', () => {
  const among = backtested(tape, shippedCandidates(new Map([['percent', [5, 20, 60]]])), RANGE).settings
  const drained = among.filter(({ detector }) => detector.flag === 'curve_drained')
  expect(drained.map(({ name, isDefault }) => [name, isDefault])).toEqual([
    ['curve-drained percent=5', false],
    ['curve-drained percent=20', true],
    ['curve-drained percent=60', false],
  ])
  const shipped = alone().settings.find(({ detector }) => detector.flag === 'curve_drained') as Graded
  expect(figuresOf(drained[1] as Graded)).toEqual(figuresOf(shipped))
  expect(drained.map(({ flagged }) => flagged)).toEqual([...drained.map(({ flagged }) => flagged)].sort((a, b) => a - b))
  expect((drained[2] as Graded).flagged).toBeGreaterThan((drained[0] as Graded).flagged)
})

test('slices by day, regime and creator add up to the totals', () => {
  const { settings } = backtested(short, shippedCandidates())
  for (const graded of settings)
    for (const by of ['day', 'regime', 'creator'] as const) {
      const slices = graded.slices.filter((slice) => slice.by === by)
      const sum = (count: 'flagged' | 'judged' | 'hits' | 'late' | 'rugged' | 'launches') =>
        slices.reduce((all, slice) => all + slice[count], 0)
      const { flagged, judged, hits, late, rugged, launches } = graded
      expect([graded.name, by, sum('flagged'), sum('judged'), sum('hits'), sum('late'), sum('rugged'), sum('launches')]).toEqual([
        ...[graded.name, by, flagged, judged, hits, late, rugged, launches],
      ])
    }
})

test('a run stopped at any point and resumed elsewhere gives the same report', () => {
  const candidates = shippedCandidates(new Map([['percent', [10, 20]]]))
  const lossTested = new Set([0, 3])
  const options = { lossTested }
  const whole = backtested(short, candidates, options)
  expect(whole.settings[0]?.loss).toMatchObject({ lostShare: 0.05 })
  for (const share of [0.15, 0.85]) {
    const stopped = backtestOf(candidates, options)
    for (const batch of short.slice(0, Math.floor(short.length * share))) stopped.take(batch)
    const bytes = serialize(stopped.state)
    const next = backtestOf(candidates, options)
    next.restore(deserialize(bytes))
    for (const batch of short) next.take(batch)
    expect(closed(next)).toEqual(whole)
  }
})

test('findings up to a moment do not depend on later events', () => {
  const found: string[][] = []
  for (const share of [0.4, 1]) {
    const until = short[Math.floor(short.length * 0.4)]?.time ?? 0
    const findings: string[] = []
    const candidates = shippedCandidates().map((one, i) => ({
      ...one,
      find: (rows: Parameters<typeof one.find>[0]) => {
        const evidence = one.find(rows)
        if (evidence !== undefined && rows.curve.lastAt < until)
          findings.push(`${i} ${JSON.stringify(rows.position)} ${JSON.stringify(evidence)}`)
        return evidence
      },
    }))
    backtested(short.slice(0, Math.floor(short.length * share)), candidates)
    found.push(findings)
  }
  expect(found[0]?.length).toBeGreaterThan(20)
  expect(found[0]).toEqual(found[1])
})
