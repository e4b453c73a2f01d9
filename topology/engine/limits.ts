// All limits of the engine, with unit and reason.
import type { ReadLimits } from '../ports/log.ts'

/** Commit intervals of a task, and bounds of what it holds. */
export interface EngineLimits {
  /** Commit interval while input keeps coming: each commit writes every touched page. */
  readonly commitIntervalMs: number
  /** Interval since the previous commit when there is a conclusion to publish, or when all input is folded. */
  readonly promptIntervalMs: number
  /** A task that waits this long for another process commits: its message, for which that one may wait in turn, may be lost. */
  readonly toldIntervalMs: number
  /**
   * With a backlog of more than `backlogRecordsMax` input records, the commit interval grows by `catchUpRecordMs` per record of the
   * backlog, up to `catchUpIntervalMs`: a page is then written once for many events. If `catchUpIntervalMs` equals `commitIntervalMs`, a
   * backlog does not change the interval.
   */
  readonly backlogRecordsMax: number
  readonly catchUpRecordMs: number
  readonly catchUpIntervalMs: number
  /** Approximate maximum of events per commit, normally and while catching up: bounds the commit's bytes and its time. */
  readonly commitEventsMax: number
  readonly catchUpEventsMax: number
  /** Events that may be folded while a commit is in flight; while catching up, `catchUpEventsMax` applies instead. */
  readonly aheadEventsMax: number
  /**
   * Limits of one read of the log. A task that catches up keeps no undo for frames that its reads show to be final: with one event per
   * record, reads of 1,000 records gave .55 of the events per second of reads of 4,000 (`npm run bench:kafka`).
   */
  readonly readRecordsMax: number
  readonly readBytesMax: number
  /** Folding yields to the event loop after this long. */
  readonly sliceMs: number
  /** Undo is kept for at most this many frames that are not final, and about this much memory per task; the oldest are dropped first. */
  readonly undoFramesMax: number
  readonly undoBytesMax: number
  /** Facts and batches of other tasks read ahead of the frame that needs them: about 60 MB. */
  readonly exchangeFactsMax: number
  /** Retries of a commit after a transient failure, and their interval: a minute, in which an operator may free disk space. */
  readonly commitRetriesMax: number
  readonly commitRetryMs: number
  /** Retries while the log is unreachable: about a day, because each attempt takes some seconds. */
  readonly awayRetriesMax: number
  /** Rows of a key unused for this many frames are packed within as many further frames: most keys get no events after a few minutes. */
  readonly hotFrames: number
  /** A task that stays idle this long although it has input is ended: all other tasks would wait for it. */
  readonly asleepMsMax: number
  /**
   * Interval between copies of all rows, seconds of stream time: a rebuild folds the tape from the oldest copy that the tape still covers,
   * and a tape short of disk space keeps one day. A commit adds at most `basePagesMax` pages to a copy: about 500 KB.
   */
  readonly baseIntervalS: number
  readonly basePagesMax: number
  /** Timers that may fire in one tick: more means that a processor schedules into the past endlessly. */
  readonly timersPerTickMax: number
}

/** Undo memory of all tasks of a process; the runtime divides it among them. */
const UNDO_BYTES_MAX = 256 * 1024 * 1024

/**
 * An event reaches its card after two commits (the decoder's, the fold's) and their flushes: these intervals are most of the latency that
 * can be saved. 10,000 events keep a commit near 100 ms of work. While catching up, the interval grows with the backlog from the normal one
 * on: with a fixed 2 s from 250 records on, a disk that stalled for 1 s made the view 2.5 s late (measured above ten times today's load).
 */
export const DEFAULT_LIMITS: EngineLimits = {
  commitIntervalMs: 50,
  promptIntervalMs: 20,
  toldIntervalMs: 200,
  backlogRecordsMax: 250,
  catchUpRecordMs: 0.2,
  catchUpIntervalMs: 2_000,
  commitEventsMax: 10_000,
  catchUpEventsMax: 40_000,
  aheadEventsMax: 10_000,
  readRecordsMax: 4_000,
  readBytesMax: 4 * 1024 * 1024,
  sliceMs: 2,
  undoFramesMax: 10_000,
  undoBytesMax: UNDO_BYTES_MAX,
  exchangeFactsMax: 200_000,
  commitRetriesMax: 120,
  commitRetryMs: 500,
  awayRetriesMax: 16_000,
  hotFrames: 256,
  asleepMsMax: 30_000,
  baseIntervalS: 86_400,
  basePagesMax: 1_000,
  timersPerTickMax: 1_000_000,
}

/** Rows of one aggregate in a page of undo: about 32 KB of small rows, well below the 64 KB that a record should not exceed. */
export const UNDO_ROWS_MAX = 512

/** Approximate size of the records in which the undo of a frame is written to the changelog. */
export const UNDO_PAGE_BYTES_MAX = 64 * 1024

/** Commit interval of a task, ms. While far behind, catching up goes first: readers gain little from results that are outdated anyway. */
export const commitIntervalOf = (limits: EngineLimits, backlogRecords: number): number =>
  backlogRecords > limits.backlogRecordsMax
    ? Math.min(limits.catchUpIntervalMs, backlogRecords * limits.catchUpRecordMs)
    : limits.commitIntervalMs

/** Size of the undo in a copy of the rows, which one commit writes: deeper forks need an older copy. */
export const UNDO_COPY_BYTES_MAX = 8 * 1024 * 1024

/** Facts in one record of the exchange, unless one epoch has more: about 128 KB. */
export const EXCHANGE_RECORD_FACTS_MAX = 1_000

/** Estimated memory of a sent fact: two keys, two names, a body. */
export const FACT_BYTES = 320

/** Limits of one read, as the log takes them. */
export const readLimitsOf = ({ readRecordsMax, readBytesMax }: Pick<EngineLimits, 'readRecordsMax' | 'readBytesMax'>): ReadLimits => ({
  recordsMax: readRecordsMax,
  bytesMax: readBytesMax,
})
