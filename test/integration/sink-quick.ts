// Limits that make many small batches of a short tape.
import { SINK_LIMITS, type SinkLimits } from '../../topology/sinks/limits.ts'

export const QUICK: SinkLimits = {
  ...SINK_LIMITS,
  batchRowsMax: 400,
  batchIntervalMs: 5,
  readRecordsMax: 40,
  delays: { firstMs: 5, maxMs: 50 },
  drainMs: 200,
}
