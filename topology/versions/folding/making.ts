// Parameters of a rebuild's decoding and folding.
import type { EngineLimits } from '../../engine/limits.ts'
import type { PageStore } from '../../ports/keyed-pages.ts'
import type { Log } from '../../ports/log.ts'
import type { Topology } from '../../topology.ts'
import type { StagingStores } from '../rebuild/staging-stores.ts'

/** Parameters of one decoding or folding. */
export interface Making {
  readonly log: Log
  readonly topology: Topology
  readonly limits: EngineLimits
  readonly stop: AbortSignal
  readonly staging: StagingStores
  /** For rows that the folding tasks evict; in memory by default. */
  readonly pages?: PageStore
  /** Number of the newest decoded frame that is canonical; undefined: no such restriction. */
  readonly deadAfter?: number | undefined
  /** Identity of the result: see `StagingStores`. */
  readonly identity: string
  /** Receives the share of the input that is done, 0 to 1. */
  readonly progress: (share: number) => void
}
