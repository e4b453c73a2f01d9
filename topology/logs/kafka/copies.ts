// Finds topics with too few replicas: topics are created with as many as there were brokers, and keep that number.
import type { ITopicMetadata } from 'kafkajs'

/** Replicas of every topic, if there are enough brokers. */
export const COPIES_WANTED = 3
const NAMED_MAX = 3

const copiesOf = ({ partitions }: ITopicMetadata): number => Math.min(...partitions.map(({ replicas }) => replicas.length))

/** What is missing and what to do; undefined if nothing is. `brokers`: the number of live brokers. */
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

/** With two of three replicas acknowledged, one broker may fail without loss of data or of writes. */
export const minInsync = (copies: number): number => Math.max(1, Math.min(2, copies - 1))
