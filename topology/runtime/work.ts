// The parts of the work of a process, and their contract.
/**
 * A running part: `restore`, then `run`, which resolves after `stop` with everything committed, or rejects with the failure that ended it.
 */
export interface Work {
  /** Takes over from the previous owner and restores the rows. After `stop` it resolves soon, unfinished; `run` then does nothing. */
  restore(): Promise<void>
  run(): Promise<void>
  stop(): void
  /** True if all current input is processed and committed. */
  readonly isCaughtUp: boolean
  /** Grows while the restore progresses. */
  readonly progress: number
  /**
   * Grows with the progress of the run; null while it has nothing to do, or waits for input, at the barrier, or for a commit. A run without
   * it is not watched: the sink waits for its server without a limit.
   */
  readonly steps?: number | null
}

/** A part of the work; one process at a time runs it. */
export interface Part {
  readonly name: string
  /** The process that owns this place runs the part. */
  readonly place: string
  /** Called each time the place is assigned here. */
  create(): Work
}
