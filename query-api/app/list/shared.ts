// What entries of the list share.
import { FRESH_LAG_S } from '../../../topology/ports/mint-view.ts'
import type { Typical } from '../../questions/question-facts.ts'

/** `meta.is_stale` of all routes but the compact checks, seconds. */
export const FEED_LAG_S_MAX = FRESH_LAG_S
/** Coverage of what is about no mint and no window. */
export const NO_SUBJECT = 'always full: it is about no mint and no window of time'
/** Free answers promise no time. */
export const UNTIMED: Typical = { latencyMs: null, freshnessS: null }
