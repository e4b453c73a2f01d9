// Answers of a leader to one fetch, over a fake broker that answers in Kafka's wire format.
import type { Cluster } from 'kafkajs'
import type { Topic } from '../../../schemas/topics.ts'
import { Partition } from '../../../topology/logs/kafka/reading/partition.ts'
import { fetchOne, READ_COMMITTED } from '../../../topology/logs/kafka/wire/fetch.ts'
import { Writer } from '../../../topology/logs/kafka/wire/wire-format.ts'
import { at, batchOf } from '../../fixtures/record-batches.ts'
import { TOPICS } from '../../fixtures/topics.ts'

const LIMITS = { waitMs: 0, bytesMax: 1_000, isolation: READ_COMMITTED } as const

const ONE = batchOf([{ key: Buffer.from('k'), value: Buffer.from('v') }])

/** A response for one partition that ends at `end`, without aborted transactions. */
const answer = (topicName: string, end: number, batches: Buffer): Buffer => {
  const [throttled, topics, partitions, partition, noError, aborted] = [0, 1, 1, 0, 0, 0]
  const head = new Writer(44 + Buffer.byteLength(topicName))
  head.int32(throttled)
  head.int32(topics)
  head.string(topicName)
  head.int32(partitions)
  head.int32(partition)
  head.int16(noError)
  head.int64(BigInt(end))
  head.int64(BigInt(end))
  head.int32(aborted)
  head.int32(batches.length)
  return Buffer.concat([head.buffer, batches])
}
/** A leader that returns no batch in its first `times` responses, and then the record at offset 5; the partition ends at 6. */
const hiding = (topic: Topic, times: number): { readonly cluster: Cluster; readonly asked: () => number } => {
  let asked = 0
  const send = async () => answer(topic.name, 6, asked++ < times ? Buffer.alloc(0) : at(5, ONE))
  const cluster = { findLeaderForPartitions: () => ({ 1: [0] }), findBroker: async () => ({ connectionPool: { send } }) }
  return { cluster: cluster as unknown as Cluster, asked: () => asked }
}
const ask = (topic: Topic, from: number) => ({ topicPartition: new Partition(topic, topic.name, 0), from, bytesMax: 1_000 })

describe('one fetch from a leader', () => {
  test('an empty answer before the end is fetched again, and no record is skipped', async () => {
    const { cluster } = hiding(TOPICS.tape, 3)
    const { batches } = await fetchOne(cluster, ask(TOPICS.tape, 5), LIMITS)
    expect(batches.flatMap(({ records }) => records.map(({ offset }) => offset))).toEqual([5])
  })
  test('a leader that keeps returning nothing is a failure that names the position', async () => {
    const { cluster } = hiding(TOPICS.tape, 1_000)
    const asking = fetchOne(cluster, ask(TOPICS.tape, 5), LIMITS)
    await expect(asking).rejects.toThrow(`${TOPICS.tape.name}/0 returns no record at offset 5, but ends at 6`)
  })
  test('a compacted topic may have no record at its end', async () => {
    const { cluster } = hiding(TOPICS.owners, 1_000)
    expect((await fetchOne(cluster, ask(TOPICS.owners, 5), LIMITS)).batches).toEqual([])
  })
  test('the end of a partition is detected by one answer', async () => {
    const { cluster, asked } = hiding(TOPICS.tape, 1_000)
    expect((await fetchOne(cluster, ask(TOPICS.tape, 6), LIMITS)).batches).toEqual([])
    expect(asked()).toBe(1)
  })
})
