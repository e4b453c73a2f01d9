// The API's read port for a chain whose launchpad creates mints: committed rows by mint, launches and migrations.

import type { Amount } from '../../schemas/amount.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Position, PositionInChain } from '../../schemas/position.ts'
import type { MintState } from '../../schemas/types.ts'
import type { ChainView } from './chain-view.ts'

/** A mint's rows; read-only. `version` is the offset of its newest changelog record: equal versions have equal rows. */
export interface MintSnapshot {
  readonly mint: Key
  readonly version: number
  readonly state: MintState
  /** The state without `holders`, which may be many: its cost does not grow with their number. */
  readonly head: Omit<MintState, 'holders'>
  /** False if no row of the mint names the wallet. Fast: decodes nothing. */
  mentions(wallet: Buffer): boolean
}

/** A curve whose launch was observed migrated to its pool. */
export interface MigrationRecord extends Position {
  readonly mint: Key
  readonly creator: Key
  /** Id of the transition. */
  readonly id: string
  /** Block time, unix seconds. */
  readonly at: number
  /** Null if the curve is not paired with SOL, or trades may be missing. */
  readonly graduated: boolean | null
  /** Highest real reserve of the curve. */
  readonly peakQuoteUnits: Amount
  /** Null means SOL. */
  readonly quoteMint: Key | null
  readonly pool: Key
}

export interface MintView extends ChainView {
  get(mint: Key): MintSnapshot | undefined
  /** Launches with a row, newest first (by launch time, then position), neither older than `since` nor newer than `until` (unix s). */
  launchesSince(since: number, until?: number): Iterable<MintSnapshot>
  /** Launches with a row whose dev set includes the wallet, newest first. */
  launchesBy(wallet: Key): Iterable<MintSnapshot>
  /** Launches with a row after a position, in chain order. */
  launchesAfter(place: PositionInChain): Iterable<MintSnapshot>
  /** Position of the first launch, in chain order, that has a row and happened at `second` (unix s) or later; null if there is none. */
  firstLaunchSince(second: number): PositionInChain | null
  /** Migrations of the last 24 h, with the order and bounds of `flagsSince`. */
  migrationsSince(since: number, until?: number): Iterable<MigrationRecord>
}
