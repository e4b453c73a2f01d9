// How long a subscription runs: its term, and the time in which what it is about was withdrawn.
import type { HeadStanding } from '../../topology/ports/odds.ts'
import type { Subscription } from './alert.ts'

/** Time in which the odds of graduation were not shown, of stream time. */
export interface Withdrawals {
  /** Whole seconds of those that have ended. */
  readonly endedS: number
  /** Since when they are withdrawn now, unix seconds; null while they are shown. */
  readonly since: number | null
}
export const NO_WITHDRAWALS: Withdrawals = { endedS: 0, since: null }

/**
 * The same object where nothing changed. `nowS` is stream time; what was missed is taken from the moment that the standing names.
 * @param standing one that is known; undefined where there are no odds
 */
export const withdrawalsAfter = (before: Withdrawals, standing: HeadStanding | undefined, nowS: number): Withdrawals => {
  if (standing === undefined) return before
  const at = Math.min(standing.since ?? nowS, nowS)
  if (standing.isShown) return before.since === null ? before : { endedS: before.endedS + Math.max(0, at - before.since), since: null }
  return before.since === null ? { ...before, since: at } : before
}

/** Seconds up to now. */
export const withdrawnS = ({ endedS, since }: Withdrawals, nowS: number): number =>
  endedS + (since === null ? 0 : Math.max(0, nowS - since))

/** @param withdrawnAddedS time withdrawn since it began, seconds. Stream time, unix seconds. */
export const endOf = ({ kinds, expiresAt }: Pick<Subscription, 'kinds' | 'expiresAt'>, withdrawnAddedS: number): number =>
  kinds.includes('graduation_odds') ? expiresAt + Math.max(0, withdrawnAddedS) : expiresAt
