// What the folds of a rebuild are made with.
import type { EngineLimits } from '../../engine/limits.ts'
import type { Log } from '../../ports/log.ts'
import type { Topology } from '../../topology.ts'
import type { Scratches } from '../rebuild/scratches.ts'

/** What a rebuild of a kind needs. */
export interface Making {
  readonly log: Log
  readonly topology: Topology
  readonly limits: EngineLimits
  readonly stop: AbortSignal
  readonly scratches: Scratches
  /** The frame of this number is the newest that lives of all that was decoded; undefined: whichever is. */
  readonly deadAfter?: number | undefined
  /** Of what is made: see `Scratches`. */
  readonly identity: string
  /** How much of the input is done, 0 to 1. */
  readonly progress: (share: number) => void
}
