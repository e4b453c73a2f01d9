// The detectors against the truth of the demo: `npm run grade [-- hours seed]` prints precision and recall of each flag and outcome.

import { type Key, toBase58 } from '../../schemas/keys.ts'
import { hash8Of } from '../../schemas/position.ts'
import type { Conclusion, Outcome, TapeBatch } from '../../schemas/types.ts'
import { Replay } from '../../topology/replay.ts'
import { frameCountsOf, frameHead, tapeEventsOf } from '../../topology/sources/demo/bytes.ts'
import { DEMO_DEFAULTS } from '../../topology/sources/demo/defaults.ts'
import { Market } from '../../topology/sources/demo/market.ts'
import type { DemoTruth } from '../../topology/sources/demo/market-types.ts'

/** One rule: how often it spoke, how often it should have, and how often both at the same second. */
export interface Grade {
  readonly rule: string
  readonly said: number
  readonly true: number
  readonly hits: number
  /** Null where the rule never spoke, or never should have. */
  readonly precision: number | null
  readonly recall: number | null
  /** A few mints in which both differ. */
  readonly misses: readonly string[]
}

const FLAG_TRUTHS: Readonly<Record<string, (truth: DemoTruth) => number | null>> = {
  creator_sold: (truth) => truth.creatorSoldAtMs,
  bundle_dumped: (truth) => truth.bundleDumpedAtMs,
  curve_drained: (truth) => truth.curveDrainedAtMs,
  curve_closed_low: (truth) => truth.closedLowAtMs,
  migrate_below_grad: (truth) => truth.migratedLowAtMs,
  pool_drained: (truth) => truth.poolDrainedAtMs,
}
const MISSES_SHOWN = 3

/** Simulates `hours` of the demo, folds its tape, and compares what was concluded of every launch whose story is over. */
export const gradeDetectors = (hours: number, seed: number): { readonly graded: number; readonly grades: readonly Grade[] } => {
  const truths = new Map<Key, DemoTruth>()
  const { findings, outcomes, graduates } = conclude(hours, seed, (truth) => truths.set(truth.mint, truth))
  const flags = Object.entries(FLAG_TRUTHS).map(([flag, atMs]) =>
    grade(
      flag,
      truths,
      (truth) => atMs(truth),
      (mint) => findings.get(`${mint}:${flag}`) ?? null,
    ),
  )
  const settled = new Map([...truths].filter(([mint]) => outcomes.get(mint)?.censored === null))
  const rugged = grade(
    'outcome rugged',
    settled,
    (truth) => truth.rug?.atMs ?? null,
    (mint) => rugAtMs(outcomes.get(mint)),
  )
  const graduated = grade(
    'outcome graduated',
    settled,
    ({ graduated: is }) => (is ? 0 : null),
    (mint) => (outcomes.get(mint)?.graduated ? 0 : null),
  )
  const listed = grade(
    'graduation listed',
    truths,
    ({ graduated: is }) => (is ? 0 : null),
    (mint) => (graduates.has(mint) ? 0 : null),
  )
  return { graded: truths.size, grades: [...flags, rugged, graduated, listed] }
}

const rugAtMs = (outcome: Outcome | undefined): number | null =>
  outcome?.rugged && outcome.rugDtS !== null ? (outcome.t0 + outcome.rugDtS) * 1_000 : null

const conclude = (hours: number, seed: number, onTruth: (truth: DemoTruth) => void) => {
  const findings = new Map<string, number>()
  const outcomes = new Map<Key, Outcome>()
  const graduates = new Set<Key>()
  const folds = new Replay()
  const { startMs } = DEMO_DEFAULTS
  const untilMs = startMs + hours * 3_600_000
  for (const slot of new Market({ ...DEMO_DEFAULTS, seed }, { onTruth })) {
    if (slot.timeMs >= untilMs) break
    const { number, blockTime, hash } = frameHead(slot)
    const head = { chain: 'solana', number, hash8: hash8Of(hash), sequence: number, time: blockTime ?? 0, final: true } as const
    const rest = { gapFrom: null, gapTo: null, vouched: false, placed: true, ...frameCountsOf(slot) }
    const tape: TapeBatch = { type: 'batch', ...head, ...rest, events: tapeEventsOf(slot) }
    for (const conclusion of folds.batch(tape).conclusions) {
      note(conclusion, findings, outcomes)
      const { body } = conclusion
      if (body.type === 'transition' && body.step === 'migrated_graduated' && body.graduated) graduates.add(body.mint)
    }
  }
  return { findings, outcomes, graduates }
}

const note = ({ at, body }: Conclusion, findings: Map<string, number>, outcomes: Map<Key, Outcome>): void => {
  if (body.type === 'outcome') outcomes.set(body.mint, body)
  else if (body.type === 'finding') findings.set(`${body.mint}:${body.flag}`, at * 1_000)
}

/** `wanted` and `said` give the millisecond of a mint, or null. */
const grade = (
  rule: string,
  truths: ReadonlyMap<Key, DemoTruth>,
  wanted: (truth: DemoTruth) => number | null,
  said: (mint: Key) => number | null,
): Grade => {
  const counts = { said: 0, true: 0, hits: 0 }
  const misses: string[] = []
  for (const [mint, truth] of truths) {
    const [want, have] = [wanted(truth), said(mint)]
    if (have !== null) counts.said++
    if (want !== null) counts.true++
    if (want !== null && have === want) counts.hits++
    else if (want !== have) misses.push(`${toBase58(mint)} (${truth.archetype}): true ${want ?? 'never'}, said ${have ?? 'never'}`)
  }
  const share = (of: number): number | null => (of === 0 ? null : counts.hits / of)
  return { rule, ...counts, precision: share(counts.said), recall: share(counts.true), misses: misses.slice(0, MISSES_SHOWN) }
}

if (process.argv[1]?.endsWith('grade.ts')) {
  const [hours = '6', seed = '1'] = process.argv.slice(2)
  const { graded, grades } = gradeDetectors(Number(hours), Number(seed))
  process.stdout.write(`${graded} launches graded over ${hours} h, seed ${seed}\n`)
  process.stdout.write(
    `${'rule'.padEnd(20)}${'said'.padStart(7)}${'true'.padStart(7)}${'hits'.padStart(7)}${'precision'.padStart(11)}${'recall'.padStart(9)}\n`,
  )
  const figure = (value: number | null, width: number): string => (value === null ? '-' : value.toFixed(4)).padStart(width)
  for (const { rule, said, true: right, hits, precision, recall, misses } of grades) {
    process.stdout.write(
      `${rule.padEnd(20)}${String(said).padStart(7)}${String(right).padStart(7)}${String(hits).padStart(7)}${figure(precision, 11)}${figure(recall, 9)}\n`,
    )
    for (const miss of misses) process.stdout.write(`  differs: ${miss}\n`)
  }
}
