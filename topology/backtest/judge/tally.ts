// Counts of one candidate, or of a part of its launches.

import { wilsonInterval } from '../../../processors/grading/wilson.ts'
import type { Judged, Share } from '../report-types.ts'

/** Integers that only grow. */
export interface Tally {
  flagged: number
  judged: number
  hits: number
  late: number
  killedWinners: number
}
export const newTally = (): Tally => ({ flagged: 0, judged: 0, hits: 0, late: 0, killedWinners: 0 })

/** Launches whose outcome states whether they rugged. */
export interface Population {
  launches: number
  rugged: number
}
export const newPopulation = (): Population => ({ launches: 0, rugged: 0 })

/** Adds `more` to `into`, which is changed. */
export const addTally = (into: Tally, more: Tally): Tally => {
  into.flagged += more.flagged
  into.judged += more.judged
  into.hits += more.hits
  into.late += more.late
  into.killedWinners += more.killedWinners
  return into
}
export const addPopulation = (into: Population, more: Population): Population => {
  into.launches += more.launches
  into.rugged += more.rugged
  return into
}

const shareOf = (hits: number, of: number): Share => {
  const interval = wilsonInterval(hits, of)
  return { hits, of, value: interval === null ? null : hits / of, low: interval?.low ?? null, high: interval?.high ?? null }
}

export const judgedOf = (tally: Tally, { launches, rugged }: Population): Judged => ({
  ...tally,
  rugged,
  launches,
  precision: shareOf(tally.hits, tally.judged),
  recall: shareOf(tally.hits, rugged),
  baseRate: shareOf(rugged, launches),
})

/** recall - share of the launches that did not rug and were flagged: 0 without information. Null if either kind has no launches. */
export const scoreOf = ({ judged, hits, late }: Tally, { launches, rugged }: Population): number | null => {
  const clean = launches - rugged
  return rugged === 0 || clean === 0 ? null : hits / rugged - (judged - hits - late) / clean
}
