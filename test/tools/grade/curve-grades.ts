// Grades the curve folds' flags, labels and counts against the curve demo's truth of each curve, a file in its data directory.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CURVE } from '../../../processors/curve/rows.ts'
import { BLOCKS_PER_SECOND } from '../../../processors/curve/thresholds.ts'
import { keyText } from '../../../schemas/keys.ts'
import type { CurveFiguresRow, CurveState, Outcome, RawRecord } from '../../../schemas/types.ts'
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import { CurveReplay } from '../../../topology/runtime/curve-replay.ts'
import { Rows, RowsByKey } from '../../../topology/views/rows-by-key.ts'
import { demoCurveBodies } from '../../fixtures/demo-curves.ts'
import { removeDirectory } from '../remove-directory.ts'
import { type Grade, gradeOf, type Judged } from './grade.ts'

/** A line of the file of truths. */
interface Truth {
  readonly token: string
  readonly kind: string
  readonly block: number
  readonly deployerSoldAtMs: number | null
  readonly curveDrainedAtMs: number | null
  readonly rug: { readonly kind: 'drain' | 'dev_dump'; readonly atMs: number } | null
  readonly completedAtMs: number | null
  readonly graduatedAtMs: number | null
  readonly peakUnits: string
  readonly buys: number
  readonly sells: number
  readonly taxedBuys: number
  readonly taxUnits: string
  readonly clusterWallets: number
}

interface Run {
  readonly truths: readonly Truth[]
  /** Times of findings, unix ms, by `token:flag`. */
  readonly findings: ReadonlyMap<string, number>
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly rows: ReadonlyMap<string, CurveFiguresRow>
}

const small = (text: string): string => text.toLowerCase()

const run = async (hours: number, seed: number, rate: number): Promise<Run> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'curve-grades-'))
  try {
    const bodies = await demoCurveBodies({ blocks: Math.round(hours * 3_600 * BLOCKS_PER_SECOND), seed, rate, dataDir })
    const truths = readFileSync(join(dataDir, 'demo-alt-truth.jsonl'), 'utf8').trimEnd().split('\n')
    return { truths: truths.map((line) => JSON.parse(line) as Truth), ...replayed(bodies) }
  } finally {
    removeDirectory(dataDir)
  }
}

const replayed = (bodies: readonly RawRecord['body'][]): Omit<Run, 'truths'> => {
  const replay = new CurveReplay(CURVE_RISK)
  const findings = new Map<string, number>()
  const outcomes = new Map<string, Outcome>()
  for (const body of bodies)
    for (const { at, body: concluded } of (body.type === 'frame' ? replay.frame(body)?.conclusions : undefined) ?? [])
      if (concluded.type === 'finding') findings.set(`${small(keyText(concluded.mint))}:${concluded.flag}`, at * 1_000)
      else if (concluded.type === 'outcome') outcomes.set(small(keyText(concluded.mint)), concluded)
  const states = replay.rowsOf(CURVE, (type) => new RowsByKey<CurveState>({ type, decodedBytesMax: 0, of: Rows }))
  const rows = states.flatMap(({ key, state: { figures } }) => (figures === null ? [] : [[small(keyText(key)), figures] as const]))
  return { findings, outcomes, rows: new Map(rows) }
}

const rugOf = ({ t0, rugDtS, rugKind, rugged }: Outcome): string | null =>
  rugged === true && rugDtS !== null ? `${rugKind} at ${(t0 + rugDtS) * 1_000}` : null
const yes = (is: boolean | null): number | null => (is === true ? 1 : null)

/** Per rule: the true figure of a curve, and the figure in its row. */
const COUNTS: Readonly<
  Record<string, readonly [(truth: Truth) => string | number | null, (row: CurveFiguresRow) => string | number | null]>
> = {
  'curve trades': [({ buys, sells }) => `${buys} buys, ${sells} sells`, ({ buys, sells }) => `${buys} buys, ${sells} sells`],
  'curve snipe tax': [
    ({ taxedBuys, taxUnits }) => (taxedBuys === 0 ? null : `${taxUnits} of ${taxedBuys}`),
    ({ taxedBuys, taxUnits }) => (taxedBuys === 0 ? null : `${taxUnits} of ${taxedBuys}`),
  ],
  'curve clusters': [({ clusterWallets }) => clusterWallets || null, ({ clusterWallets }) => clusterWallets || null],
  'curve peak': [({ peakUnits }) => peakUnits, ({ peakQuoteUnits }) => String(peakQuoteUnits)],
  'curve completed': [({ completedAtMs }) => completedAtMs, ({ completeAt }) => completeAt * 1_000 || null],
  'curve graduated': [({ graduatedAtMs }) => graduatedAtMs, ({ graduatedAt }) => graduatedAt * 1_000 || null],
}

/** Simulates `hours` hours of the curve demo and folds its frames; `launches` counts the curves whose simulated story has ended. */
export const gradeCurves = async (
  hours: number,
  seed: number,
  rate = 1,
): Promise<{ readonly launches: number; readonly grades: readonly Grade[] }> => {
  const { truths, findings, outcomes, rows } = await run(hours, seed, rate)
  const of = ({ token, kind }: Truth): string => `${token} (${kind})`
  const found = (flag: string, atMs: (truth: Truth) => number | null): Grade =>
    gradeOf(
      flag,
      truths.map((truth): Judged => ({ of: of(truth), truth: atMs(truth), predicted: findings.get(`${truth.token}:${flag}`) ?? null })),
    )
  const settled = truths.flatMap((truth) => {
    const outcome = outcomes.get(truth.token)
    return outcome === undefined ? [] : [{ truth, outcome }]
  })
  const held = truths.flatMap((truth) => {
    const row = rows.get(truth.token)
    return row === undefined ? [] : [{ truth, row }]
  })
  return {
    launches: truths.length,
    grades: [
      found('deployer_sold', ({ deployerSoldAtMs }) => deployerSoldAtMs),
      found('curve_drained', ({ curveDrainedAtMs }) => curveDrainedAtMs),
      gradeOf(
        'curve outcome rugged',
        settled.map(({ truth, outcome }): Judged => {
          const { rug } = truth
          return { of: of(truth), truth: rug && `${rug.kind} at ${rug.atMs}`, predicted: rugOf(outcome) }
        }),
      ),
      gradeOf(
        'curve outcome graduated',
        settled.map(({ truth, outcome }) => ({
          of: of(truth),
          truth: yes(truth.graduatedAtMs !== null),
          predicted: yes(outcome.graduated),
        })),
      ),
      ...Object.entries(COUNTS).map(([rule, [truly, predicted]]) =>
        gradeOf(
          rule,
          held.map(({ truth, row }) => ({ of: of(truth), truth: truly(truth), predicted: predicted(row) })),
        ),
      ),
    ],
  }
}
