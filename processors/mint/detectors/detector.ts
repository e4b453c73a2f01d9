// What a detector is: a pure function of rows, and everything that is published of it. Lists, cards, labels and schemas derive from this.
import type { Amount } from '../../../schemas/amount.ts'
import type { Position } from '../../../schemas/position.ts'
import type { CurveRow, LaunchRow, PoolRow, ProofRow } from '../../../schemas/types.ts'

/** What a detector sees. */
export interface DetectorRows {
  readonly launch: Readonly<LaunchRow>
  readonly curve: Readonly<CurveRow>
  /** The pool of the migration, once there is one. */
  readonly pool: Readonly<PoolRow> | undefined
  /** Where the rows stand: an event or the tick of a frame. */
  readonly position: Position
}

/** JSON object of numbers; a null has its `_reason` beside it. */
export type Evidence = Readonly<Record<string, number | string | null>>

/** A field of the evidence. `unit` and `words` are what `/v1/labels` and the JSON Schema say of it. */
export interface EvidenceField {
  readonly type: 'share' | 'count' | 'amount' | 'number' | 'address' | 'text'
  /** Absent: a share, a number of things, or no figure. */
  readonly unit?: string
  readonly words: string
  /** May be null, with its `_reason`. */
  readonly isNullable?: true
  /** May be absent. */
  readonly isOptional?: true
}

/** What a person reads of the evidence at a glance, by names of its fields. */
export type Headline =
  | { readonly is: 'soldShare'; readonly field: string }
  | { readonly is: 'loss'; readonly before: string; readonly after: string }
  | { readonly is: 'peakSol'; readonly field: string }

/** An event that proves a finding. */
export type ProofEvent = Pick<ProofRow, 'number' | 'tx' | 'outer' | 'inner' | 'hash8'>

/** `active` ones report; `shadow` ones run and are graded, and reach no card, flag or base rate; `retired` ones keep their names and bits. */
export type Tier = 'active' | 'shadow' | 'retired'

/** Thresholds of a detector by name, whole numbers; a backtest tries others. */
export type Settings = Readonly<Record<string, Amount>>

/** What is published of a detector. */
export interface DetectorFacts {
  /** Part of every finding's id. */
  readonly id: string
  /** Moves when it would find otherwise in the same rows: the stores are then folded again. */
  readonly version: number
  readonly tier: Tier
  /** SHA-256 over its code and constants, as `hashes.ts` registers it for this version; absent: it is not registered. */
  readonly hash?: string
  readonly flag: string
  /** Its bit in the row's flagBits and in watch cursors. A bit once published keeps its meaning. */
  readonly bit: number
  /** What has to happen, in words. */
  readonly firesWhen: string
  readonly evidence: Readonly<Record<string, EvidenceField>>
  /** Absent: pages show the flag alone. */
  readonly headline?: Headline
  readonly settings: Settings
}

/** Fires once per mint. */
export interface Detector<Set extends Settings = Settings> extends DetectorFacts {
  readonly settings: Set
  /** Why mints like this one are not judged: the flag is then null on the card. Absent: every mint is. */
  notJudged?(curve: Readonly<CurveRow>, pool: Readonly<PoolRow> | undefined): string | undefined
  /** Evidence, or undefined. Called after every event of a witnessed mint until it fires: cheap while nothing is there. */
  find(rows: DetectorRows, settings: Set): Evidence | undefined
  /** The events before the causing one that prove it, in position order. */
  proof(rows: DetectorRows, proofs: Iterable<ProofEvent>): readonly ProofEvent[]
}

/** Its thresholds as answers have them: numbers, and decimal digits beyond what a JSON number holds exactly. */
export const thresholdsOf = ({ settings }: Pick<DetectorFacts, 'settings'>): Readonly<Record<string, number | string>> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]))
