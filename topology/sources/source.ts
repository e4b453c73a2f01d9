// What `up` needs of a source of frames, whichever it is.
import type { Anchor } from '../../schemas/types.ts'
import type { Clock } from '../ports/mint-view.ts'
import type { SourceStatus } from '../views/mint-view.ts'

/** Writes frames to the raw topic, exactly once over any number of starts. Its clock is the time of the cards. */
export interface Source extends SourceStatus, Clock {
  /** Frames that are on the log. */
  readonly frames: number
  /** True when it has no more to give. */
  readonly ended: boolean
  /** Where its time stands against the wall; speed 0 once it has ended, undefined before the first frame. */
  anchor(): Anchor | undefined
  /** Takes the raw topic over. @throws EngineError `data_dir_source` when the log holds frames of another source. */
  open(): Promise<void>
  /** Long work that must be done before the folds start: `progress` is told how far it is, in stream seconds. */
  prepare?(progress: (done: { readonly atS: number; readonly ofS: number }) => void): Promise<void>
  /** Resolves at the end of the source, or when it was stopped. */
  run(): Promise<void>
}
