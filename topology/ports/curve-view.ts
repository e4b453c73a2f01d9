// The API's read port for a chain whose launchpad creates curves: committed rows by token and by curve, and launches.
import type { Key } from '../../schemas/keys.ts'
import type { CurveState } from '../../schemas/types.ts'
import type { ChainView } from './chain-view.ts'

/** A curve's rows; read-only. `version` is the offset of its newest changelog record: equal versions have equal rows. */
export interface CurveSnapshot {
  readonly token: Key
  readonly version: number
  readonly state: CurveState
  /** The state without `holders`, which may be many: its cost does not grow with their number. */
  readonly head: Omit<CurveState, 'holders'>
}

export interface CurveView extends ChainView {
  get(token: Key): CurveSnapshot | undefined
  /** By the address of a token or of a curve; also finds launches whose rows were evicted within the last day. */
  find(address: Key): CurveSnapshot | undefined
  /** Launches with a row, newest first (by launch time, then position), neither older than `since` nor newer than `until` (unix s). */
  launchesSince(since: number, until?: number): Iterable<CurveSnapshot>
}
