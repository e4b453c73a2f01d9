// What a 402 says beside the terms: how the route is used, and how fresh and how covered the answer would be now.
import { isStale } from '../answers/feed.ts'
import type { Prepared } from '../answers/question.ts'
import type { Service } from '../answers/service.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'

const stateSchema = Object.freeze({
  type: 'object',
  properties: {
    coverage: { enum: ['full', 'thin', null] },
    feed_lag_s: { type: ['number', 'null'] },
    is_stale: { type: 'boolean' },
    max_feed_lag_s: { type: 'number' },
  },
  required: ['coverage', 'feed_lag_s', 'is_stale', 'max_feed_lag_s'],
})

/**
 * Ours is `mintfold`: nobody buys a thin or a stale answer without being told. `prepared` is absent where nobody said what is asked about:
 * coverage is null then.
 */
export const extensionsOf = (
  bazaar: object,
  facts: QuestionFacts,
  service: Service,
  prepared?: Extract<Prepared, { ok: true }>,
): Record<string, unknown> => {
  const look = service.look(facts.market)
  const info = {
    coverage: prepared?.coverage(service, look) ?? null,
    feed_lag_s: look.feed.feedLagS,
    is_stale: isStale(look.feed, facts.feedLagSMax),
    max_feed_lag_s: facts.feedLagSMax,
  }
  return { bazaar, mintfold: { info, schema: stateSchema } }
}
