// What a detector is: a pure function of rows with an id, a version and thresholds of its own.
import type { Position } from '../../../schemas/position.ts'
import type { CurveRow, LaunchRow, PoolRow, ProofRow } from '../../../schemas/types.ts'

/** The six mechanisms of the contract. */
export type Flag = 'creator_sold' | 'bundle_dumped' | 'curve_drained' | 'pool_drained' | 'curve_closed_low' | 'migrate_below_grad'

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

/** An event that proves a finding. */
export type ProofEvent = Pick<ProofRow, 'number' | 'tx' | 'outer' | 'inner' | 'hash8'>

/** Fires once per mint. `version` moves when it would find otherwise in the same rows. */
export interface Detector {
  readonly id: string
  readonly version: number
  readonly flag: Flag
  /** Its bit in CurveRow.flagBits. */
  readonly bit: number
  /** Evidence, or undefined. Called after every event of a witnessed mint until it fires: cheap while nothing is there. */
  find(rows: DetectorRows): Evidence | undefined
  /** The events before the causing one that prove it, in position order. */
  proof(rows: DetectorRows, proofs: Iterable<ProofEvent>): readonly ProofEvent[]
}
