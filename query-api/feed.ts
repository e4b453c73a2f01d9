// How fresh the answer is, from the view's status and the clock of the cards.
import type { ViewStatus } from '../topology/ports/mint-view.ts'

/** More slots than this between source and folds: `meta.tape_behind`. */
export const SLOTS_BEHIND_MAX = 2

/** Freshness at one moment; null before the first frame. Lags in seconds, to the millisecond, never below 0. */
export interface Feed {
  readonly nowMs: number
  readonly feedLagS: number | null
  readonly chainLagS: number | null
  readonly lastSlot: number | null
  readonly slotsBehind: number | null
}

/** @param nowMs the cards' clock: the wall for live sources, stream time for recordings. */
export const feedOf = ({ folded, tip }: ViewStatus, nowMs: number): Feed => ({
  nowMs,
  feedLagS: folded && lagS(nowMs, folded.time),
  chainLagS: tip && lagS(nowMs, tip.time),
  lastSlot: folded?.number ?? null,
  slotsBehind: folded && tip && Math.max(0, tip.number - folded.number),
})

/** Unknown lag counts as stale. */
export const isStale = (feed: Feed, lagSMax: number): boolean => feed.feedLagS === null || feed.feedLagS > lagSMax

const lagS = (nowMs: number, timeS: number): number => Math.max(0, nowMs - timeS * 1000) / 1000
