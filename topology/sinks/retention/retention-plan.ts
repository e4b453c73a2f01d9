// What to let go of, decided from figures: age in stream time first, then the cap on bytes.

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
/** At this share of the cap room is made. */
const FULL_SHARE = 0.9
/** Under the cap's pressure so much is kept whatever it takes. */
const RAW_KEPT_S = HOUR_S
const TAPE_KEPT_S = DAY_S
/** Less than this above what is kept is not worth a word: it is cut again each minute. */
const SLACK_S = 900

export interface RetentionSettings {
  readonly rawHours: number
  readonly tapeDays: number
  readonly capBytes: number
}

/** Times are unix seconds of stream time. */
export interface RetentionFacts {
  /** Newest tick that every fold has committed; null before the first. Nothing newer is ever let go of. */
  readonly folded: number | null
  /** Newest tick that the history has whole; null: not known yet, or the history is away. Absent: there is no history to wait for. */
  readonly sunk?: number | null
  readonly bytes: number
  /** Time of the oldest raw frame and of the oldest tape record that the log holds. */
  readonly oldestRaw: number | null
  readonly oldestTape: number | null
  /** Days (YYYYMMDD) of the history that can be dropped whole, oldest first. */
  readonly historyDays: readonly string[]
}

export interface RetentionPlan {
  /** Raw frames older than this go; null: none. */
  readonly rawBefore: number | null
  /** Tape, flags, outcomes and dead letters older than this go. */
  readonly tapeBefore: number | null
  readonly dropDay: string | null
  /** What the cap made necessary. */
  readonly says: 'raw_cut_short' | 'history_day_dropped' | 'tape_cut_short' | 'data_cap_too_small' | null
}

/**
 * At 90 % of the cap old raw frames go first, then the oldest day of the history, then the tape beyond a day: a step at a time, so that
 * the next
 * look sees what the step freed. Age waits for the history, the cap does not.
 */
export const planRetention = (facts: RetentionFacts, settings: RetentionSettings): RetentionPlan => {
  const aged = byAge(facts, settings)
  const { folded, bytes, oldestRaw, oldestTape, historyDays } = facts
  if (folded === null || bytes < settings.capBytes * FULL_SHARE) return aged
  const rawBefore = Math.max(aged.rawBefore ?? 0, folded - RAW_KEPT_S)
  if (oldestRaw !== null && oldestRaw < rawBefore - SLACK_S) return { ...aged, rawBefore, says: 'raw_cut_short' }
  if (historyDays.length > 1) return { ...aged, rawBefore, dropDay: historyDays[0] ?? null, says: 'history_day_dropped' }
  const tapeBefore = Math.max(aged.tapeBefore ?? 0, folded - TAPE_KEPT_S)
  if (oldestTape !== null && oldestTape < tapeBefore - SLACK_S) return { ...aged, rawBefore, tapeBefore, says: 'tape_cut_short' }
  return { ...aged, rawBefore, tapeBefore, says: 'data_cap_too_small' }
}

const byAge = ({ folded, sunk = folded }: RetentionFacts, { rawHours, tapeDays }: RetentionSettings): RetentionPlan => {
  if (folded === null || sunk === null) return { rawBefore: null, tapeBefore: null, dropDay: null, says: null }
  const now = Math.min(folded, sunk)
  return { rawBefore: now - rawHours * HOUR_S, tapeBefore: now - tapeDays * DAY_S, dropDay: null, says: null }
}
