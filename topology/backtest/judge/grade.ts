// Computes the report of a run from its counts.
import { qValues } from '../../../processors/grading/false-discovery.ts'
import { quantile } from '../../../processors/grading/quantile.ts'
import type { Graded, Placebo, Profit, TimeSlice } from '../report-types.ts'
import type { Candidate } from '../trials/candidate.ts'
import { CREATOR_KINDS } from '../trials/trial.ts'
import type { CandidateBook, Ledger } from './ledger.ts'
import { tailOf } from './placebo.ts'
import { judgedOf, newPopulation, newTally, type Tally } from './tally.ts'
import { daysOf, populationIn, regimesOf, tallyIn } from './windows.ts'

const DAY_S = 86_400
/** Upper bounds of the lead-time histogram, seconds. */
const LEAD_BOUNDS_S = [0, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400]

export interface GradeOptions {
  /** First and last tick, unix seconds. */
  readonly from: number
  readonly to: number
  readonly buyer: { readonly ageS: number; readonly holdS: number; readonly sizeUnits: bigint; readonly feeBps: bigint } | null
  /** The command line that explains a finding, or a launch without one. */
  explain(findingId: string | null, mint: string): string
}

type Counted = Pick<Graded, 'lookAhead' | 'loss'>

/** The graded candidates. `counted`: by candidate. */
export const gradesOf = <Rows>(
  candidates: readonly Candidate<Rows>[],
  ledger: Ledger,
  counted: readonly Counted[],
  options: GradeOptions,
): readonly Graded[] => {
  const all = [...ledger.launched.keys()]
  const placebos = withQ(ledger.books.map((book) => placeboOf(book, ledger, tallyIn(book, all))))
  return candidates.map(({ name, detector, settings, isDefault }, i) => {
    const book = ledger.books[i] as CandidateBook
    const tally = tallyIn(book, all)
    return {
      type: 'setting',
      ...{ name, detector, settings, isDefault },
      ...judgedOf(tally, populationIn(ledger, all)),
      ...leadsOf(book.leadsS),
      flagsADay: (tally.flagged * DAY_S) / Math.max(1, options.to - options.from),
      placebo: placebos[i] as Placebo,
      slices: slicesOf(book, ledger),
      profit: profitOf(book, ledger, options),
      ...(counted[i] as Counted),
      mistakes: book.mistakes.worst.map(({ peakUnits, ...mistake }) => ({
        ...mistake,
        explain: options.explain(mistake.findingId, mistake.mint),
        peakLamports: String(peakUnits),
      })),
    }
  })
}

const placeboOf = (book: CandidateBook, { reached }: Ledger, { judged, hits }: Tally): Omit<Placebo, 'q'> => {
  const chances = book.classes.chances(reached)
  const expectedHits = chances.reduce((sum, { chance, flags }) => sum + chance * flags, 0)
  if (judged === 0) return { expectedHits, precision: null, p: null }
  return { expectedHits, precision: expectedHits / judged, p: tailOf(chances, hits) }
}
const withQ = (placebos: readonly Omit<Placebo, 'q'>[]): readonly Placebo[] => {
  const q = qValues(placebos.map(({ p }) => p))
  return placebos.map((placebo, i) => ({ ...placebo, q: q[i] ?? null }))
}

const leadsOf = (leadsS: readonly number[]): Pick<Graded, 'leadP50S' | 'leadP90S' | 'leads'> => {
  const sorted = [...leadsS].sort((a, b) => a - b)
  const last = sorted.at(-1)
  const bounds = last === undefined ? [] : [...LEAD_BOUNDS_S.filter((bound) => bound < last), last]
  return {
    leadP50S: last === undefined ? null : quantile(sorted, 0.5),
    leadP90S: last === undefined ? null : quantile(sorted, 0.9),
    leads: bounds.map((upToS) => ({ upToS, hits: sorted.filter((lead) => lead <= upToS).length })),
  }
}

const slicesOf = (book: CandidateBook, ledger: Ledger): readonly TimeSlice[] => {
  const byHours = (by: 'day' | 'regime', named: ReadonlyMap<string, readonly number[]>): TimeSlice[] =>
    [...named].map(([name, hours]) => ({ by, name, ...judgedOf(tallyIn(book, hours), populationIn(ledger, hours)) }))
  const creators = CREATOR_KINDS.map((kind): TimeSlice => {
    const population = ledger.creators.get(kind) ?? newPopulation()
    return { by: 'creator', name: kind, ...judgedOf(book.creators.get(kind) ?? newTally(), population) }
  })
  return [...byHours('day', daysOf(ledger)), ...byHours('regime', regimesOf(ledger)), ...creators]
}

const profitOf = ({ avoided }: CandidateBook, { bought }: Ledger, { buyer }: GradeOptions): Profit | null => {
  if (buyer === null) return null
  const mean = (units: number, launches: number): number | null => (launches === 0 ? null : units / launches)
  return {
    ...{ ageS: buyer.ageS, holdS: buyer.holdS, sizeLamports: Number(buyer.sizeUnits), feeBps: Number(buyer.feeBps) },
    bought: bought.launches,
    avoided: avoided.launches,
    meanAllLamports: mean(bought.units, bought.launches),
    meanKeptLamports: mean(bought.units - avoided.units, bought.launches - avoided.launches),
    meanAvoidedLamports: mean(avoided.units, avoided.launches),
  }
}
