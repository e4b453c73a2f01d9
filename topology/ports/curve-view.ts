// What the API sees of a chain whose launchpad makes curves: committed rows by token and by curve, and launches.
import type { Key } from '../../schemas/keys.ts'
import type { CurveState } from '../../schemas/types.ts'
import type { ChainView } from './chain-view.ts'

/** A curve's rows. Treat as read only. `version` is the offset of its newest changelog record: same version, same rows. */
export interface CurveSnapshot {
  readonly token: Key
  readonly version: number
  readonly state: CurveState
  /** The same without the holders where they are many: costs no more for a million of them. */
  readonly head: Omit<CurveState, 'holders'>
}

export interface CurveView extends ChainView {
  get(token: Key): CurveSnapshot | undefined
  /** By the address of a token or of a curve; also of launches that were forgotten within a day. */
  find(address: Key): CurveSnapshot | undefined
  /** Launches with a row, newest first (by launch time, then position), neither older than `since` nor newer than `until` (unix s). */
  launchesSince(since: number, until?: number): Iterable<CurveSnapshot>
}
