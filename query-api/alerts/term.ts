// The term of a subscription, extended by the time in which its odds were withheld.
import type { HeadStanding } from '../../topology/ports/odds.ts'
import type { Subscription } from './alert.ts'

/** Time in which graduation odds were not shown, stream time. */
export interface Withdrawals {
  /** Whole seconds of ended periods. */
  readonly endedS: number
  /** Start of the current period, unix seconds; null while odds are shown. */
  readonly since: number | null
}
export const NO_WITHDRAWALS: Withdrawals = { endedS: 0, since: null }

/**
 * Returns `before` itself if nothing changed. `nowS` is stream time; a period that began unobserved counts from `standing.since`.
 * @param standing a known one; undefined if there are no odds
 */
export const withdrawalsAfter = (before: Withdrawals, standing: HeadStanding | undefined, nowS: number): Withdrawals => {
  if (standing === undefined) return before
  const at = Math.min(standing.since ?? nowS, nowS)
  if (standing.isShown) return before.since === null ? before : { endedS: before.endedS + Math.max(0, at - before.since), since: null }
  return before.since === null ? { ...before, since: at } : before
}

/** Seconds withheld up to `nowS`. */
export const withdrawnS = ({ endedS, since }: Withdrawals, nowS: number): number =>
  endedS + (since === null ? 0 : Math.max(0, nowS - since))

/** Stream time, unix seconds. @param withdrawnAddedS seconds withheld since its start. */
export const endOf = ({ kinds, expiresAt }: Pick<Subscription, 'kinds' | 'expiresAt'>, withdrawnAddedS: number): number =>
  kinds.includes('graduation_odds') ? expiresAt + Math.max(0, withdrawnAddedS) : expiresAt
