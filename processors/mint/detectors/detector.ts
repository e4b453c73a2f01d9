// The interface of a detector: a pure function of rows, and everything that is published about it. Lists, cards, labels and schemas derive
// from this.
import type { Amount } from '../../../schemas/amount.ts'
import type { Position } from '../../../schemas/position.ts'
import type { CurveRow, LaunchRow, PoolRow, ProofRow } from '../../../schemas/types.ts'

/** The input of a detector. */
export interface DetectorRows {
  readonly launch: Readonly<LaunchRow>
  readonly curve: Readonly<CurveRow>
  /** The pool of the migration, once there is one. */
  readonly pool: Readonly<PoolRow> | undefined
  /** The position of the rows: that of an event, or of the tick of a frame. */
  readonly position: Position
}

/** JSON object of numbers and texts; a null is followed by its `_reason`. */
export type Evidence = Readonly<Record<string, number | string | null>>

/** A field of the evidence. `/v1/labels` and the JSON Schema publish `unit` and `words`. */
export interface EvidenceField {
  readonly type: 'share' | 'count' | 'amount' | 'number' | 'address' | 'text'
  /** Absent for shares, counts, and values that are no figures. */
  readonly unit?: string
  readonly words: string
  /** May be null, with its `_reason`. */
  readonly isNullable?: true
  /** May be absent. */
  readonly isOptional?: true
}

/** How people get the evidence in one figure: its kind, and the evidence fields that it is computed from. */
export type Headline =
  | { readonly is: 'soldShare'; readonly field: string }
  | { readonly is: 'loss'; readonly before: string; readonly after: string }
  | { readonly is: 'peakSol'; readonly field: string }

/** An event that proves a finding. */
export type ProofEvent = Pick<ProofRow, 'number' | 'tx' | 'outer' | 'inner' | 'hash8'>

/**
 * `active` detectors report; `shadow` ones run and are graded, but do not appear on cards, in flags or in base rates; `retired` ones do not
 * run, and keep their names and bits.
 */
export type Tier = 'active' | 'shadow' | 'retired'

/** Thresholds of a detector by name, whole numbers; a backtest tries others. */
export type Settings = Readonly<Record<string, Amount>>

/** The published facts about a detector. */
export interface DetectorFacts {
  /** Part of every finding's id. */
  readonly id: string
  /** Raised when the detector's answer for the same rows changes: the stores are then rebuilt. */
  readonly version: number
  readonly tier: Tier
  /** SHA-256 over its code and constants, as `hashes.ts` registers it for this version; absent where it is not registered. */
  readonly hash?: string
  readonly flag: string
  /** Its bit in the row's flagBits and in watch cursors. A bit once published keeps its meaning. */
  readonly bit: number
  /** The condition, in plain text. */
  readonly firesWhen: string
  readonly evidence: Readonly<Record<string, EvidenceField>>
  /** Absent: pages show only the flag. */
  readonly headline?: Headline
  readonly settings: Settings
}

/** A detector of mints: fires once per mint. */
export interface Detector<Set extends Settings = Settings> extends DetectorFacts {
  readonly settings: Set
  /** Why mints like this one are not judged: the flag is then null on the card. Absent: every mint is judged. */
  notJudged?(curve: Readonly<CurveRow>, pool: Readonly<PoolRow> | undefined): string | undefined
  /** Evidence, or undefined. Called after every event of a witnessed mint until it fires: must be cheap while it does not. */
  find(rows: DetectorRows, settings: Set): Evidence | undefined
  /** The events before the causing one that prove the finding, in position order. */
  proof(rows: DetectorRows, proofs: Iterable<ProofEvent>): readonly ProofEvent[]
}

/** The thresholds in answers: numbers, or decimal text where a JSON number is not exact. */
export const thresholdsOf = ({ settings }: Pick<DetectorFacts, 'settings'>): Readonly<Record<string, number | string>> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]))
