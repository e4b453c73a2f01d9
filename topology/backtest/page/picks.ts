// Selects the settings that are drawn individually, and the order of the list.
import type { Graded } from '../report-types.ts'

/** Maximum number of settings with plots of their own. */
export const DRAWN_MAX = 8

/** By detector in the order of the report; the default first for each. */
export const listed = (settings: readonly Graded[]): readonly Graded[] =>
  [...byDetector(settings).values()].flatMap((group) => [...group].sort((a, b) => Number(b.isDefault) - Number(a.isDefault)))

export const byDetector = (settings: readonly Graded[]): ReadonlyMap<string, readonly Graded[]> => {
  const detectors = new Map<string, Graded[]>()
  for (const graded of settings) detectors.set(graded.detector.id, [...(detectors.get(graded.detector.id) ?? []), graded])
  return detectors
}

/**
 * Recall minus the share of the launches that did not rug and were flagged: 0 for a detector without information, 1 for a perfect one.
 * Null if either kind of launch is missing.
 */
export const scoreOf = ({ hits, late, judged, rugged, launches }: Graded): number | null => {
  const others = launches - rugged
  return rugged > 0 && others > 0 ? hits / rugged - (judged - hits - late) / others : null
}

const better = (a: Graded, b: Graded): Graded => ((scoreOf(b) ?? -2) > (scoreOf(a) ?? -2) ? b : a)

/** Of the settings with judged flags: the defaults, then for each detector its best other setting if it scores more than the default. */
export const drawnOf = (settings: readonly Graded[]): readonly Graded[] => {
  const all = listed(settings).filter(({ judged }) => judged > 0)
  const best = [...byDetector(all).values()].map((group) => group.reduce(better))
  return [...new Set([...all.filter(({ isDefault }) => isDefault), ...best])].slice(0, DRAWN_MAX)
}
