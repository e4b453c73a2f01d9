// The extensions of a 402: the use of the route, and the current freshness and coverage of its answer.
import { isStale } from '../answers/feed.ts'
import type { ValidatedRequest } from '../answers/question.ts'
import type { Service } from '../answers/service.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'

/**
 * `mintfold` is our extension: it tells buyers before payment if the answer is thin or stale. Without `prepared` (a bare probe), coverage is
 * null.
 */
export const extensionsOf = (
  bazaar: object,
  facts: QuestionFacts,
  service: Service,
  prepared?: Extract<ValidatedRequest, { ok: true }>,
): Record<string, unknown> => {
  const { feed } = service.look(facts.market)
  const info = {
    coverage: prepared?.coverage(service) ?? null,
    feed_lag_s: feed.feedLagS,
    is_stale: isStale(feed, facts.feedLagSMax),
    max_feed_lag_s: facts.feedLagSMax,
  }
  return { bazaar, mintfold: { info } }
}
