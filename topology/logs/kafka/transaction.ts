// One transaction on the brokers: records in their order, then the end that makes them count.
import type { Message, Producer, RecordMetadata, TopicMessages } from 'kafkajs'
import type { KafkaLimits } from './options.ts'

/** A record as it goes out. */
export interface Outgoing {
  readonly topicName: string
  readonly partition: number
  readonly key: Buffer
  readonly value: Buffer | null
}

/** Parts that follow each other: each has a bounded number and size of records of every partition. */
const partsOf = (records: readonly Outgoing[], limits: KafkaLimits): readonly TopicMessages[][] => {
  const parts: Map<string, Message[]>[] = []
  const fill = new Map<string, { part: number; records: number; bytes: number }>()
  for (const { topicName, partition, key, value } of records) {
    const name = `${topicName}/${partition}`
    const at = fill.get(name) ?? { part: 0, records: 0, bytes: 0 }
    const bytes = key.length + (value?.length ?? 0)
    const isFull = at.records === limits.sendRecordsMax || (at.records > 0 && at.bytes + bytes > limits.sendBytesMax)
    const next = isFull ? { part: at.part + 1, records: 1, bytes } : { part: at.part, records: at.records + 1, bytes: at.bytes + bytes }
    fill.set(name, next)
    const part = parts[next.part] ?? new Map<string, Message[]>()
    parts[next.part] = part
    const messages = part.get(topicName)
    if (messages === undefined) part.set(topicName, [{ key, value, partition }])
    else messages.push({ key, value, partition })
  }
  return parts.map((part) => [...part].map(([topic, messages]) => ({ topic, messages })))
}

/**
 * Writes all of `records` or nothing. `ending` is called when the end is about to be asked for: a failure before that leaves nothing
 * behind, one after it an outcome that is not known. The producer is not to be used again after a failure.
 * @returns by `topicName/partition` the offset after the last record.
 */
export const writeTransaction = async (
  producer: Producer,
  records: readonly Outgoing[],
  limits: KafkaLimits,
  ending: () => void,
): Promise<ReadonlyMap<string, number>> => {
  const ends = new Map<string, number>()
  const transaction = await producer.transaction()
  for (const topicMessages of partsOf(records, limits)) {
    const sizes = sizesOf(topicMessages)
    for (const metadata of await transaction.sendBatch({ topicMessages })) {
      const name = `${metadata.topicName}/${metadata.partition}`
      ends.set(name, firstOffset(metadata) + (sizes.get(name) ?? 0))
    }
  }
  ending()
  await transaction.commit()
  return ends
}

const firstOffset = ({ baseOffset, offset }: RecordMetadata): number => Number(baseOffset ?? offset)

const sizesOf = (topicMessages: readonly TopicMessages[]): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>()
  for (const { topic, messages } of topicMessages)
    for (const { partition } of messages) sizes.set(`${topic}/${partition}`, (sizes.get(`${topic}/${partition}`) ?? 0) + 1)
  return sizes
}
