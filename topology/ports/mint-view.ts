// What the API sees of a chain whose launchpad makes mints: committed rows by mint, launches and migrations.

import type { Amount } from '../../schemas/amount.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Place, Position } from '../../schemas/position.ts'
import type { MintState } from '../../schemas/types.ts'
import type { ChainView } from './chain-view.ts'

/** A mint's rows. Treat as read only. `version` is the offset of its newest changelog record: same version, same rows. */
export interface MintSnapshot {
  readonly mint: Key
  readonly version: number
  readonly state: MintState
  /** The same without the holders where they are many: costs no more for a million of them. */
  readonly head: Omit<MintState, 'holders'>
  /** False where its rows do not name the wallet. Quick: nothing is decoded. */
  mentions(wallet: Buffer): boolean
}

/** A curve whose launch was witnessed moved to its pool. */
export interface MigrationSighting extends Position {
  readonly mint: Key
  readonly creator: Key
  /** Id of the transition. */
  readonly id: string
  /** Block time, unix seconds. */
  readonly at: number
  /** Null where the curve is not paired with SOL, or trades may be missing. */
  readonly graduated: boolean | null
  /** Highest real reserve of the curve. */
  readonly peakQuoteUnits: Amount
  /** Null stands for SOL. */
  readonly quoteMint: Key | null
  readonly pool: Key
}

export interface MintView extends ChainView {
  get(mint: Key): MintSnapshot | undefined
  /** Launches with a row, newest first (by launch time, then position), neither older than `since` nor newer than `until` (unix s). */
  launchesSince(since: number, until?: number): Iterable<MintSnapshot>
  /** Launches with a row whose dev set the wallet is in, newest first. */
  launchesBy(wallet: Key): Iterable<MintSnapshot>
  /** Launches with a row behind a position, in the order of the chain. */
  launchesAfter(place: Place): Iterable<MintSnapshot>
  /** Position of the first launch with a row, in the order of the chain, at `second` (unix s) or later; null where there is none. */
  firstLaunchSince(second: number): Place | null
  /** Migrations of the last 24 h, ordered and bounded as flags. */
  migrationsSince(since: number, until?: number): Iterable<MigrationSighting>
}
