// All limits of the sink, with units and reasons.
import type { Delays } from '../waiting/retry.ts'

export interface SinkLimits {
  /**
   * A batch is sent at this many rows. In parts of 10,000 a row costs the engine 10 us, half of it for merges; in parts
   * of 40,000 it costs 6 us (measured, 2 cores).
   */
  readonly batchRowsMax: number
  readonly batchBytesMax: number
  /** ClickHouse accepts at most 100 partitions (days) per insert. */
  readonly batchDaysMax: number
  /**
   * A smaller batch is sent at this interval. Each batch creates a part in every table with rows, and a part costs the engine the same
   * however small: every 3 s takes a third less CPU than every second, and writes half (measured).
   */
  readonly batchIntervalMs: number
  /** Limits of one read of the log. */
  readonly readRecordsMax: number
  readonly readBytesMax: number
  /** Time budget between two yields to the event loop. */
  readonly sliceMs: number
  /** Backoff between attempts of the same batch. */
  readonly delays: Delays
  /** A busy ClickHouse (memory, too many queries) is reported after this time. */
  readonly busyMs: number
  /** How long a stop waits for the batch in flight; it is sent again at the next start. */
  readonly drainMs: number
}

export const SINK_LIMITS: SinkLimits = {
  batchRowsMax: 40_000,
  batchBytesMax: 16 * 1024 * 1024,
  batchDaysMax: 50,
  batchIntervalMs: 3_000,
  readRecordsMax: 256,
  readBytesMax: 1024 * 1024,
  sliceMs: 2,
  delays: { firstMs: 250, maxMs: 15_000 },
  busyMs: 15_000,
  drainMs: 3_000,
}
