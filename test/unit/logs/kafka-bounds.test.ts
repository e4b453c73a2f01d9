// What a log learns of its ends while it reads on, over a broker that is made up: it tells ends, and nothing else of Kafka.
import type { Cluster } from 'kafkajs'
import { KAFKA_LIMITS } from '../../../topology/logs/kafka/options.ts'
import { Patience } from '../../../topology/logs/kafka/patience.ts'
import { KeptSpans, Partition } from '../../../topology/logs/kafka/reading/partition.ts'
import { Reader } from '../../../topology/logs/kafka/reading/reader.ts'
import { Tail } from '../../../topology/logs/kafka/reading/tail.ts'
import { TOPICS } from '../../fixtures/topics.ts'

type Ask = { readonly topic: string; readonly fromBeginning: boolean }

/** `meanwhile` happens after the broker has read its end and before the answer arrives. */
const readerOf = (end: () => number, meanwhile: () => void): Reader => {
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
  return new Reader(cluster as Cluster, new Map(), new KeptSpans(1), new Patience(['nowhere:1'], () => {}), KAFKA_LIMITS)
}
const followed = (tail: number): Partition => {
  const partition = new Partition(TOPICS.exchange, 'exchange', 0)
  partition.tail = tail
  partition.stableEnd = tail
  return partition
}

describe('bounds learned while records go on coming', () => {
  test('an answer that is older than what was read meanwhile takes nothing back', async () => {
    const partition = followed(7_918)
    const reader = readerOf(
      () => 7_918,
      () => {
        partition.tail = 7_920
        partition.stableEnd = 7_920
      },
    )
    await reader.learnBounds([partition])
    expect([partition.tail, partition.stableEnd]).toEqual([7_920, 7_920])
  })
  test('less than what was read before the question is a partition made anew or cut', async () => {
    const partition = followed(7_920)
    const asking = readerOf(
      () => 7_918,
      () => {},
    ).learnBounds([partition])
    await expect(asking).rejects.toMatchObject({ code: 'log_rewound', facts: { offset: 7_920, end: 7_918 } })
  })
  test('more is what is decided now', async () => {
    const partition = followed(5)
    await readerOf(
      () => 9,
      () => {},
    ).learnBounds([partition])
    expect([partition.tail, partition.stableEnd]).toEqual([5, 9])
  })
})

/** Its leader never answers. */
const silentTail = (): Tail => {
  const cluster: Pick<Cluster, 'findLeaderForPartitions' | 'findBroker'> = {
    findLeaderForPartitions: () => ({ 1: [0] }),
    findBroker: () => new Promise(() => {}),
  }
  const [reads, patience] = [cluster as Cluster, new Patience(['nowhere:1'], () => {})]
  const reader = readerOf(
    () => 0,
    () => {},
  )
  const parts = { reads, reader, patience, wires: new Map(), kept: new KeptSpans(1), limits: KAFKA_LIMITS, grown: () => {} }
  return new Tail({ cluster: reads, ...parts })
}

test('given a late answer that told more than where the end was looked for, a partition is followed from there: nobody was told of the rest', () => {
  const partition = new Partition(TOPICS.exchange, 'exchange', 0)
  Object.assign(partition, { end: 5, measuredEnd: 5, stableEnd: 9 })
  silentTail().follow(partition)
  expect(partition.tail).toBe(5)
})
