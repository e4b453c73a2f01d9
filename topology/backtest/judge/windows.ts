// Groups hours: into blocks for the probability of overfitting, walk-forward windows, quiet, usual and busy hours, and days.
import { overfitting } from '../../../processors/grading/overfitting.ts'
import type { Summary, WalkForward } from '../report-types.ts'
import type { CandidateBook, Ledger } from './ledger.ts'
import { addPopulation, addTally, newPopulation, newTally, type Population, scoreOf, type Tally } from './tally.ts'

const HOUR_S = 3_600
/** Blocks of the symmetric cross-validation: 12,870 combinations. */
const BLOCKS_MAX = 16
const BLOCKS_MIN = 4
const TESTS = 4

/** Consecutive hours, and the counts of the launches in them. */
interface HourBlock {
  readonly hours: readonly number[]
  readonly population: Population
}

export const tallyIn = ({ hours: of }: Pick<CandidateBook, 'hours'>, hours: readonly number[]): Tally =>
  hours.reduce((sum, hour) => addTally(sum, of.get(hour) ?? newTally()), newTally())
export const populationIn = ({ hours: of }: Pick<Ledger, 'hours'>, hours: readonly number[]): Population =>
  hours.reduce((sum, hour) => addPopulation(sum, of.get(hour) ?? newPopulation()), newPopulation())

const hoursOf = (ledger: Ledger): readonly number[] => [...ledger.hours.keys()].sort((a, b) => a - b)
/** Cuts a list into consecutive parts of about equal length. */
const cut = <Item>(items: readonly Item[], parts: number): readonly (readonly Item[])[] =>
  Array.from({ length: parts }, (_, n) => items.slice(Math.floor((n * items.length) / parts), Math.floor(((n + 1) * items.length) / parts)))

/**
 * The largest even number of blocks, at most `BLOCKS_MAX`, that each have launches that rugged and launches that did not; empty if it is
 * below `BLOCKS_MIN`.
 */
const blocksOf = (ledger: Ledger): readonly HourBlock[] => {
  const hours = hoursOf(ledger)
  for (let parts = Math.min(BLOCKS_MAX, hours.length - (hours.length % 2)); parts >= BLOCKS_MIN; parts -= 2) {
    const blocks = cut(hours, parts).map((of) => ({ hours: of, population: populationIn(ledger, of) }))
    if (blocks.every(({ population: { launches, rugged } }) => rugged > 0 && rugged < launches)) return blocks
  }
  return []
}

/** Probability that the choice among the settings of one detector is overfitted; null with the reason. */
export const overfittingOf = (detector: string, books: readonly CandidateBook[], ledger: Ledger): Summary['overfitting'][number] => {
  const blocks = blocksOf(ledger)
  const unknown = (reason: string) => ({ detector, probability: null, reason, blocks: blocks.length })
  if (books.length < 2) return unknown('one setting was tried: nothing was chosen')
  if (blocks.length === 0)
    return unknown(`the range cannot be cut into ${BLOCKS_MIN} equal blocks of hours that each have launches that rugged and that did not`)
  const scores = blocks.map(({ hours, population }) => books.map((book) => scoreOf(tallyIn(book, hours), population) ?? 0))
  return { detector, probability: overfitting(scores, blocks.length).probability, reason: null, blocks: blocks.length }
}

/**
 * Cuts the second half of the range into test windows. The setting for a window is chosen on the hours that ended at least `purgeS` before
 * the window, because an outcome takes that long to be known.
 */
export const walkForward = (
  detector: string,
  named: readonly { readonly name: string; readonly book: CandidateBook }[],
  ledger: Ledger,
  purgeS: number,
): Summary['walkForward'] => {
  const hours = hoursOf(ledger)
  if (named.length < 2 || hours.length < 2 * TESTS) return []
  return cut(hours.slice(Math.floor(hours.length / 2)), TESTS).flatMap((test): Summary['walkForward'] => {
    const [testFrom, testTo] = [(test[0] as number) * HOUR_S, ((test.at(-1) as number) + 1) * HOUR_S]
    const train = hours.filter((hour) => (hour + 1) * HOUR_S + purgeS <= testFrom)
    if (train.length === 0) return []
    return [{ detector, ...windowOf(named, ledger, train, test), testFrom, testTo }]
  })
}

const windowOf = (
  named: readonly { readonly name: string; readonly book: CandidateBook }[],
  ledger: Ledger,
  train: readonly number[],
  test: readonly number[],
): Omit<WalkForward, 'testFrom' | 'testTo'> => {
  const [trained, tested] = [populationIn(ledger, train), populationIn(ledger, test)]
  let best: { readonly name: string; readonly book: CandidateBook; readonly score: number } | undefined
  for (const one of named) {
    const score = scoreOf(tallyIn(one.book, train), trained)
    if (score !== null && (best === undefined || score > best.score)) best = { ...one, score }
  }
  return {
    trainFrom: (train[0] as number) * HOUR_S,
    trainTo: ((train.at(-1) as number) + 1) * HOUR_S,
    chosen: best?.name ?? null,
    trainScore: best?.score ?? null,
    testScore: best === undefined ? null : scoreOf(tallyIn(best.book, test), tested),
  }
}

export const REGIMES = ['quiet hours', 'usual hours', 'busy hours'] as const

/** Hours by number of launches: thirds of the hours of this run, so the classes of different runs are not comparable. */
export const regimesOf = ({ launched }: Pick<Ledger, 'launched'>): ReadonlyMap<(typeof REGIMES)[number], readonly number[]> => {
  const ranked = [...launched].sort(([a, n], [b, m]) => n - m || a - b).map(([hour]) => hour)
  return new Map(cut(ranked, REGIMES.length).map((hours, at) => [REGIMES[at] as (typeof REGIMES)[number], hours]))
}

/** Hours by day, such as `2026-11-26`. */
export const daysOf = ({ launched }: Pick<Ledger, 'launched'>): ReadonlyMap<string, readonly number[]> => {
  const days = new Map<string, number[]>()
  for (const hour of [...launched.keys()].sort((a, b) => a - b)) {
    const day = new Date(hour * HOUR_S * 1_000).toISOString().slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), hour])
  }
  return days
}
