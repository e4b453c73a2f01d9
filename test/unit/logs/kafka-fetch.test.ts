// Answers of a leader to one question, over a broker that is made up: it answers in Kafka's own bytes, and knows nothing else of Kafka.
import type { Cluster } from 'kafkajs'
import type { Topic } from '../../../schemas/topics.ts'
import { Partition } from '../../../topology/logs/kafka/reading/partition.ts'
import { fetchOne, READ_COMMITTED } from '../../../topology/logs/kafka/wire/fetch.ts'
import { Writer } from '../../../topology/logs/kafka/wire/wire-format.ts'
import { at, batchOf } from '../../fixtures/record-batches.ts'
import { TOPICS } from '../../fixtures/topics.ts'

const LIMITS = { waitMs: 0, bytesMax: 1_000, isolation: READ_COMMITTED } as const

const ONE = batchOf([{ key: Buffer.from('k'), value: Buffer.from('v') }])

/** One partition that ends at `end`, in which nothing was aborted. */
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
/** A leader that shows nothing `times`, then what lies at offset 5 of 6. */
const hiding = (topic: Topic, times: number): { readonly cluster: Cluster; readonly asked: () => number } => {
  let asked = 0
  const send = async () => answer(topic.name, 6, asked++ < times ? Buffer.alloc(0) : at(5, ONE))
  const cluster = { findLeaderForPartitions: () => ({ 1: [0] }), findBroker: async () => ({ connectionPool: { send } }) }
  return { cluster: cluster as unknown as Cluster, asked: () => asked }
}
const ask = (topic: Topic, from: number) => ({ place: new Partition(topic, topic.name, 0), from, bytesMax: 1_000 })

describe('one question to a leader', () => {
  test('given an answer without a batch though there is more, then it is asked again: nothing is passed over', async () => {
    const { cluster } = hiding(TOPICS.tape, 3)
    const { batches } = await fetchOne(cluster, ask(TOPICS.tape, 5), LIMITS)
    expect(batches.flatMap(({ records }) => records.map(({ offset }) => offset))).toEqual([5])
  })
  test('given a leader that goes on showing nothing, then that is a failure which names the place', async () => {
    const { cluster } = hiding(TOPICS.tape, 1_000)
    const asking = fetchOne(cluster, ask(TOPICS.tape, 5), LIMITS)
    await expect(asking).rejects.toThrow(`${TOPICS.tape.name}/0 returns no record at offset 5, but ends at 6`)
  })
  test('given a compacted topic, then nothing may be left at its end', async () => {
    const { cluster } = hiding(TOPICS.owners, 1_000)
    expect((await fetchOne(cluster, ask(TOPICS.owners, 5), LIMITS)).batches).toEqual([])
  })
  test('given the end of a partition, then one answer says so', async () => {
    const { cluster, asked } = hiding(TOPICS.tape, 1_000)
    expect((await fetchOne(cluster, ask(TOPICS.tape, 6), LIMITS)).batches).toEqual([])
    expect(asked()).toBe(1)
  })
})
