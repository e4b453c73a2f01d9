// What a view of the folds reads of the log, in its order.
import { TOPICS, type Topic } from '../../schemas/topics.ts'

export const FOLLOWED = [
  TOPICS.stores,
  TOPICS.rebuilds,
  TOPICS.flags,
  TOPICS.outcomes,
  TOPICS.mintChangelog,
  TOPICS.creatorChangelog,
  TOPICS.walletChangelog,
  TOPICS.progress,
  TOPICS.decodeChangelog,
  TOPICS.deadLetters,
]
/** Read before all others, and again between them. */
export const OF_STORES: ReadonlySet<Topic> = new Set([TOPICS.stores, TOPICS.rebuilds])
