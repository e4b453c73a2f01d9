// How fresh an answer is, for clients that read about a route before they request it.
import type { QuestionFacts } from '../questions/question-facts.ts'

/** One sentence; undefined where the answer is about the service itself. */
export const freshnessOf = ({ feedLagSMax, delayedS, isBare }: QuestionFacts): string | undefined => {
  if (isBare) return undefined
  const lag = `meta.feed_lag_s says how far behind, and meta.is_stale is true above ${feedLagSMax} s.`
  return delayedS === undefined ? `Freshness: live; ${lag}` : `Freshness: at least ${delayedS} s old on purpose; beyond that ${lag}`
}
