// Launches of three days with logged odds and outcomes, and their grades from a plain recount.

import { sampleOf } from '../../processors/grading/sample.ts'
import { averagePrecision, brierScore, calibrationError } from '../../processors/grading/scores.ts'
import { Seeded } from '../../processors/seeded.ts'
import { keyText } from '../../schemas/keys.ts'
import type { Conclusion } from '../../schemas/types.ts'
import type { RowBatch } from '../../topology/history/rows/row-batch.ts'
import type { CallDay, ODDS_CALLS, OddsScores } from '../../topology/ports/odds-history.ts'
import { key } from '../unit/processors/mint/market.ts'
import { DAY, outcome, T0 } from './sink-figures-given.ts'

const PPM = 1_000_000
type Head = (typeof ODDS_CALLS)[number]['head']

export interface GivenOdds {
  readonly n: number
  readonly t0: number
  readonly ageS: number
  readonly head: Head
  readonly ppm: number
  readonly model: string
  readonly isShadow: boolean
}
/** Id as the scorer makes it. */
export const oddsIdOf = ({ n, ageS, head, model }: GivenOdds): string =>
  `solana:${n * 1_000 + ageS}.~@hhhhhhhh:odds:${keyText(key(n))}:${head}:${model}`

export const oddsOf = (given: GivenOdds): Conclusion => ({
  ...outcome(given.n, given.t0, given.t0 + given.ageS, {}),
  id: oddsIdOf(given),
  number: given.n * 1_000 + given.ageS,
  body: {
    type: 'odds',
    mint: key(given.n),
    ...{ t0: given.t0, ageS: given.ageS, head: given.head, ppm: given.ppm, model: given.model, shadow: given.isShadow },
    judgement: `judgement of ${given.n} at ${given.ageS}`,
    inputsHash: 'ab'.repeat(32),
  },
})

interface GivenLaunch {
  readonly n: number
  readonly t0: number
  readonly settled: {
    readonly at: number
    readonly rugged: boolean | null
    readonly rugDtS: number | null
    readonly graduated: boolean | null
  } | null
}
export interface GivenDays {
  readonly launches: readonly GivenLaunch[]
  readonly odds: readonly GivenOdds[]
}

const AGES = { rug_within_300s: [5, 10, 20, 30], true_graduation: [10, 60] } as const

/** Launches of three days, most of them settled; the odds are somewhat better than chance. */
export const givenDays = (seed: number, launchesADay: number): GivenDays => {
  const random = new Seeded(seed)
  const intBelow = (below: number): number => Math.floor(random.next() * below)
  const launches = Array.from({ length: 3 * launchesADay }, (_, n): GivenLaunch => {
    const t0 = Math.floor(T0 / DAY) * DAY + (n % 3) * DAY + intBelow(DAY - 1_000)
    const rugDtS = intBelow(2) === 0 ? intBelow(600) : null
    const settled = {
      at: t0 + 1_000 + intBelow(3_000),
      rugged: intBelow(20) === 0 ? null : rugDtS !== null,
      rugDtS,
      graduated: intBelow(8) === 0,
    }
    return { n: n + 1, t0, settled: intBelow(10) === 0 ? null : settled }
  })
  const odds = launches.flatMap(({ n, t0, settled }) =>
    (['rug_within_300s', 'true_graduation'] as const).flatMap((head) =>
      AGES[head].map((ageS): GivenOdds => {
        const hint = (head === 'true_graduation' ? settled?.graduated : settled?.rugged) === true ? 400_000 : 0
        const ppm = intBelow(50) === 0 ? PPM : Math.min(PPM, hint + intBelow(600_000))
        return { n, t0, ageS, head, ppm, model: `model${n % 2}`, isShadow: intBelow(10) === 0 }
      }),
    ),
  )
  return { launches, odds }
}

export const putDays = (batch: RowBatch, { launches, odds }: GivenDays): void => {
  let offset = 0
  for (const { n, t0, settled } of launches) {
    if (settled === null) continue
    const { at, rugged, rugDtS, graduated } = settled
    batch.conclusion(outcome(n, t0, at, { rugged, rugDtS: rugged === true ? rugDtS : null, graduated }), offset++)
  }
  for (const one of odds) batch.conclusion(oddsOf(one), offset++)
}

/** Whether the event of `head` happened; null if unknown. */
const hasHappened = ({ settled }: GivenLaunch, head: Head): boolean | null => {
  if (settled === null) return null
  if (head === 'true_graduation') return settled.graduated
  return settled.rugged === null ? null : settled.rugged && (settled.rugDtS as number) <= 300
}

/** Scores of one head over the odds that `isSelected` selects; null if none of them can be graded. */
export const scoresOfDays = ({ launches, odds }: GivenDays, head: Head, isSelected: (odds: GivenOdds) => boolean): OddsScores | null => {
  const graded = odds.flatMap((one) => {
    const label = one.head === head && !one.isShadow && isSelected(one) ? hasHappened(launches[one.n - 1] as GivenLaunch, head) : null
    return label === null ? [] : [{ p: one.ppm / PPM, thousandth: Math.floor(one.ppm / 1_000) / 1_000, label: label ? 1 : 0 }]
  })
  if (graded.length === 0) return null
  const labels = Uint8Array.from(graded, ({ label }) => label)
  const exact = sampleOf(
    Float64Array.from(graded, ({ p }) => p),
    labels,
  )
  const hits = exact.positiveRows
  const brier = brierScore(exact.probabilities, exact)
  const base = hits / graded.length
  return {
    ...{ n: graded.length, hits, meanP: graded.reduce((sum, { p }) => sum + p, 0) / graded.length, brier },
    brierSkill: base === 0 || base === 1 ? null : 1 - brier / (base * (1 - base)),
    ece: calibrationError(exact.probabilities, exact),
    prAuc: averagePrecision(
      sampleOf(
        Float64Array.from(graded, ({ thousandth }) => thousandth),
        labels,
      ),
    ),
  }
}

export const dayText = (second: number): string => new Date(second * 1_000).toISOString().slice(0, 10)

export const callsOfDays = (
  { launches, odds }: GivenDays,
  { call: _call, head, ppmMin }: (typeof ODDS_CALLS)[number],
): readonly CallDay[] => {
  const days = [...new Set(launches.map(({ t0 }) => dayText(t0)))].sort().reverse()
  return days.map((day) => {
    const counted = { launches: 0, unresolved: 0, positives: 0, calls: 0 }
    const leads: number[] = []
    for (const launch of launches.filter(({ t0 }) => dayText(t0) === day)) {
      const values = odds.filter((one) => one.n === launch.n && one.head === head && !one.isShadow)
      if (values.length === 0) continue
      const label = hasHappened(launch, head)
      if (label === null) {
        counted.unresolved++
        continue
      }
      counted.launches++
      if (label) counted.positives++
      const first = values.find(({ ppm }) => ppm >= ppmMin)
      if (first === undefined) continue
      counted.calls++
      const event = head === 'true_graduation' ? (launch.settled?.at as number) : launch.t0 + (launch.settled?.rugDtS ?? 0)
      if (label && event >= launch.t0 + first.ageS) leads.push(event - launch.t0 - first.ageS)
    }
    leads.sort((a, b) => a - b)
    return { day, ...counted, hits: leads.length, leadP50S: leads[Math.floor(leads.length / 2)] ?? null }
  })
}
