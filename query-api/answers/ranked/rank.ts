// Selects and orders the launches of the ranked preview. A pure function of launches, odds and moment.

import { ageOf } from '../../../processors/mint/card/labels.ts'
import { coverageOf, type Moment } from '../../../processors/mint/card/moment.ts'
import { isOpen } from '../../../processors/mint/rows.ts'
import { GRADUATION_BUYS_MIN, JUDGED_AGES_S, type OddsHead, RUG_AGE_S_MAX } from '../../../processors/odds/heads.ts'
import { type Amount, compareAmounts } from '../../../schemas/amount.ts'
import { comparePositions } from '../../../schemas/position.ts'
import type { LaunchRow } from '../../../schemas/types.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import type { LoggedOdds, OddsView } from '../../../topology/ports/odds.ts'
import { shownOdds } from './probabilities.ts'

/** A mint leaves the rug side at this age, seconds. */
export const RUG_WINDOW_S = RUG_AGE_S_MAX
/** A mint is on the graduation side up to this age, seconds. */
export const GRADUATION_WINDOW_S = JUDGED_AGES_S[JUDGED_AGES_S.length - 1] as number

/** A launch on at least one side. */
export interface Candidate {
  readonly snapshot: MintSnapshot
  readonly launch: LaunchRow
  readonly reserveUnits: Amount
  readonly onRugSide: boolean
  readonly onGraduationSide: boolean
  readonly odds: Readonly<Partial<Record<OddsHead, LoggedOdds>>>
}

/** Undefined for a launch of neither side: not covered, curve closed, too old, or too few buys. */
export const candidateOf = (snapshot: MintSnapshot, moment: Moment, odds: OddsView): Candidate | undefined => {
  const { head, mint } = snapshot
  const { launch, curve } = head
  if (launch === null || curve === null || !isOpen(curve) || coverageOf(head, moment).coverage === 'thin') return undefined
  const ageS = ageOf(launch, moment)
  const onRugSide = ageS < RUG_WINDOW_S
  // Curves with another quote token never count as graduated.
  const onGraduationSide = ageS <= GRADUATION_WINDOW_S && curve.buys >= GRADUATION_BUYS_MIN && launch.quoteMint === null
  if (!onRugSide && !onGraduationSide) return undefined
  return { snapshot, launch, reserveUnits: curve.realQuoteUnits, onRugSide, onGraduationSide, odds: shownOdds(odds, mint) }
}

/** Later launches first. */
const newestFirst = (a: Candidate, b: Candidate): number => b.launch.at - a.launch.at || comparePositions(b.launch, a.launch)
const fullestFirst = (a: Candidate, b: Candidate): number => compareAmounts(b.reserveUnits, a.reserveUnits) || newestFirst(a, b)

interface Side {
  readonly head: OddsHead
  readonly has: (candidate: Candidate) => boolean
  /** Order of launches without odds, and of all launches while odds are not shown. */
  readonly otherwise: (a: Candidate, b: Candidate) => number
}
export const RUG_SIDE: Side = { head: 'rug_within_300s', has: ({ onRugSide }) => onRugSide, otherwise: newestFirst }
export const GRADUATION_SIDE: Side = {
  head: 'true_graduation',
  has: ({ onGraduationSide }) => onGraduationSide,
  otherwise: fullestFirst,
}

/** The first `most` launches of a side: by odds, then those without odds. */
export const ranked = (candidates: readonly Candidate[], { head, has, otherwise }: Side, most: number): readonly Candidate[] => {
  const oddsOf = ({ odds }: Candidate): number => odds[head]?.probability ?? -1
  return candidates
    .filter(has)
    .sort((a, b) => oddsOf(b) - oddsOf(a) || otherwise(a, b))
    .slice(0, most)
}

/** The current ranking criterion of a side, for people. */
export const rankedBy = (odds: OddsView, { head }: Side): string => {
  const otherwise = head === 'rug_within_300s' ? 'newest launch first' : 'most SOL in the curve first'
  const { isShown, reason } = odds.headState(head)
  return isShown ? `${head}, highest first; launches without odds follow, ${otherwise}` : `${otherwise}: ${reason}`
}
