// Figures that the history computes by the minute, held against what is folded: further behind than this they are not shown as of now.
import type { Known } from '../../../topology/ports/history.ts'
import type { Look } from '../service.ts'

/** They are computed each minute, of whole minutes, and read each minute: more than this is trouble, seconds of stream time. */
const FIGURES_BEHIND_S_MAX = 300

/** How far behind, seconds; null where it is not too much, or not known. */
export const secondsBehind = (asOf: number | null, { status: { folded } }: Look): number | null => {
  if (asOf === null || folded === null) return null
  const behindS = folded.time - asOf
  return behindS > FIGURES_BEHIND_S_MAX ? behindS : null
}

/** `what` is plural. */
export const behindWords = (what: string, behindS: number): string =>
  `behind: ${what} are ${behindS} s behind what is folded, the limit is ${FIGURES_BEHIND_S_MAX} s`

/** Figures, or why they cannot be shown as of now. */
export const current = <Value>(known: Known<Value>, what: string, look: Look): Known<Value> => {
  const behindS = known.ok ? secondsBehind(known.asOf, look) : null
  return behindS === null ? known : { ok: false, reason: behindWords(what, behindS) }
}
