// The table `curve-tracks-10s-2025-06`: states of curves, polled by a tracker from shortly after their launch. Simulated launches are
// polled in the same way. By the tracker's source (boluwatifee4/pump.fun-Token-tracker, pf2.py and orchestrator.py of 2025-06-06):
// - it takes the 15 newest launches of an index at a time, and polls until somebody stops it;
// - a poll reads the curve and its newest 200 signatures, then each transaction; the row has the time at which the last one is read;
// - a buyer is a signer whose balance fell by at least 0.00005 SOL, creators included, in a transaction that did not fail.
import { Seeded } from '../../../../processors/seeded.ts'
import type { Row } from './compare.ts'
import type { LoggedLaunch, LoggedTransaction } from './launch-log.ts'
import { byMint, numberIn, type TableRow } from './recorded-tables.ts'

export const TRACKS_PATH = 'trades/curve-tracks-10s-2025-06.csv.gz'
const SIGNATURES_MAX = 200
const DUST_LAMPORTS = 50_000
/**
 * Age of a launch at its first poll: the newest 15 of some 1,200 to 1,800 launches an hour are up to 30 to 45 s old; the least age, for
 * the index and the start of the tracker, is assumed.
 */
const FIRST_AGE_S: readonly [number, number] = [5, 45]
/** Time of a poll without transactions, and for each: intervals in the table are 4 s for curves with few, 45 s for 200. */
const POLL_S = 2
const TRANSACTION_S = 0.22
/** Ages after the first row at which rows are compared. */
const AGES_S = [10, 60, 300] as const
const SIMULATED_MAX = 600
const SEED = 101

interface State {
  /** Seconds after the first row. */
  readonly ageS: number
  readonly sol: number
  readonly buyers: number
  /** Share of the three largest buyers in all that was bought, 0 to 1. */
  readonly top3: number
}

export const TRACK_COLUMNS: readonly string[] = AGES_S.flatMap((ageS) => [
  `ln SOL at ${ageS} s`,
  `ln buyers at ${ageS} s`,
  `top-3 share at ${ageS} s`,
])

/** A track that ended earlier keeps its last state. */
const figuresOf = (states: readonly State[]): number[] =>
  AGES_S.flatMap((ageS) => {
    const { sol, buyers, top3 } = states.findLast((state) => state.ageS <= ageS) as State
    return [Math.log(sol + 0.001), Math.log(buyers + 1), top3]
  })

const recordedStates = (rows: readonly TableRow[]): State[] => {
  const times = rows.map((row) => Date.parse(row.timestamp ?? '') / 1_000)
  return rows.map((row, n) => ({
    ageS: (times[n] as number) - (times[0] as number),
    sol: numberIn(row, 'sol_raised_total'),
    buyers: numberIn(row, 'unique_buyers'),
    top3: numberIn(row, 'top3_pct') / 100,
  }))
}

const stateAt = (known: readonly LoggedTransaction[], ageS: number): State => {
  const spent = new Map<string, number>()
  for (const { signer, isFailed, lamports } of known.slice(-SIGNATURES_MAX))
    if (!isFailed && lamports <= -DUST_LAMPORTS) spent.set(signer, (spent.get(signer) ?? 0) - lamports)
  const amounts = [...spent.values()].sort((a, b) => b - a)
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
  const top3 = amounts.length === 0 ? 0 : sum(amounts.slice(0, 3)) / sum(amounts)
  return { ageS, sol: (known.at(-1)?.reserve ?? 0) / 1e9, buyers: amounts.length, top3 }
}

/** Polls as the tracker does, for `lengthS` seconds after the first row. */
const polled = ({ atS, transactions }: LoggedLaunch, firstAgeS: number, lengthS: number): State[] => {
  const states: State[] = []
  let [readS, firstRowS, known] = [atS + firstAgeS, Number.NaN, 0]
  for (;;) {
    while (known < transactions.length && (transactions[known] as LoggedTransaction).atS <= readS) known++
    const rowS = readS + POLL_S / 2 + TRANSACTION_S * Math.min(SIGNATURES_MAX, known)
    if (Number.isNaN(firstRowS)) firstRowS = rowS
    if (rowS - firstRowS > Math.min(lengthS, AGES_S[AGES_S.length - 1] as number) && states.length > 0) return states
    states.push(stateAt(transactions.slice(Math.max(0, known - SIGNATURES_MAX), known), rowS - firstRowS))
    readS = rowS + POLL_S / 2
  }
}

export const recordedTracks = (table: readonly TableRow[]): Row[] =>
  [...byMint(table)].map(([mint, rows]) => ({ mint, figures: figuresOf(recordedStates(rows)) }))

/** Tracks of simulated launches, each as long as a random recorded one. Mayhem and other quotes did not exist then. */
export const simulatedTracks = (table: readonly TableRow[], launches: readonly LoggedLaunch[]): Row[] => {
  const random = new Seeded(SEED)
  const lengths = [...byMint(table).values()].map((rows) => recordedStates(rows).at(-1)?.ageS ?? 0)
  const possible = launches.filter(({ isSol, mayhem, transactions }) => isSol && !mayhem && transactions.length > 0)
  const every = Math.max(1, Math.floor(possible.length / SIMULATED_MAX))
  return possible
    .filter((_, n) => n % every === 0)
    .slice(0, SIMULATED_MAX)
    .map((launch) => {
      const firstAgeS = FIRST_AGE_S[0] + (FIRST_AGE_S[1] - FIRST_AGE_S[0]) * random.next()
      return { mint: launch.mint, figures: figuresOf(polled(launch, firstAgeS, lengths[random.int(lengths.length)] as number)) }
    })
}
