// The assignment port: which tasks this process runs. Adapters: everything (one process), logs/kafka/assignment (a consumer group).
//
// A place is the input partition of a task, as `topic/partition`. An assignment decides who should work, not who may write: two processes
// may briefly both believe that a place is theirs, and taking over the task's transactional id fences the older one.

/** Receives all places that are assigned to this process from now on; resolves when the newly assigned ones are running. */
export type Assigned = (mine: ReadonlySet<string>) => Promise<void>

export interface Assignment {
  /** After a takeover, the old owner may need this long to learn that its place has moved, ms; 0 where places do not move. */
  readonly settleMs: number
  /** False while the assignment cannot be known, for example when the brokers are unreachable. */
  readonly isHeard: boolean
  /** Reports the subset of `places` assigned here as soon as it is known, then each change. Rejects with what `assigned` rejects with. */
  start(places: readonly string[], assigned: Assigned): Promise<void>
  /** Rejects when the assignment can no longer be followed; resolves after `stop`. */
  readonly done: Promise<void>
  /** Gives up all places. Call it after all work on them has stopped. */
  stop(): Promise<void>
}

/** Assigns everything to this process. */
export const everything = (): Assignment => ({
  settleMs: 0,
  isHeard: true,
  start: (places, assigned) => assigned(new Set(places)),
  done: Promise.resolve(),
  stop: async () => {},
})
