// Every limit of the sink, with its unit and its reason.
import type { Delays } from '../waiting/retry.ts'

export interface SinkLimits {
  /**
   * A batch is sent once it has this many rows. Rows in parts of 10,000 cost the engine 10 us each, half of it to merge the parts; in parts
   * of 40,000 they cost 6 us (measured, 2 cores).
   */
  readonly batchRowsMax: number
  readonly batchBytesMax: number
  /** ClickHouse takes at most 100 partitions, which are days, in one insert. */
  readonly batchDaysMax: number
  /**
   * Where there is less, a batch is sent so often. Each makes a part in every table it has rows for, and a part costs the engine the same
   * however few they are: every 3 s it takes a third less of the processor than every second, and writes half (measured).
   */
  readonly batchIntervalMs: number
  /** One read of the log. */
  readonly readRecordsMax: number
  readonly readBytesMax: number
  /** The sink gives way to the API after this long. */
  readonly sliceMs: number
  /** Between two tries of the same batch. */
  readonly delays: Delays
  /** A ClickHouse that is busy (memory, too many queries) is reported after so long. */
  readonly busyMs: number
  /** A stop waits so long for the batch under way; it is sent again at the next start. */
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
