// The API's port to the history of odds: grades, calls, and proofs that a value was logged.

import type { OddsHead } from '../../processors/odds/heads.ts'
import type { Key } from '../../schemas/keys.ts'
import type { CachedResult, QueryResult } from './history.ts'

export const HOUR_S = 3_600
/** An hour's Merkle root is made this long after the hour's end at the earliest, seconds of stream time. */
export const ROOT_WAIT_S = 120

/** Scores of logged values with known outcomes. One value is one row: a launch has one per head and age. */
export interface OddsScores {
  readonly n: number
  /** Values whose outcome came true. */
  readonly hits: number
  readonly meanP: number
  /** 0 is best. */
  readonly brier: number
  /** 1 - brier / (brier of the constant prediction hits / n); null if all outcomes are the same. */
  readonly brierSkill: number | null
  readonly ece: number
  /** Null without hits. */
  readonly prAuc: number | null
}

/** Values from `from` (inclusive) to `to` (exclusive); the last bin includes 1. */
export interface OddsBin {
  readonly from: number
  readonly to: number
  readonly n: number
  readonly hits: number
  readonly meanP: number
}

/** Scores of one group of values: a UTC day of launch (`2026-03-01`), a regime or a model. */
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
/** Grades of the launches of the last days, by UTC day of launch. */
export type OddsGrades = Readonly<Record<OddsHead, HeadGrades>>

/** Calls derived from the logged odds alone: the first value at or above a threshold makes the call, once per launch. */
export const ODDS_CALLS = [
  { call: 'rug_80', head: 'rug_within_300s', ppmMin: 800_000 },
  { call: 'rug_50', head: 'rug_within_300s', ppmMin: 500_000 },
  { call: 'graduation_50', head: 'true_graduation', ppmMin: 500_000 },
] as const satisfies readonly { readonly call: string; readonly head: OddsHead; readonly ppmMin: number }[]
export type OddsCall = (typeof ODDS_CALLS)[number]['call']

/** Results of one kind of call for the launches of one UTC day. */
export interface CallDay {
  readonly day: string
  /** Launches with a value of the head and a known outcome. */
  readonly launches: number
  /** Launches with a value whose outcome is not known yet, or never will be. */
  readonly unresolved: number
  /** Of `launches`: those whose outcome came true. */
  readonly positives: number
  /** Of `launches`: those with a call. */
  readonly calls: number
  /** Calls that came true. */
  readonly hits: number
  /** Median lead of the hits, seconds; null without hits. */
  readonly leadP50S: number | null
}
/** By call; every day, newest first. */
export type TrackRecord = Readonly<Record<OddsCall, readonly CallDay[]>>

/** The Merkle root over all values of one hour of stream time. */
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
  /** Hours whose values no longer match their stored root: values came late or were retracted. */
  readonly changedHours: number
  /** Id of a value under the newest root, for examples; null while there is none. */
  readonly exampleId: string | null
}

/** A value as it was logged. The root covers all of its fields. */
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

/** `leaf` is the hash of `line`. */
interface Provable {
  readonly value: LoggedValue
  readonly isRetracted: boolean
  readonly line: string
  readonly leaf: string
}
/**
 * `proven`: the hour's root covers the leaf. `open`: the hour has no root yet. `left_out`: the hour has a root that does not cover the
 * value.
 */
export type OddsProof =
  | (Provable & { readonly state: 'proven'; readonly root: OddsRoot; readonly madeAt: number; readonly proof: readonly string[] })
  | (Provable & { readonly state: 'open' })
  | (Provable & { readonly state: 'left_out'; readonly root: OddsRoot; readonly madeAt: number })

/** Identifies a value: its id, and the parts of that id. */
export interface OddsKey {
  readonly id: string
  readonly mint: Key
  /** Slot. */
  readonly number: number
}

/** Part of the port `History`: figures are cached and refreshed in the background; the other reads query ClickHouse, for 1.5 s at most. */
export interface OddsHistory {
  oddsGrades(): CachedResult<OddsGrades>
  trackRecord(): CachedResult<TrackRecord>
  oddsLedger(): CachedResult<OddsLedger>
  /** All values of a launch, oldest first, at most 200. */
  oddsOf(mint: Key): Promise<QueryResult<readonly MintOdds[]>>
  /** Null if no such value was logged. */
  oddsProof(key: OddsKey): Promise<QueryResult<OddsProof | null>>
}
