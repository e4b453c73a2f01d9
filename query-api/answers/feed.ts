// The freshness of answers, from the view's status and the service clock.
import { FRESH_LAG_S, type ViewStatus } from '../../topology/ports/chain-view.ts'

/** Lag of the state behind the source, in slots, above which `meta.tape_behind` is true. */
export const SLOTS_BEHIND_MAX = 2

/** Freshness at one moment; null before the first frame. Lags in seconds, to the millisecond, never below 0. */
export interface Feed {
  readonly nowMs: number
  readonly feedLagS: number | null
  readonly chainLagS: number | null
  readonly lastSlot: number | null
  readonly slotsBehind: number | null
}

/** @param nowMs the service clock: wall time for live sources, stream time for recordings. */
export const feedOf = ({ folded, tip }: ViewStatus, nowMs: number): Feed => ({
  nowMs,
  feedLagS: folded && lagS(nowMs, folded.time),
  chainLagS: tip && lagS(nowMs, tip.time),
  lastSlot: folded?.number ?? null,
  slotsBehind: folded && tip && Math.max(0, tip.number - folded.number),
})

export const NO_FRAME = 'no frame of the chain was applied yet'
export const NO_TIP = 'the source has not sent a frame yet'

/** The `_reason` fields of a feed's nulls. */
export const feedReasons = ({ feedLagS, chainLagS, lastSlot, slotsBehind }: Feed): Readonly<Record<string, string>> => ({
  ...(feedLagS === null && { feed_lag_s_reason: NO_FRAME, feed_lag_at_generation_s_reason: NO_FRAME }),
  ...(lastSlot === null && { last_slot_reason: NO_FRAME }),
  ...(chainLagS === null && { chain_lag_s_reason: NO_TIP }),
  ...(slotsBehind === null && { slots_behind_reason: NO_FRAME }),
})

/** Why nothing is sold yet; null once the feed was fresh, and during a rebuild, when old rows are sold with their age. */
export const unsoldReason = ({ folded, wasFresh, rebuild }: ViewStatus, { feedLagS }: Feed): string | null => {
  if (folded === null) return 'no frame was captured yet'
  return wasFresh === false && !rebuild
    ? `the feed is ${feedLagS} s behind and has not been fresh yet (at most ${FRESH_LAG_S} s behind)`
    : null
}

/** The current startup step and its progress; null if there is none. */
export const preparingText = ({ preparing }: ViewStatus): string | null => {
  if (!preparing) return null
  const { what, share } = preparing
  return share === null ? what : `${what}, ${Math.floor(share * 100)} %`
}

/** An unknown lag counts as stale. */
export const isStale = (feed: Feed, lagSMax: number): boolean => feed.feedLagS === null || feed.feedLagS > lagSMax

const lagS = (nowMs: number, timeS: number): number => Math.max(0, nowMs - timeS * 1000) / 1000
