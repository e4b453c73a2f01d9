// The API's read port for the folds of any chain: progress, finality and flags.

import type { NewLayout } from '../../processors/chains/decoder.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Position } from '../../schemas/position.ts'

/** Long work before a stream is complete: its description, and the share that is done; null if unknown. */
export interface Preparing {
  readonly what: string
  readonly share: number | null
}

/** Up to this feed lag, everything except the compact checks counts as fresh, seconds. */
export const FRESH_LAG_S = 30

/** Progress of the folds. */
export interface ViewStatus {
  /** Number and tick time (unix s) of the newest frame that every partition has folded; null before the first. */
  readonly folded: { readonly number: number; readonly time: number } | null
  /** The same for the newest frame the source sent; null before the first. */
  readonly tip: { readonly number: number; readonly time: number } | null
  /** Newest gap, if any: first and last number, the time (unix s) up to which it reaches, and the reason, if the source gave one. */
  readonly gap: { readonly from: number; readonly to: number; readonly until: number; readonly reason?: string } | null
  /** Time (unix s) of the first frame that was captured; null before it. */
  readonly observedSince: number | null
  /** Mints or curves with rows. */
  readonly tracked: number
  readonly counters: {
    readonly frames: number
    readonly events: number
    readonly flags: number
    readonly dead_letters: number
    /** Calls of the launchpad without the event that they always emit. */
    readonly missing_events: number
    readonly gaps: number
    readonly forks: number
  }
  /** False while stores restore, and while they hold rows of two versions. */
  readonly ready: boolean
  /** Startup work that is not finished; absent or null when it is. */
  readonly preparing?: Preparing | null
  /**
   * False until the feed lag was once at most `FRESH_LAG_S` (wall time, if the stream is played faster) since this process started; absent
   * if nothing measures it.
   */
  readonly wasFresh?: boolean
  /** What the node's record lacks; absent or null if there is nothing. */
  readonly unseen?: Unseen | null
  /** Events whose layout has grown since this version: name, unknown bytes, first slot or block with them. */
  readonly newLayouts?: readonly NewLayout[]
  /** Progress of a rebuild of the stores, as text; absent or null if there is none. */
  readonly rebuild?: string | null
  /** Why nothing new can be read, and since when (unix ms); absent or null if there is no problem. What was read before is still served. */
  readonly trouble?: { readonly reason: string; readonly sinceMs: number } | null
}

/** What the node's record of recent frames lacks. */
export interface Unseen {
  /** No call of the launchpad had its event for at least `BLIND_S`. */
  readonly isBlind: boolean
  /** Inner calls are not recorded, so that transfers within them are unseen. */
  readonly areCalls: boolean
}
/** Stream time without any event of the launchpad's calls after which nothing is sold. */
export const BLIND_S = 5

/** Finality of the folded frames as the source reports it: the newest confirmed and the newest finalized number; -1 if none. */
export interface ViewFinality {
  readonly confirmed: number
  readonly finalized: number
}

/** A flag that fired, as published in its finding. */
export interface FlagRecord extends Position {
  /** The token. */
  readonly mint: Key
  readonly creator: Key | null
  readonly flag: string
  readonly findingId: string
  /** Block time of the causing event, unix seconds. */
  readonly at: number
  /** Age of the mint at that time, seconds. */
  readonly mintAgeS: number | null
  /** JSON object. */
  readonly evidence: string
}

/** Distance of a view from the end of the log. */
interface ViewLag {
  /** Name of the topic it reads. */
  readonly view: string
  /** Committed records that the view has not applied yet. */
  readonly recordsBehind: number
}
export interface ViewLags {
  readonly views: readonly ViewLag[]
  /** Stream time between the newest frame shown and the newest frame known to be folded, ms; null if unknown. */
  readonly streamMsBehind: number | null
}

/** Percentiles over the newest frames, milliseconds. */
export interface Latency {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly frames: number
}
export type Measured = ({ readonly ok: true } & Latency) | { readonly ok: false; readonly reason: string }
/** Time until frames could be queried: since their arrival at this process, and since their block time, which has whole seconds. */
export interface Detection {
  readonly fromArrival: Measured
  readonly fromBlock: Measured
}

export interface ChainView {
  /** Flags that fired, newest first (by block time, then position), neither older than `since` nor newer than `until` (unix s). */
  flagsSince(since: number, until?: number): Iterable<FlagRecord>
  /** The finding, if a reorg retracted it and it was not published again; kept for a day of stream time. */
  retracted(findingId: string): FlagRecord | undefined
  /** All retracted flags. */
  retractedFlags(): Iterable<FlagRecord>
  /** Null until the source reports finality: until then frames count as `finalized` for a recording, else as `processed`. */
  finality(): ViewFinality | null
  status(): ViewStatus
  lags(): ViewLags
  detection(): Detection
}

/** Wall time, unix milliseconds. */
export interface Clock {
  now(): number
}

/**
 * Time as cards see it, unix milliseconds. For the live source and the demo it is the wall clock. For recordings, and a demo with `--start`
 * or `--speed`, it is the time of the stream (see the source's anchor). Null if it is not known: before the stream begins, and until a
 * source in another process has published its clock. Nothing replaces it then: whatever depends on it waits.
 */
export interface StreamClock {
  now(): number | null
}
