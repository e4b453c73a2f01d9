// Plays a market at full speed: a model is trained at half time and scores every later launch as it happens. Its odds are graded by
// mintfold's own outcomes and by the market's ground truth.
import { ODDS_HEADS, type OddsHead, RUG_HORIZON_S } from '../../processors/odds/heads.ts'
import { labelOf } from '../../processors/odds/labels.ts'
import { type Model, readModel } from '../../processors/odds/model.ts'
import { modelFileOf } from '../../processors/odds/model-file.ts'
import { figuresOf, type MetricValues, skillByDay } from '../../processors/odds/train/metrics.ts'
import { Pairing } from '../../processors/odds/train/pairing.ts'
import { TrainingRows } from '../../processors/odds/train/rows.ts'
import { SETTLE_S } from '../../processors/odds/train/split.ts'
import { type TableCell, tableOf } from '../../processors/odds/train/table.ts'
import { trainModel } from '../../processors/odds/train/train.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Conclusion, Judgement } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { DEMO_DEFAULTS } from '../../topology/simulator/solana/defaults.ts'
import type { DemoTruth } from '../../topology/simulator/solana/market-types.ts'
import { yieldToEventLoop } from '../../topology/waiting/waiting.ts'
import { batchOf, type DemoStretch, demoSlots } from '../fixtures/demo-tape.ts'

const HOUR_S = 3_600
const MILLION = 1_000_000
/** From this number of launches on, chance alone gives an ECE below 0.01. */
const LAUNCHES_MIN = 20_000
const LIMITS = { ece: 0.02, miscalibration: 0.002 }

interface OddsPlan extends Pick<DemoStretch, 'rate' | 'seed'> {
  readonly hours: number
}
/** The model's odds of a launch, given before its outcome. `table`: those of the base-rate table. */
interface Given {
  readonly mint: Key
  readonly t0: number
  readonly probability: number
  readonly table: number
}
type Labels = ReadonlyMap<Key, Readonly<Record<OddsHead, boolean | null>>>
interface Graded {
  readonly all: MetricValues
  readonly skillByDay: MetricValues
}
interface OddsReport extends OddsPlan {
  readonly launches: number
  readonly model: { readonly id: string; readonly bytes: number; readonly scoreUs: number } | null
  /** Why there is no model. */
  readonly reason: string | null
  readonly grades: Readonly<Record<string, Readonly<Record<string, Graded>>>>
}

/** The model trained at half time. */
interface Learnt {
  readonly model: Model
  readonly bytes: number
  readonly table: Readonly<Record<OddsHead, (cell: TableCell) => number>>
}

const learn = (set: TrainingRows, untilS: number, left: Pairing['left']): Learnt | string => {
  const steps = trainModel(set, untilS, { ...left })
  let step = steps.next()
  while (!step.done) step = steps.next()
  if (!step.value.ok) return step.value.reason
  const file = modelFileOf(step.value.body)
  const tableFor = (head: OddsHead) =>
    tableOf(
      set,
      head,
      Array.from({ length: set.length }, (_, row) => row).filter((row) => set.has(head, row)),
    )
  const table = { rug_within_300s: tableFor('rug_within_300s'), true_graduation: tableFor('true_graduation') }
  return { model: readModel(file), bytes: file.length, table }
}

class Held {
  readonly given: Readonly<Record<OddsHead, Given[]>> = { rug_within_300s: [], true_graduation: [] }
  readonly outcomes = new Map<Key, Readonly<Record<OddsHead, boolean | null>>>()
  readonly truths = new Map<Key, Readonly<Record<OddsHead, boolean>>>()
  scoredMs = 0
  scored = 0

  judge({ model, table }: Learnt, judgement: Judgement): void {
    for (const head of ODDS_HEADS) {
      const startedMs = performance.now()
      const ppm = model.score(head, judgement)
      this.scoredMs += performance.now() - startedMs
      this.scored++
      if (ppm === null) continue
      const { mint, t0 } = judgement
      this.given[head].push({ mint, t0, probability: ppm / MILLION, table: table[head](judgement) })
    }
  }
  settle({ body }: Pick<Conclusion, 'body'>): void {
    if (body.type !== 'outcome') return
    const labels = { rug_within_300s: labelOf('rug_within_300s', body), true_graduation: labelOf('true_graduation', body) }
    this.outcomes.set(body.mint, labels)
  }
  truth({ mint, rug, launchedAtMs, graduated }: DemoTruth): void {
    const isSoon = rug !== null && rug.atMs - launchedAtMs <= RUG_HORIZON_S * 1_000
    this.truths.set(mint, { rug_within_300s: isSoon, true_graduation: graduated })
  }
  /** Grades launches before `toS`: of later ones only the short-lived have settled. */
  grade(head: OddsHead, labels: Labels, toS: number): Graded {
    const rows = this.given[head].filter(({ mint, t0 }) => t0 < toS && (labels.get(mint)?.[head] ?? null) !== null)
    const numbers = new Map([...new Set(rows.map(({ mint }) => mint))].map((mint, n) => [mint, n]))
    const predicted = {
      probabilities: Float64Array.from(rows, ({ probability }) => probability),
      labels: Uint8Array.from(rows, ({ mint }) => Number(labels.get(mint)?.[head])),
      launch: Float64Array.from(rows, ({ mint }) => numbers.get(mint) as number),
    }
    const table = Float64Array.from(rows, (row) => row.table)
    return {
      all: figuresOf(predicted, table),
      skillByDay: skillByDay(
        predicted,
        Float64Array.from(rows, ({ t0 }) => t0),
      ),
    }
  }
}

/** Conclusions and truths of one slot of a market. */
interface EmittedSlot {
  readonly time: number
  readonly conclusions: readonly Pick<Conclusion, 'at' | 'body'>[]
  readonly truths: readonly DemoTruth[]
}

function* emittedSlots({ seed, rate, hours }: OddsPlan): Generator<EmittedSlot> {
  const replay = new Replay(LAUNCH_RISK)
  let truths: DemoTruth[] = []
  for (const slot of demoSlots({ seed, rate, seconds: hours * HOUR_S }, { onTruth: (truth) => truths.push(truth) })) {
    const batch = batchOf(slot)
    yield { time: batch.time, conclusions: replay.batch(batch).conclusions, truths }
    truths = []
  }
}

/** Plays the whole market; reports progress every hour of stream time. */
export const runOdds = (plan: OddsPlan, print: (line: string) => void): Promise<OddsReport> => gradeMarket(emittedSlots(plan), plan, print)

const gradeMarket = async (
  slots: Iterable<EmittedSlot> | AsyncIterable<EmittedSlot>,
  plan: OddsPlan,
  print: (line: string) => void,
): Promise<OddsReport> => {
  const { hours } = plan
  const fromS = DEMO_DEFAULTS.startMs / 1_000
  const cutS = fromS + (hours * HOUR_S) / 2
  const set = new TrainingRows()
  const pairing = new Pairing((row) => set.add(row))
  const held = new Held()
  let [learnt, hour]: [Learnt | string | null, number] = [null, 0]
  for await (const { time, conclusions, truths } of slots) {
    if (learnt === null && time >= cutS) learnt = learn(set, time, pairing.left)
    if (typeof learnt === 'string') break
    for (const truth of truths) held.truth(truth)
    for (const conclusion of conclusions) {
      if (learnt === null) pairing.take(conclusion)
      else if (conclusion.body.type === 'judgement' && conclusion.body.t0 >= cutS) held.judge(learnt, conclusion.body)
      held.settle(conclusion)
    }
    if (time - fromS < (hour + 1) * HOUR_S) continue
    print(`${++hour} of ${hours} hours, ${set.length} judgements to learn from, ${held.given.rug_within_300s.length} odds of rugs`)
    await yieldToEventLoop()
  }
  return reportOf(plan, learnt, held, fromS + hours * HOUR_S - SETTLE_S)
}

const reportOf = (plan: OddsPlan, learnt: Learnt | string | null, held: Held, toS: number): OddsReport => {
  const sources: readonly (readonly [string, Labels])[] = [
    ['outcomes', held.outcomes],
    ['truths', held.truths],
  ]
  const grades = Object.fromEntries(
    ODDS_HEADS.map((head) => [head, Object.fromEntries(sources.map(([name, labels]) => [name, held.grade(head, labels, toS)]))]),
  )
  const launches = new Set(held.given.rug_within_300s.filter(({ t0 }) => t0 < toS).map(({ mint }) => mint)).size
  if (learnt === null || typeof learnt === 'string')
    return { ...plan, launches, model: null, reason: learnt ?? 'the market was too short', grades }
  const { model, bytes } = learnt
  const scoreUs = Math.round((held.scoredMs * 10_000) / Math.max(1, held.scored)) / 10
  return { ...plan, launches, model: { id: model.id, bytes, scoreUs }, reason: null, grades }
}

/** Whether the odds of both heads keep the limits, by mintfold's outcomes and by the market's ground truth. */
export const isOddsWell = ({ launches, model, grades }: OddsReport): boolean =>
  model !== null &&
  launches >= LAUNCHES_MIN &&
  Object.values(grades).every((of) =>
    Object.values(of).every(
      ({ all, skillByDay: days }) =>
        (all.ece ?? 1) <= LIMITS.ece &&
        (all.miscalibration ?? 1) <= LIMITS.miscalibration &&
        (all.discrimination ?? 0) > (all.table_discrimination ?? 1) &&
        Object.values(days).every((skill) => (skill ?? 0) > 0),
    ),
  )
