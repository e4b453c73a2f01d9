// What the API sees of the folds of any chain: how far they are, how sure the chain is, and the flags.

import type { Key } from '../../schemas/keys.ts'
import type { Position } from '../../schemas/position.ts'

/** Long work before a stream is whole: what is done, in words, and the share of it that is there; null where that is not known. */
export interface Preparing {
  readonly what: string
  readonly share: number | null
}

/** Feed lag up to which everything but the compact checks counts as fresh, seconds. */
export const FRESH_LAG_S = 30

/** How far the folds are. */
export interface ViewStatus {
  /** Number and tick time (unix s) of the newest frame that every partition has folded; null before the first. */
  readonly folded: { readonly number: number; readonly time: number } | null
  /** The same of the newest frame the source sent; null before the first. */
  readonly tip: { readonly number: number; readonly time: number } | null
  /** Newest gap, if any was seen: first and last number, the time (unix s) up to which it reaches, and why, where the source said it. */
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
    readonly gaps: number
    readonly forks: number
  }
  /** False while stores restore, and while rows of two makes lie side by side. */
  readonly ready: boolean
  /** What a start still does before everything is there; absent or null when that is done. */
  readonly preparing?: Preparing | null
  /** False until the feed was once within `FRESH_LAG_S` of the wall's seconds since this process began; absent: nobody measures it. */
  readonly wasFresh?: boolean
  /** How far a rebuild of the stores is, in words; absent or null when there is none. */
  readonly rebuild?: string | null
  /** Why nothing new can be read, and since when (unix ms); absent or null when all is well. What was read before is still shown. */
  readonly trouble?: { readonly reason: string; readonly sinceMs: number } | null
}

/** How sure the chain is of the folded frames, as its source said: up to which number confirmed, and up to which final; -1 none. */
export interface ViewFinality {
  readonly confirmed: number
  readonly finalized: number
}

/** A flag that fired, as its finding said it. */
export interface FlagSighting extends Position {
  /** The token. */
  readonly mint: Key
  readonly creator: Key | null
  readonly flag: string
  readonly findingId: string
  /** Block time of the causing event, unix seconds. */
  readonly at: number
  /** Age of the mint then, seconds. */
  readonly mintAgeS: number | null
  /** JSON object. */
  readonly evidence: string
}

/** How far behind the end of the log what is shown is. */
interface ViewLag {
  /** Name of the topic that is followed. */
  readonly view: string
  /** Records that can be read and are not shown. */
  readonly recordsBehind: number
}
export interface ViewLags {
  readonly views: readonly ViewLag[]
  /** Stream time from the newest frame shown to the newest known to be folded, ms; null where what is not read is not known. */
  readonly streamMsBehind: number | null
}

/** Over the newest frames, milliseconds. */
export interface Latency {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly frames: number
}
export type Measured = ({ readonly ok: true } & Latency) | { readonly ok: false; readonly reason: string }
/** How long frames took until they could be queried: since this process had them, and since the time of their block, in whole seconds. */
export interface Detection {
  readonly fromArrival: Measured
  readonly fromBlock: Measured
}

export interface ChainView {
  /** Flags that fired, newest first (by block time, then position), neither older than `since` nor newer than `until` (unix s). */
  flagsSince(since: number, until?: number): Iterable<FlagSighting>
  /** The finding where a fork took it back and it was not said again; kept for a day of stream time. */
  retracted(findingId: string): FlagSighting | undefined
  /** All of those. */
  retractedFlags(): Iterable<FlagSighting>
  /** Null while the source said nothing of it: every frame then came as sure as it will be. */
  finality(): ViewFinality | null
  status(): ViewStatus
  lags(): ViewLags
  detection(): Detection
}

/**
 * Time as cards see it: unix milliseconds. Wall for live; for recordings the stream's own (see the anchor of the source), 0 before the
 * stream has begun.
 */
export interface Clock {
  now(): number
}
