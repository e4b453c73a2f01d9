// The assignment port: which tasks this process runs. Adapters: everything (one process), logs/kafka/assignment (a consumer group).
//
// A task is assigned by its input partition, `topic/partition`. An assignment decides which process should run it, not which may write: two
// processes may briefly both believe that a partition is theirs, and taking over the task's transactional id fences the older one.

/**
 * Receives all partitions that are assigned to this process from now on, and those that it stands by for (absent: none): it keeps the rows
 * of their tasks up to date, so that it can take them over fast. Resolves when the newly assigned ones are running.
 */
export type Assigned = (assigned: ReadonlySet<string>, standbys?: ReadonlySet<string>) => Promise<void>

export interface Assignment {
  /** After a takeover, the old owner may need this long to learn that its partition has moved, ms; 0 if partitions never move. */
  readonly settleMs: number
  /** False while the assignment cannot be known, for example when the brokers are unreachable. */
  readonly isKnown: boolean
  /**
   * Reports which of `partitions` are assigned here once that is known, then each change. `warm` returns the standbys that are ready for a
   * takeover: the assignment prefers them. Rejects with what `assigned` rejects with.
   */
  start(partitions: readonly string[], assigned: Assigned, warm?: () => ReadonlySet<string>): Promise<void>
  /** Rejects when the assignment can no longer be followed; resolves after `stop`. */
  readonly done: Promise<void>
  /** Gives up all partitions. Call it after their tasks have stopped. */
  stop(): Promise<void>
}

/** Assigns everything to this process. */
export const everything = (): Assignment => ({
  settleMs: 0,
  isKnown: true,
  start: (partitions, assigned) => assigned(new Set(partitions)),
  done: Promise.resolve(),
  stop: async () => {},
})
