// The term of a subscription, extended by the time in which its odds were not shown.
import type { HeadState } from '../../topology/ports/odds.ts'
import type { Subscription } from './alert.ts'

/** The time in which the graduation odds were not shown, as stream time. */
export interface Withdrawals {
  /** Whole seconds of ended periods. */
  readonly endedS: number
  /** Start of the current period, unix seconds; null while odds are shown. */
  readonly since: number | null
}
export const NO_WITHDRAWALS: Withdrawals = { endedS: 0, since: null }

/**
 * Returns `before` itself if nothing changed. A period without shown odds counts from `headState.since`, even if it began while no process
 * observed it.
 * @param headState its `isKnown` must be true; undefined if this service has no odds
 * @param nowS stream time, unix seconds
 */
export const withdrawalsAfter = (before: Withdrawals, headState: HeadState | undefined, nowS: number): Withdrawals => {
  if (headState === undefined) return before
  const at = Math.min(headState.since ?? nowS, nowS)
  if (headState.isShown) return before.since === null ? before : { endedS: before.endedS + Math.max(0, at - before.since), since: null }
  return before.since === null ? { ...before, since: at } : before
}

/** Seconds in which the odds were not shown, up to `nowS`; in ended periods if it is not known. */
export const withdrawnS = ({ endedS, since }: Withdrawals, nowS: number | null): number =>
  endedS + (since === null || nowS === null ? 0 : Math.max(0, nowS - since))

/**
 * End of a subscription, stream time, unix seconds.
 * @param notShownS seconds in which the odds were not shown, from when the subscription caught up with its feeds; 0 before that
 */
export const endOf = ({ kinds, expiresAt }: Pick<Subscription, 'kinds' | 'expiresAt'>, notShownS: number): number =>
  kinds.includes('graduation_odds') ? expiresAt + Math.max(0, notShownS) : expiresAt
