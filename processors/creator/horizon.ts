// How far back a creator's record reaches, and how much of it is kept.

const DAY_S = 86_400
/** Launches count on the day of the request and this many days before it: whole UTC days, so counts by day are exact. */
export const HORIZON_DAYS = 90
/** Newest launches that are kept individually. */
export const RECENT_MAX = 25
/** Live launches that a record lists, the newest; all are counted. */
export const LIVE_SHOWN_MAX = 100
/** First sells of the dev set from which the median is taken, the newest: bounds the rows of a creator that launches thousands a day. */
export const SELLS_MAX = 1_000
/** Newest changes of the counts that are kept: a request about a position comes some 20 slots after it. */
export const CHANGES_MAX = 32

/** UTC day of a time in unix seconds, days since 1970-01-01. */
export const dayOf = (second: number): number => Math.floor(second / DAY_S)
/** The first day that counts for a request at `asOf` (unix seconds). */
export const firstDayOf = (asOf: number): number => dayOf(asOf) - HORIZON_DAYS
/** Unix seconds before which nothing is known at `asOf`: neither captured (from `since` on) nor within the horizon. */
export const observedSinceOf = (since: number, asOf: number): number => Math.max(since, firstDayOf(asOf) * DAY_S)
/**
 * When nothing that counts is left of a creator without another launch, unix seconds; one extra day, because messages come a little late.
 */
export const forgetAtOf = (lastLaunchAt: number): number =>
  Math.min((dayOf(lastLaunchAt) + HORIZON_DAYS + 2) * DAY_S, Number.MAX_SAFE_INTEGER)
