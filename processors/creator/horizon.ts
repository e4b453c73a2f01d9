// How far back a creator's record reaches, and how much of it is kept.

const DAY_S = 86_400
/** Launches count on the day of the request and this many days before it: whole UTC days, so counts by day are exact. */
export const HORIZON_DAYS = 90
/** Newest launches that are kept individually. */
export const RECENT_MAX = 25
/** Maximum number of live launches that a record lists, the newest; `n_live_mints` counts all. */
export const LIVE_SHOWN_MAX = 100
/** Maximum number of first sells of the dev set, the newest, in the median: bounds the rows of a creator that launches thousands a day. */
export const SELLS_MAX = 1_000
/** Number of newest changes of the counts that are kept: a request about a position comes some 20 slots after that position. */
export const CHANGES_MAX = 32

/** UTC day of a time in unix seconds, days since 1970-01-01. */
export const dayOf = (second: number): number => Math.floor(second / DAY_S)
/** The first day that counts for a request at `asOf` (unix seconds). */
export const firstDayOf = (asOf: number): number => dayOf(asOf) - HORIZON_DAYS
/** Unix seconds from which on launches are known at `asOf`: the later of the start of capture (`since`) and that of the horizon. */
export const observedSinceOf = (since: number, asOf: number): number => Math.max(since, firstDayOf(asOf) * DAY_S)
/** Unix seconds when the last launch has left the horizon, and one day more, because messages come a little late. */
export const forgetAtOf = (lastLaunchAt: number): number =>
  Math.min((dayOf(lastLaunchAt) + HORIZON_DAYS + 2) * DAY_S, Number.MAX_SAFE_INTEGER)
