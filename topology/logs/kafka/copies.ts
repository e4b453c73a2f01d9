// Topics that are kept in fewer copies than there could be: topics are made with as many as there are brokers then, and stay so.
import type { ITopicMetadata } from 'kafkajs'

/** Copies of every topic where there are brokers for them. */
export const COPIES_WANTED = 3
const NAMED_MAX = 3

const copiesOf = ({ partitions }: ITopicMetadata): number => Math.min(...partitions.map(({ replicas }) => replicas.length))

/** What is missing and what to do; undefined where nothing is. `brokers`: those that are there now, of which some may be away. */
export const missingCopies = (topics: readonly ITopicMetadata[], brokers: number): string | undefined => {
  const wanted = Math.max(Math.min(COPIES_WANTED, brokers), ...topics.map(copiesOf))
  const few = topics.filter((topic) => copiesOf(topic) < wanted).map((topic) => `${topic.name} (${copiesOf(topic)})`)
  if (few.length === 0) return undefined
  const named = few.sort().slice(0, NAMED_MAX)
  const rest = few.length > NAMED_MAX ? ` and ${few.length - NAMED_MAX} more` : ''
  return (
    `${few.length} topics have fewer than ${wanted} copies, and may be lost with a broker: ${named.join(', ')}${rest}. Give each partition ` +
    `${wanted} replicas with kafka-reassign-partitions.sh, then set min.insync.replicas=${minInsync(wanted)} of these topics with kafka-configs.sh`
  )
}

/** With two copies acknowledged where there are three, one broker may be lost without a loss of data or of writes. */
export const minInsync = (copies: number): number => Math.max(1, Math.min(2, copies - 1))
