// End offsets of a log while it keeps reading, over a fake broker that reports only ends.
import type { Cluster } from 'kafkajs'
import { BrokerRetries } from '../../../topology/logs/kafka/broker-retries.ts'
import { KAFKA_LIMITS } from '../../../topology/logs/kafka/options.ts'
import { KeptSpans, Partition } from '../../../topology/logs/kafka/reading/partition.ts'
import { PartitionReader } from '../../../topology/logs/kafka/reading/reader.ts'
import { Tail } from '../../../topology/logs/kafka/reading/tail.ts'
import { TOPICS } from '../../fixtures/topics.ts'

type Ask = { readonly topic: string; readonly fromBeginning: boolean }

/** `meanwhile` runs after the broker has read its end and before the answer arrives. */
const readerOf = (end: () => number, meanwhile: () => void): PartitionReader => {
  const cluster: Pick<Cluster, 'fetchTopicsOffset'> = {
    fetchTopicsOffset: async (topics) => {
      const asks = topics as unknown as readonly Ask[]
      const answer = asks.map(({ topic, fromBeginning }) => ({
        topic,
        partitions: [{ partition: 0, offset: String(fromBeginning ? 0 : end()), timestamp: '' }],
      }))
      if (asks.some(({ fromBeginning }) => !fromBeginning)) meanwhile()
      return answer as never
    },
  }
  return new PartitionReader(cluster as Cluster, new Map(), new KeptSpans(1), new BrokerRetries(['nowhere:1'], () => {}), KAFKA_LIMITS)
}
const followed = (tail: number): Partition => {
  const partition = new Partition(TOPICS.exchange, 'exchange', 0)
  partition.tail = tail
  partition.lastStableOffset = tail
  return partition
}

describe('bounds learned while records arrive', () => {
  test('an answer older than records read meanwhile lowers no end', async () => {
    const partition = followed(7_918)
    const reader = readerOf(
      () => 7_918,
      () => {
        partition.tail = 7_920
        partition.lastStableOffset = 7_920
      },
    )
    await reader.learnBounds([partition])
    expect([partition.tail, partition.lastStableOffset]).toEqual([7_920, 7_920])
  })
  test('an end below the offset read before the request means the partition was recreated or truncated', async () => {
    const partition = followed(7_920)
    const asking = readerOf(
      () => 7_918,
      () => {},
    ).learnBounds([partition])
    await expect(asking).rejects.toMatchObject({ code: 'log_rewound', facts: { offset: 7_920, end: 7_918 } })
  })
  test('a higher end becomes the last stable offset', async () => {
    const partition = followed(5)
    await readerOf(
      () => 9,
      () => {},
    ).learnBounds([partition])
    expect([partition.tail, partition.lastStableOffset]).toEqual([5, 9])
  })
})

/** Its leader never answers; `close` ends its retries. */
const silentTail = (): { readonly tail: Tail; close(): void } => {
  const cluster: Pick<Cluster, 'findLeaderForPartitions' | 'findBroker'> = {
    findLeaderForPartitions: () => ({ 1: [0] }),
    findBroker: () => new Promise(() => {}),
  }
  const [reads, brokerRetries] = [cluster as Cluster, new BrokerRetries(['nowhere:1'], () => {})]
  const reader = readerOf(
    () => 0,
    () => {},
  )
  const parts = { reads, reader, brokerRetries, wires: new Map(), kept: new KeptSpans(1), limits: KAFKA_LIMITS, grown: () => {} }
  const close = (): void => {
    brokerRetries.isClosing = true
  }
  return { tail: new Tail({ cluster: reads, ...parts }), close }
}

test('a partition is followed from its measured end, not from a later higher answer, so listeners are notified of the rest', () => {
  const partition = new Partition(TOPICS.exchange, 'exchange', 0)
  Object.assign(partition, { end: 5, measuredEnd: 5, lastStableOffset: 9 })
  const { tail, close } = silentTail()
  tail.follow(partition)
  close()
  expect(partition.tail).toBe(5)
})
