// What retention deletes, computed from figures: first by age in stream time, then by the cap on bytes.

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
/** Share of the cap at which deletion starts. */
const FULL_SHARE = 0.9
/** What deletion by the cap leaves at least, in seconds. */
const RAW_KEPT_S = HOUR_S
const TAPE_KEPT_S = DAY_S
/** A smaller excess is deleted without a notice, because it recurs each minute. */
const SLACK_S = 900

export interface RetentionSettings {
  readonly rawHours: number
  readonly tapeDays: number
  readonly capBytes: number
}

/** Times are unix seconds of stream time. */
export interface RetentionFacts {
  /** Newest tick that every fold has committed; null before the first. Nothing newer is ever deleted. */
  readonly folded: number | null
  /** Newest tick that is completely in the history; null: unknown, or the history is unreachable. Absent: there is no history. */
  readonly sunk?: number | null
  readonly bytes: number
  /** Times of the oldest raw frame and of the oldest tape record on the log. */
  readonly oldestRaw: number | null
  readonly oldestTape: number | null
  /** Days (YYYYMMDD) of the history that can be dropped, oldest first. */
  readonly historyDays: readonly string[]
}

export interface RetentionPlan {
  /** Raw frames older than this are deleted; null: none. */
  readonly rawBefore: number | null
  /** Tape, flags, outcomes and dead letters older than this are deleted. */
  readonly tapeBefore: number | null
  readonly dropDay: string | null
  /** The notice for a deletion forced by the cap. */
  readonly notice: 'raw_cut_short' | 'history_day_dropped' | 'tape_cut_short' | 'data_cap_too_small' | null
}

/**
 * At 90 % of the cap old raw frames are deleted first, then the oldest day of the history, then the tape beyond a day: one step at a time,
 * so that the next run sees what the step freed. Deletion by age waits for the history, deletion by the cap does not.
 */
export const planRetention = (facts: RetentionFacts, settings: RetentionSettings): RetentionPlan => {
  const aged = byAge(facts, settings)
  const { folded, bytes, oldestRaw, oldestTape, historyDays } = facts
  if (folded === null || bytes < settings.capBytes * FULL_SHARE) return aged
  const rawBefore = Math.max(aged.rawBefore ?? 0, folded - RAW_KEPT_S)
  if (oldestRaw !== null && oldestRaw < rawBefore - SLACK_S) return { ...aged, rawBefore, notice: 'raw_cut_short' }
  if (historyDays.length > 1) return { ...aged, rawBefore, dropDay: historyDays[0] ?? null, notice: 'history_day_dropped' }
  const tapeBefore = Math.max(aged.tapeBefore ?? 0, folded - TAPE_KEPT_S)
  if (oldestTape !== null && oldestTape < tapeBefore - SLACK_S) return { ...aged, rawBefore, tapeBefore, notice: 'tape_cut_short' }
  return { ...aged, rawBefore, tapeBefore, notice: 'data_cap_too_small' }
}

const byAge = ({ folded, sunk = folded }: RetentionFacts, { rawHours, tapeDays }: RetentionSettings): RetentionPlan => {
  if (folded === null || sunk === null) return { rawBefore: null, tapeBefore: null, dropDay: null, notice: null }
  const now = Math.min(folded, sunk)
  return { rawBefore: now - rawHours * HOUR_S, tapeBefore: now - tapeDays * DAY_S, dropDay: null, notice: null }
}
