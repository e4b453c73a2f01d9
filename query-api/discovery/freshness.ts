// The freshness of a route's answers, for its description.
import type { QuestionFacts } from '../questions/question-facts.ts'

/** One sentence; undefined if the answer has no `meta`. */
export const freshnessOf = ({ feedLagSMax, delayedS, isBare }: QuestionFacts): string | undefined => {
  if (isBare) return undefined
  const lag = `meta.is_stale is true above ${feedLagSMax} s.`
  return delayedS === undefined ? `Freshness: live; ${lag}` : `Freshness: delayed by at least ${delayedS} s on purpose; ${lag}`
}
