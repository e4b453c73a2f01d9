// Every limit of the engine, with its unit and its reason.

/** How a task paces its commits and bounds what it holds. */
export interface EngineLimits {
  /** While input keeps coming, a commit is made this often: each writes every page that was touched. */
  readonly commitIntervalMs: number
  /** With a conclusion to tell, or with all input folded, it is made this soon after the one before. */
  readonly promptIntervalMs: number
  /**
   * Further behind than this many records of input, commits are the seldomer the more there is to catch up with, so long apart for each
   * record of it, and at most so long: a page is then written once for many events.
   */
  readonly backlogRecordsMax: number
  readonly catchUpRecordMs: number
  readonly catchUpIntervalMs: number
  /** A commit holds at most about this many events, and that many so far behind: bounds its bytes and its time. */
  readonly commitEventsMax: number
  readonly catchUpEventsMax: number
  /** While a commit is under way, folding goes on for at most this many events more; so far behind for as many as a commit holds. */
  readonly aheadEventsMax: number
  /** One read of the log. */
  readonly readRecordsMax: number
  readonly readBytesMax: number
  /** Folding gives way to the API after this long. */
  readonly sliceMs: number
  /** Undo is kept for this many frames that are not final, and for about this much memory in each task; the oldest go first. */
  readonly undoFramesMax: number
  readonly undoBytesMax: number
  /** Facts and batches from other tasks that are read ahead of the frame which needs them: about 60 MB. */
  readonly exchangeFactsMax: number
  /** A commit that failed for a passing reason is tried again this often, this far apart: a minute for somebody to free some space. */
  readonly commitRetriesMax: number
  readonly commitRetryMs: number
  /** Where nobody answers, this often instead: about a day, as each try takes some seconds. */
  readonly awayRetriesMax: number
  /** Rows of a key that was not asked for in so many frames are packed within as many more: most keys are silent for good after minutes. */
  readonly awakeFrames: number
  /** A task that is not told of its input for so long ends: it would hold up all others. */
  readonly asleepMsMax: number
  /**
   * Seconds of stream time from one copy of all rows to the next: a rebuild folds the tape from the oldest copy that the tape still covers,
   * and a tape that is short of room keeps a day. A commit adds so many pages to a copy: about 500 KB.
   */
  readonly baseIntervalS: number
  readonly basePagesMax: number
  /** Timers that may fire in one tick: more is a processor that schedules into the past for ever. */
  readonly timersPerTickMax: number
}

/** Memory for undo of all tasks of a process. */
const UNDO_BYTES_MAX = 256 * 1024 * 1024

/**
 * An event reaches its card after two commits (the decoder's, the fold's) and their flushes: these intervals are most of what can be
 * saved there. 10,000 events keep a commit near 100 ms of work. Behind, a commit's distance grows with the backlog from that of every day
 * on: with 2 s from 250 records on, a disk that stalled for 1 s made the view 2.5 s late (measured above ten times today's load).
 */
export const DEFAULT_LIMITS: EngineLimits = {
  commitIntervalMs: 50,
  promptIntervalMs: 20,
  backlogRecordsMax: 250,
  catchUpRecordMs: 0.2,
  catchUpIntervalMs: 2_000,
  commitEventsMax: 10_000,
  catchUpEventsMax: 40_000,
  aheadEventsMax: 10_000,
  readRecordsMax: 1_000,
  readBytesMax: 4 * 1024 * 1024,
  sliceMs: 2,
  undoFramesMax: 10_000,
  undoBytesMax: UNDO_BYTES_MAX,
  exchangeFactsMax: 200_000,
  commitRetriesMax: 120,
  commitRetryMs: 500,
  awayRetriesMax: 16_000,
  awakeFrames: 256,
  asleepMsMax: 30_000,
  baseIntervalS: 86_400,
  basePagesMax: 1_000,
  timersPerTickMax: 1_000_000,
}

/** Rows of one aggregate in a page of undo: about 32 KB of small rows, well under the 64 KB a record should have. */
export const UNDO_ROWS_MAX = 512

/** Undo of one frame goes to the changelog in records of about this size. */
export const UNDO_PAGE_BYTES_MAX = 64 * 1024

/** A copy of the rows has this much of the undo, all of it in one commit: forks deeper than that ask for an older copy. */
export const UNDO_COPY_BYTES_MAX = 8 * 1024 * 1024

/** Facts of one record of the exchange, unless one epoch has more: about 128 KB. */
export const EXCHANGE_RECORD_FACTS_MAX = 1_000

/** Memory of a fact that was told, by estimate: two keys, two names, a body. */
export const FACT_BYTES = 320
