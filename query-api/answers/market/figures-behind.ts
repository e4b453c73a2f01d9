// Checks that the history's figures, computed each minute, are not too far behind to be shown as current.
import type { CachedResult } from '../../../topology/ports/history.ts'
import type { Instant, Look } from '../service.ts'

/** Limit of the figures' lag, seconds of stream time. Figures are computed over whole minutes and read each minute. */
const FIGURES_BEHIND_S_MAX = 300

/** The lag in seconds if it exceeds the limit; null if it does not, or is not known. */
export const secondsBehind = (asOf: number | null, { status: { folded } }: Look): number | null => {
  if (asOf === null || folded === null) return null
  const behindS = folded.time - asOf
  return behindS > FIGURES_BEHIND_S_MAX ? behindS : null
}

/** @param what plural noun. */
export const behindText = (what: string, behindS: number): string =>
  `behind: ${what} are ${behindS} s behind the newest applied frame, the limit is ${FIGURES_BEHIND_S_MAX} s`

/** Figures, or the reason why they cannot be shown as current. */
export const current = <Value>(known: CachedResult<Value>, what: string, instant: Instant): CachedResult<Value> => {
  const behindS = known.ok ? secondsBehind(known.asOf, instant) : null
  return behindS === null ? known : { ok: false, reason: behindText(what, behindS) }
}
