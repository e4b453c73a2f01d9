// The assignment port: which parts of the work are this process's. Adapters: everything (one process), logs/kafka/assignment (a group).
//
// A place is the input partition that a part of the work goes with, as `topic/partition`. An assignment says who should work, never who may:
// two processes may believe for a moment that a place is theirs, and taking a task over is what fences the older one.

/** Takes all places that are this process's from now on; resolves when those that came anew are at work. */
export type Assigned = (mine: ReadonlySet<string>) => Promise<void>

export interface Assignment {
  /** A task that another process took over may need this long to hear that its place is no longer here; 0 where places do not move. */
  readonly settleMs: number
  /** False while it cannot be known who has which place, as when the brokers are away. */
  readonly isHeard: boolean
  /** Says at once, or as soon as it is known, what of `places` is here, then each change. Rejects with what `assigned` rejects with. */
  start(places: readonly string[], assigned: Assigned): Promise<void>
  /** Rejects when it can no longer be known what is here; else resolves after `stop`. */
  readonly done: Promise<void>
  /** Gives all places up. Call it when nothing works on them any more. */
  stop(): Promise<void>
}

/** One process does everything. */
export const everything = (): Assignment => ({
  settleMs: 0,
  isHeard: true,
  start: (places, assigned) => assigned(new Set(places)),
  done: Promise.resolve(),
  stop: async () => {},
})
