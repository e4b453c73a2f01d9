// What the demo is without options: the same stream for everybody.
import type { DemoOptions } from './market-types.ts'

/** Seconds of history, and of frames at full speed after it: base rates and a full market for a newcomer. */
export const HISTORY_S = 6 * 3_600
export const CATCH_UP_S = 20 * 60
/**
 * Forks an hour: one in 700 slots sees some of its successors die. An assumption, because no recording at hand tells how often a node sees
 * that; enough that there were a few before anybody looks.
 */
export const FORKS_PER_HOUR = 12
/** Ten times the load of today. */
export const RATE_MAX = 100
/** When the paced part begins, unless a start is given: 2026-10-15 12:00:00 UTC, after the newest layouts went live. */
export const PACED_FROM_MS = Date.UTC(2026, 9, 15, 12)

/** When the market begins so that its paced part begins at `pacedFromMs`; both in unix milliseconds. */
export const marketStartMs = (pacedFromMs: number, historyS: number): number => pacedFromMs - (historyS + CATCH_UP_S) * 1_000

export const DEMO_DEFAULTS: DemoOptions = { seed: 1, startMs: marketStartMs(PACED_FROM_MS, HISTORY_S), rate: 1 }
