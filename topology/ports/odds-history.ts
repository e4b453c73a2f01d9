// What the API asks of the history about odds: how they graded, the calls they made, and the proof that a value was logged.

import type { OddsHead } from '../../processors/odds/heads.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Asked, Known } from './history.ts'

export const HOUR_S = 3_600
/** The root of an hour is made so much stream time after its end at the earliest, seconds. */
export const ROOT_WAIT_S = 120

/** Scores of logged values whose outcomes are known. One value is one row: a launch has one a head and age. */
export interface OddsScores {
  readonly n: number
  /** Of them, those whose outcome came true. */
  readonly hits: number
  readonly meanP: number
  /** 0 is best. */
  readonly brier: number
  /** 1 - brier / that of always saying hits / n; null where all outcomes are the same. */
  readonly brierSkill: number | null
  readonly ece: number
  /** Null without a hit. */
  readonly prAuc: number | null
}

/** Values from `from` on, below `to`; the last includes 1. */
export interface OddsBin {
  readonly from: number
  readonly to: number
  readonly n: number
  readonly hits: number
  readonly meanP: number
}

/** Scores of a part of the values: a UTC day of launch (`2026-03-01`), a regime, a model. */
export interface PartScores extends OddsScores {
  readonly part: string
}

export interface HeadGrades {
  /** Null while no value has a known outcome. */
  readonly all: (OddsScores & { readonly bins: readonly OddsBin[] }) | null
  /** Newest first. */
  readonly days: readonly PartScores[]
  readonly regimes: readonly PartScores[]
  readonly models: readonly PartScores[]
}
/** Of the launches of the last days, by UTC day of launch. */
export type OddsGrades = Readonly<Record<OddsHead, HeadGrades>>

/** Calls that follow from the logged odds alone: at the first value at or above a limit, once a launch. */
export const ODDS_CALLS = [
  { call: 'rug_80', head: 'rug_within_300s', ppmMin: 800_000 },
  { call: 'rug_50', head: 'rug_within_300s', ppmMin: 500_000 },
  { call: 'graduation_50', head: 'true_graduation', ppmMin: 500_000 },
] as const satisfies readonly { readonly call: string; readonly head: OddsHead; readonly ppmMin: number }[]
export type OddsCall = (typeof ODDS_CALLS)[number]['call']

/** What a kind of call came to, of the launches of one UTC day. */
export interface CallDay {
  readonly day: string
  /** Launches with a value of the head whose outcomes are known. */
  readonly launches: number
  /** Launches with a value whose outcomes are not known yet, or never will be. */
  readonly unresolved: number
  /** Of `launches`: what was called for came true. */
  readonly positives: number
  /** Of `launches`: called. */
  readonly calls: number
  /** Calls that came true. */
  readonly hits: number
  /** Half of the hits were called at least so many seconds before; null without hits. */
  readonly leadP50S: number | null
}
/** By call; every day, newest first. */
export type TrackRecord = Readonly<Record<OddsCall, readonly CallDay[]>>

/** The Merkle root over all values of an hour of stream time. */
export interface OddsRoot {
  /** Begin of the hour, unix seconds. */
  readonly hour: number
  readonly n: number
  /** SHA-256, hex. */
  readonly root: string
}
export interface OddsLedger {
  /** Newest first, without hours that had no value. */
  readonly newest: readonly OddsRoot[]
  /** Hours with a root. */
  readonly hours: number
  /** Hours whose values no longer give the root that stands: values came late or were retracted. */
  readonly changedHours: number
  /** A value under the newest root, for examples; null while there is none. */
  readonly exampleId: string | null
}

/** A value as it was logged. All of it is under the root. */
export interface LoggedValue {
  readonly id: string
  readonly mint: string
  readonly head: OddsHead
  readonly ageS: number
  /** Launch, unix seconds. */
  readonly t0: number
  /** Probability, millionths. */
  readonly ppm: number
  readonly model: string
  /** SHA-256 of the judgement that was scored, hex. */
  readonly inputsHash: string
  /** Unix seconds. */
  readonly at: number
  readonly isShadow: boolean
}
export interface MintOdds extends LoggedValue {
  readonly isRetracted: boolean
}

/** `line` is what the leaf is the hash of. */
interface Provable {
  readonly value: LoggedValue
  readonly isRetracted: boolean
  readonly line: string
  readonly leaf: string
}
/**
 * `proven`: the leaf is under the root of its hour. `open`: the hour has no root yet. `left_out`: the hour has a root, and the value is not
 * under it.
 */
export type OddsProof =
  | (Provable & { readonly state: 'proven'; readonly root: OddsRoot; readonly madeAt: number; readonly proof: readonly string[] })
  | (Provable & { readonly state: 'open' })
  | (Provable & { readonly state: 'left_out'; readonly root: OddsRoot; readonly madeAt: number })

/** Which value is asked for: its id in its parts. */
export interface OddsPlace {
  readonly id: string
  readonly mint: Key
  /** Slot. */
  readonly number: number
}

/** A part of the port `History`: figures are kept and refreshed in the background; the rest asks ClickHouse, for 1.5 s at most. */
export interface OddsHistory {
  oddsGrades(): Known<OddsGrades>
  trackRecord(): Known<TrackRecord>
  oddsLedger(): Known<OddsLedger>
  /** All values of a launch, oldest first, at most 200. */
  oddsOf(mint: Key): Promise<Asked<readonly MintOdds[]>>
  /** Null where no such value was logged. */
  oddsProof(place: OddsPlace): Promise<Asked<OddsProof | null>>
}
