// The freshness of answers, from the view's status and the service clock.
import { FRESH_LAG_S, type ViewStatus } from '../../topology/ports/chain-view.ts'

/** Lag of the state behind the source, in slots, above which `meta.tape_behind` is true. */
export const SLOTS_BEHIND_MAX = 2
const MS_PER_S = 1_000

/**
 * Freshness at one moment; null before the first frame. Lags in seconds, to the millisecond, never below 0; null, with the reason, also
 * while the source's clock is not known.
 */
export interface Feed {
  /** The service clock, unix milliseconds; null while it is not known. */
  readonly nowMs: number | null
  readonly feedLagS: number | null
  readonly feedLagReason: string | null
  readonly chainLagS: number | null
  readonly chainLagReason: string | null
  readonly lastSlot: number | null
  readonly slotsBehind: number | null
}

export const NO_FRAME = 'no frame of the chain was applied yet'
export const NO_TIP = 'the source has not sent a frame yet'
export const NODE_BLIND = 'the node has left out inner instructions and logs: calls of the launchpad come without events'
export const CALLS_UNSEEN =
  'the node does not record inner instructions: events are taken from logs, transfers and funding inside calls are unseen'
export const NO_CLOCK = 'the clock of the source is not known yet'

/** @param nowMs the service clock: wall time for live sources, stream time for recordings; null if it is not known. */
export const feedOf = ({ folded, tip }: ViewStatus, nowMs: number | null): Feed => {
  const reason = (frame: object | null, none: string): string | null => (frame === null ? none : nowMs === null ? NO_CLOCK : null)
  return {
    nowMs,
    feedLagS: folded && nowMs !== null ? lagS(nowMs, folded.time) : null,
    feedLagReason: reason(folded, NO_FRAME),
    chainLagS: tip && nowMs !== null ? lagS(nowMs, tip.time) : null,
    chainLagReason: reason(tip, NO_TIP),
    lastSlot: folded?.number ?? null,
    slotsBehind: folded && tip && Math.max(0, tip.number - folded.number),
  }
}

/** The `_reason` fields of a feed's nulls. */
export const feedReasons = ({ feedLagReason, chainLagReason, lastSlot, slotsBehind }: Feed): Readonly<Record<string, string>> => ({
  ...(feedLagReason !== null && { feed_lag_s_reason: feedLagReason, feed_lag_at_generation_s_reason: feedLagReason }),
  ...(lastSlot === null && { last_slot_reason: NO_FRAME }),
  ...(chainLagReason !== null && { chain_lag_s_reason: chainLagReason }),
  ...(slotsBehind === null && { slots_behind_reason: NO_FRAME }),
})

/**
 * Why nothing is sold: the feed was not fresh yet, or the node leaves out events. Null otherwise, and during a rebuild, when old rows are
 * sold with their age.
 */
export const unsoldReason = ({ folded, wasFresh, rebuild, unseen }: ViewStatus, { feedLagS }: Feed): string | null => {
  if (unseen?.isBlind) return NODE_BLIND
  if (folded === null) return 'no frame was captured yet'
  if (feedLagS === null) return NO_CLOCK
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

const lagS = (nowMs: number, timeS: number): number => Math.max(0, nowMs - timeS * MS_PER_S) / MS_PER_S
