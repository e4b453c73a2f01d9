// Reads all of a small one-partition topic once and without the registry: inspects it before a log is opened.
import type { Kafka } from 'kafkajs'
import type { Topic } from '../../../schemas/topics.ts'
import { withCluster } from './client.ts'
import { committedRecords, nextOffset } from './wire/committed.ts'
import { fetchBounds, fetchOne, READ_COMMITTED } from './wire/fetch.ts'

const BYTES_MAX = 1024 * 1024
/** Before each value: the magic byte and the schema id. */
const HEAD_BYTES = 5

export interface Peeked {
  readonly key: string
  /** The Avro bytes, without the head. */
  readonly value: Buffer
}

/** Records in order, without tombstones. @throws as kafkajs does */
export const peek = (kafka: Kafka, topic: Topic, topicName: string): Promise<readonly Peeked[]> =>
  withCluster(kafka, async (cluster) => {
    await cluster.addMultipleTargetTopics([topicName])
    const topicPartition = { topic, topicName, partition: 0, name: `${topicName}/0` }
    const { start, lastStableOffset } = (await fetchBounds(cluster, [topicPartition])).get(topicPartition.name) ?? {
      start: 0,
      lastStableOffset: 0,
    }
    const found: Peeked[] = []
    for (let from = start; from < lastStableOffset; ) {
      const limits = { waitMs: 0, bytesMax: BYTES_MAX, isolation: READ_COMMITTED } as const
      const fetched = await fetchOne(cluster, { topicPartition, from, bytesMax: BYTES_MAX }, limits)
      for (const { key, value } of committedRecords(fetched))
        if (value !== null) found.push({ key: key?.toString('utf8') ?? '', value: value.subarray(HEAD_BYTES) })
      from = nextOffset(fetched)
    }
    return found
  })
