// Grades the folds' flags, labels and roles against the demo's truth; rules that count are graded against a recount of its instructions.

import { newestPayment } from '../../../processors/creator/funded-recently.ts'
import { ROLE_BUNDLE, ROLE_CREATE_TX, ROLE_FUNDED, ROLE_RECEIVED } from '../../../processors/mint/rows.ts'
import type { Amount } from '../../../schemas/amount.ts'
import { type Key, toBase58 } from '../../../schemas/keys.ts'
import type { LaunchRow, MintState, Outcome } from '../../../schemas/types.ts'
import type { DemoTruth } from '../../../topology/simulator/solana/market-types.ts'
import { batchOf, demoSlots } from '../../fixtures/demo-tape.ts'
import { FoldRig } from '../../fixtures/fold-rig.ts'
import { type Grade, gradeOf, type Judged, pairs } from './grade.ts'
import { Recount } from './recount.ts'

/** Seconds for which messages between keys may still be in flight after a launch. */
const UNDER_WAY_S = 30
const REACHED_LAMPORTS = 5_000_000_000

const FLAG_TRUTHS: Readonly<Record<string, (truth: DemoTruth) => number | null>> = {
  creator_sold: (truth) => truth.creatorSoldAtMs,
  bundle_dumped: (truth) => truth.bundleDumpedAtMs,
  curve_drained: (truth) => truth.curveDrainedAtMs,
  curve_closed_low: (truth) => truth.closedLowAtMs,
  migrate_below_grad: (truth) => truth.migratedLowAtMs,
  pool_drained: (truth) => truth.poolDrainedAtMs,
}
const yes = (is: boolean | null | undefined): number | null => (is === true ? 1 : null)

/** Per outcome label: the true value, and the folds' value. */
const OUTCOME_LABELS: Readonly<Record<string, readonly [(truth: DemoTruth) => number | null, (outcome: Outcome) => number | null]>> = {
  'outcome rugged': [(truth) => truth.rug?.atMs ?? null, (outcome) => (outcome.rugged === true ? rugAtMs(outcome) : null)],
  'outcome drain': [rugOf('drain'), (outcome) => (outcome.rugKind === 'drain' ? rugAtMs(outcome) : null)],
  'outcome dev_dump': [rugOf('dev_dump'), (outcome) => (outcome.rugKind === 'dev_dump' ? rugAtMs(outcome) : null)],
  'outcome graduated': [({ graduated }) => yes(graduated), ({ graduated }) => yes(graduated)],
  self_graduated: [({ archetype }) => yes(archetype === 'self_graduation'), ({ selfGraduated }) => yes(selfGraduated)],
  reached_5_sol: [
    ({ peakLamports }) => yes(peakLamports >= REACHED_LAMPORTS),
    ({ peakQuoteUnits }) => yes(peakQuoteUnits >= REACHED_LAMPORTS),
  ],
  is_mayhem: [({ archetype }) => yes(archetype === 'mayhem'), ({ mayhem }) => yes(mayhem)],
}

function rugOf(kind: 'drain' | 'dev_dump'): (truth: DemoTruth) => number | null {
  return ({ rug }) => (rug?.kind === kind ? rug.atMs : null)
}
const rugAtMs = ({ t0, rugDtS }: Outcome): number | null => (rugDtS === null ? null : (t0 + rugDtS) * 1_000)

interface Run {
  readonly rig: FoldRig
  readonly recount: Recount
  readonly truths: ReadonlyMap<Key, DemoTruth>
  /** When each flag fired, milliseconds, by mint and flag. */
  readonly findings: ReadonlyMap<string, number>
  readonly outcomes: ReadonlyMap<Key, Outcome>
  readonly graduates: ReadonlySet<Key>
  /** Time of the last frame, unix seconds. */
  readonly asOf: number
}

const run = (hours: number, seed: number, rate: number): Run => {
  const rig = new FoldRig(1)
  const recount = new Recount()
  const truths = new Map<Key, DemoTruth>()
  for (const slot of demoSlots({ seed, rate, seconds: hours * 3_600 }, { onTruth: (truth) => truths.set(truth.mint, truth) })) {
    rig.take(batchOf(slot))
    recount.see(slot)
  }
  rig.commit()
  const findings = new Map<string, number>()
  const outcomes = new Map<Key, Outcome>()
  const graduates = new Set<Key>()
  for (const { conclusion } of rig.conclusions) {
    const { at, body } = conclusion
    if (body.type === 'outcome') outcomes.set(body.mint, body)
    else if (body.type === 'finding') findings.set(`${body.mint}:${body.flag}`, at * 1_000)
    else if (body.type === 'transition' && body.step === 'migrated_graduated' && body.graduated) graduates.add(body.mint)
  }
  return { rig, recount, truths, findings, outcomes, graduates, asOf: rig.tape?.time ?? 0 }
}

/** Grades of the flags and outcomes of launches whose simulated story has ended. */
const concluded = ({ truths, findings, outcomes, graduates }: Run): Grade[] => {
  const all = [...truths.values()]
  const of = ({ mint, archetype }: DemoTruth): string => `${toBase58(mint)} (${archetype})`
  const flags = Object.entries(FLAG_TRUTHS).map(([flag, atMs]) =>
    gradeOf(
      flag,
      all.map((truth): Judged => ({ of: of(truth), truth: atMs(truth), predicted: findings.get(`${truth.mint}:${flag}`) ?? null })),
    ),
  )
  const settled = all.flatMap((truth) => {
    const outcome = outcomes.get(truth.mint)
    return outcome?.censored === null ? [{ truth, outcome }] : []
  })
  const labels = Object.entries(OUTCOME_LABELS).map(([label, [truly, predicted]]) =>
    gradeOf(
      label,
      settled.map(({ truth, outcome }): Judged => ({ of: of(truth), truth: truly(truth), predicted: predicted(outcome) })),
    ),
  )
  const listed = gradeOf(
    'graduation listed',
    all.map((truth): Judged => ({ of: of(truth), truth: yes(truth.graduated), predicted: yes(graduates.has(truth.mint)) })),
  )
  return [...flags, ...labels, listed]
}

interface Known {
  readonly of: string
  readonly state: MintState & { readonly launch: LaunchRow }
  readonly counted: NonNullable<ReturnType<Recount['mints']['get']>>
}

/** Mints that have rows and no message in flight, with their recount. */
const knownOf = ({ rig, recount, asOf }: Run): Known[] =>
  rig.mints().flatMap(({ mint, state }) => {
    const counted = recount.mints.get(mint)
    const { launch } = state
    if (launch === null || counted === undefined || launch.at > asOf - UNDER_WAY_S) return []
    return [{ of: toBase58(mint), state: { ...state, launch }, counted }]
  })

const RULES = [
  ['a', ROLE_RECEIVED],
  ['b', ROLE_FUNDED],
  ['c', ROLE_CREATE_TX],
] as const

const isDev = ({ user, creator, creatorIsWallet }: LaunchRow, wallet: Key): boolean =>
  wallet === user || (creatorIsWallet && wallet === creator)

/** Grades pairs of a launch and a wallet. Leaves out wallets whose first buy is so recent that messages may be in flight. */
const roles = ({ recount, truths, asOf }: Run, known: readonly Known[]): Grade[] => {
  const holding = ({ state }: Known, role: number): Key[] =>
    state.holders.flatMap((row) => ((row.roles & role) !== 0 && !isDev(state.launch, row.wallet) ? [row.wallet] : []))
  const isSettled = ({ counted }: Known, wallet: Key): boolean => (counted.firstBuys.get(wallet)?.at ?? 0) <= asOf - UNDER_WAY_S
  const bundles = known.flatMap((one) => {
    const truth = truths.get(one.counted.launch.mint)
    return truth === undefined ? [] : pairs(one.of, truth.bundleWallets, holding(one, ROLE_BUNDLE))
  })
  const insiders = RULES.map(([rule, role]) =>
    gradeOf(
      `insider rule ${rule}`,
      known.flatMap((one) => {
        const settled = (wallets: readonly Key[]): Key[] => wallets.filter((wallet) => isSettled(one, wallet))
        return pairs(one.of, settled(recount.insidersOf(one.counted, rule)), settled(holding(one, role)))
      }),
    ),
  )
  return [gradeOf('bundle', bundles), ...insiders]
}

const paymentText = (funder: Key, lamports: Amount, at: number): string => `${lamports} lamports of ${toBase58(funder)} at ${at}`

/** Grades of the labels about the time before a launch, and about its migration. */
const labels = (graded: Run, known: readonly Known[]): Grade[] => {
  const { recount, rig, asOf } = graded
  const warm = known.map(({ of, state: { warm: row }, counted }): Judged => {
    const paid = recount.warmOf(counted)
    const predicted = row === null || row.funder === null ? null : paymentText(row.funder, row.amountLamports, row.at)
    return { of, truth: paid === undefined ? null : paymentText(paid.funder, paid.lamports, paid.at), predicted }
  })
  const repeats = known.map(
    ({ of, state: { prior }, counted }): Judged => ({ of, truth: counted.launchesBefore || null, predicted: prior?.launches || null }),
  )
  const creators = new Set(known.map(({ counted }) => counted.launch.creator))
  const funded = [...creators].map((creator): Judged => {
    const [paid, row] = [recount.paidBefore(creator, asOf), newestPayment(rig.paymentsTo(creator), asOf)]
    const truth = paid === undefined ? null : paymentText(paid.funder, paid.lamports, paid.at)
    return { of: toBase58(creator), truth, predicted: row === undefined ? null : paymentText(row.funder, row.amountLamports, row.at) }
  })
  const synthetic = known.map(({ of, state: { curve, pools }, counted }): Judged => {
    const pool = pools.find((one) => one.pool === curve?.pool)
    const isBeyond = pool !== undefined && curve !== null && pool.openingQuoteUnits > curve.realQuoteUnits
    return { of, truth: yes(counted.wentBeyond && counted.hasPool), predicted: yes(isBeyond) }
  })
  return [
    gradeOf('warm_launch', warm),
    gradeOf('funded_recently', funded),
    gradeOf('creator launched before', repeats),
    gradeOf('synthetic migration', synthetic),
  ]
}

/** Simulates `hours` hours of the demo and folds its tape; `launches` counts the launches whose simulated story has ended. */
export const gradeDemo = (hours: number, seed: number, rate = 1): { readonly launches: number; readonly grades: readonly Grade[] } => {
  const graded = run(hours, seed, rate)
  const known = knownOf(graded)
  return { launches: graded.truths.size, grades: [...concluded(graded), ...roles(graded, known), ...labels(graded, known)] }
}
