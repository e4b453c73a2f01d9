// Parameters of a rebuild's decoding and folding.
import type { EngineLimits } from '../../engine/limits.ts'
import type { PageStore } from '../../ports/keyed-pages.ts'
import type { Log } from '../../ports/log.ts'
import type { Topology } from '../../topology.ts'
import type { StagingStores } from '../rebuild/staging-stores.ts'
import type { EndingTask } from './run-to-end.ts'

/** Other threads that fold a tape again. */
export interface FoldThreads {
  /** With fewer records to fold, the caller's thread is faster: starting the threads takes time. */
  readonly recordsMin: number
  /** Starts the threads. `limits`: of one task. @throws what their start throws */
  open(log: Log, topology: Topology, limits: EngineLimits): Promise<OpenFoldThreads>
}

export interface OpenFoldThreads {
  /** One per partition. Their `isCaughtUp` may be outdated, but once true it stays true if the log does not grow. */
  readonly tasks: readonly EndingTask[]
  /** Ends the threads. Call it after the tasks have ended. */
  end(): Promise<void>
}

/** Parameters of one decoding or folding. */
export interface Making {
  readonly log: Log
  readonly topology: Topology
  readonly limits: EngineLimits
  readonly stop: AbortSignal
  readonly staging: StagingStores
  /** For rows that the folding tasks evict; in memory by default. */
  readonly pages?: PageStore
  /** Where to fold; by default in this thread. */
  readonly foldThreads?: FoldThreads | undefined
  /** Number of the newest decoded frame that is canonical; undefined: no such restriction. */
  readonly deadAfter?: number | undefined
  /** Identity of the result: see `StagingStores`. */
  readonly identity: string
  /** Receives the share of the input that is done, 0 to 1. */
  readonly progress: (share: number) => void
}
