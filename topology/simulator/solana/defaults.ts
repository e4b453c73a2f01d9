// Default options of the demo: everybody gets the same stream.
import type { DemoOptions } from './market-types.ts'

/** Seconds of history, which gives a new user base rates, and of the frames after it, sent at full speed, which give a full market. */
export const HISTORY_S = 6 * 3_600
export const CATCH_UP_S = 20 * 60
/**
 * Forks an hour: after one in 700 slots some successors get orphaned. This is an assumption: no available recording shows how often a node
 * sees forks. With this rate a few forks have happened by the time a user looks.
 */
export const FORKS_PER_HOUR = 12
/** Ten times the current load. */
export const RATE_MAX = 100
/** Start of the paced part unless the caller sets one: 2026-10-15 12:00:00 UTC, after the newest layouts went live. */
export const PACED_FROM_MS = Date.UTC(2026, 9, 15, 12)

/** Of what a demo on wall time missed while it was stopped, this many seconds are played; the part before is a gap. */
export const MISSED_S_MAX = 6 * 3_600

/** Start of the market if its paced part starts at `pacedFromMs`; both in unix milliseconds. */
export const marketStartMs = (pacedFromMs: number, historyS: number): number => pacedFromMs - (historyS + CATCH_UP_S) * 1_000

export const DEMO_DEFAULTS: DemoOptions = { seed: 1, startMs: marketStartMs(PACED_FROM_MS, HISTORY_S), rate: 1 }
