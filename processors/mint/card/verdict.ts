// The verdict and the flags of a ranked row (ranked-row.ts), by fixed public rules: from what was seen of a launch, and from the odds where
// they are shown.

import type { MintState } from '../../../schemas/types.ts'
import { creatorKindOf } from '../cohort/bands.ts'
import { knownPrior } from '../fold/prior.ts'
import { type HeldShares, isConcentrated } from './labels.ts'

export type Verdict = 'avoid' | 'caution' | 'no_flags_observed'

/** Rug odds from which the verdict is `avoid`. */
export const AVOID_ODDS = 0.8
/** Rug odds from which the verdict is `caution`. */
export const CAUTION_ODDS = 0.5
/** Flag of a ranked row for the creator's record at launch. */
export const SERIAL_RUGGER = 'serial_rugger_creator'

/** The facts about a launch from the mint's stored rows; null where unknown. */
export interface SeenOfLaunch {
  /** Rug flags that fired, oldest first. */
  readonly flags: readonly string[]
  readonly isConcentrated: boolean | null
  /** At least 3 resolved launches, none graduated, at least half of them rugged. Null while the record is pending. */
  readonly isSerialRugger: boolean | null
}

type VerdictRows = Pick<MintState, 'flags' | 'launch' | 'prior' | 'stub'>

/** @param holders null where coverage is thin. */
export const seenOfLaunch = (state: VerdictRows, holders: HeldShares | null): SeenOfLaunch => {
  const prior = knownPrior(state)
  return {
    flags: [...state.flags].sort((a, b) => a.firstSeenAt - b.firstSeenAt || (a.flag < b.flag ? -1 : 1)).map(({ flag }) => flag),
    isConcentrated: holders && isConcentrated(holders),
    isSerialRugger: prior && creatorKindOf(prior) === 'serial_rugger',
  }
}

/** Flags of a ranked row: those that fired, then the one for the creator's record. */
export const rowFlags = ({ flags, isSerialRugger }: SeenOfLaunch): readonly string[] =>
  isSerialRugger === true ? [...flags, SERIAL_RUGGER] : flags

/** The verdict with the facts behind it, and what could not be judged. `rugOdds` is null where no odds are shown. */
export const verdictOf = (seen: SeenOfLaunch, rugOdds: number | null): { readonly verdict: Verdict; readonly why: readonly string[] } => {
  const { flags } = seen
  const isLikely = rugOdds !== null && rugOdds >= CAUTION_ODDS
  const grave = rugOdds !== null && rugOdds >= AVOID_ODDS
  const facts = [
    ...flags.map((flag) => `rug flag ${flag}`),
    ...(isLikely ? [`rug odds ${rugOdds}, at or above ${grave ? AVOID_ODDS : CAUTION_ODDS}`] : []),
    ...(seen.isConcentrated === true ? ['concentrated'] : []),
    ...(seen.isSerialRugger === true ? ['serial rugger: at least 3 resolved launches, none graduated, at least half of them rugged'] : []),
  ]
  const unknown = [
    ...(seen.isConcentrated === null ? ['concentration is not known'] : []),
    ...(seen.isSerialRugger === null ? ['the record of the creator is pending'] : []),
    ...(rugOdds === null ? ['no rug odds are shown'] : []),
  ]
  const verdict = flags.length > 0 || grave ? 'avoid' : facts.length > 0 ? 'caution' : 'no_flags_observed'
  return { verdict, why: [...facts, ...unknown.map((what) => `not judged: ${what}`)] }
}
