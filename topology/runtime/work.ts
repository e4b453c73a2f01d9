// Work that a process does: its parts, and what each promises.
/** One part at work: `restore`, then `run`, which resolves after `stop`, with everything committed, and rejects with what ended it. */
export interface Work {
  /** Takes it over from whoever had it, and puts its rows back. After `stop` it resolves soon, half done; `run` then does nothing. */
  restore(): Promise<void>
  run(): Promise<void>
  stop(): void
  /** True when all its input that is there now is done and committed. */
  readonly isCaughtUp: boolean
  /** Grows while the restore gets on. */
  readonly progress: number
  /**
   * Grows with all that the run gets done; null while it has nothing to do or waits for others: for input, at the barrier, for a commit. A
   * run without it is not watched: the sink waits for its server without a limit.
   */
  readonly steps?: number | null
}

/** A part of the work that one process does at a time. */
export interface Part {
  readonly name: string
  /** The process that has this place does it. */
  readonly place: string
  /** Of now on; each time the place comes here. */
  create(): Work
}
