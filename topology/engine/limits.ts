// Every limit of the engine, with its unit and its reason.

/** How a task paces its commits and bounds what it holds. */
export interface EngineLimits {
  /** A commit is made at least this often while there is something to commit. */
  readonly commitIntervalMs: number
  /** Apart from that, a conclusion is told this soon after the commit before it. */
  readonly conclusionIntervalMs: number
  /** A commit holds at most about this many events: bounds its bytes and its time. */
  readonly commitEventsMax: number
  /** While a commit is under way, folding goes on for at most this many events more. */
  readonly aheadEventsMax: number
  /** One read of the log. */
  readonly readRecordsMax: number
  readonly readBytesMax: number
  /** The fold gives way to the API after this long. */
  readonly sliceMs: number
  /** Undo is kept for this many frames. */
  readonly undoFramesMax: number
  /** A commit that failed for a passing reason is tried again this often, this far apart: a minute for somebody to free some space. */
  readonly commitRetriesMax: number
  readonly commitRetryMs: number
  /** Timers that may fire in one tick: more is a processor that schedules into the past for ever. */
  readonly timersPerTickMax: number
}

/** Figures of facts/kafka.md section 7: commit on a conclusion, else every 100 ms; 10,000 events keep a commit near 100 ms of work. */
export const DEFAULT_LIMITS: EngineLimits = {
  commitIntervalMs: 100,
  conclusionIntervalMs: 10,
  commitEventsMax: 10_000,
  aheadEventsMax: 10_000,
  readRecordsMax: 1_000,
  readBytesMax: 4 * 1024 * 1024,
  sliceMs: 2,
  undoFramesMax: 64,
  commitRetriesMax: 120,
  commitRetryMs: 500,
  timersPerTickMax: 1_000_000,
}

/** Rows of one changelog page: about 32 KB of small rows, well under the 64 KB a record should have. */
export const PAGE_ROWS_MAX = 512
