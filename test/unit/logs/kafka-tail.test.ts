// Followed partitions whose leaders change: whatever happens, new records are received without anybody asking for them.
import fc from 'fast-check'
import { BrokerRetries } from '../../../topology/logs/kafka/broker-retries.ts'
import { KAFKA_LIMITS } from '../../../topology/logs/kafka/options.ts'
import { KeptSpans, Partition } from '../../../topology/logs/kafka/reading/partition.ts'
import { PartitionReader } from '../../../topology/logs/kafka/reading/reader.ts'
import { Tail } from '../../../topology/logs/kafka/reading/tail.ts'
import type { Wire } from '../../../topology/logs/kafka/registry/wire.ts'
import { pause } from '../../../topology/waiting/waiting.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { FakeLeaders } from './fake-leaders.ts'

const TOPIC = TOPICS.exchange
/** A change of leaders, with its pauses, takes a fraction of this. */
const ARRIVES_MS_MAX = 2_000
const limits = { ...KAFKA_LIMITS, tailWaitMs: 20, leadersMsMax: 100 }

/** Partitions led by the nodes of `leaders`, all followed from offset 0. */
const followedFrom = (leaders: readonly number[]) => {
  const brokers = new FakeLeaders(TOPIC.name, leaders)
  const brokerRetries = new BrokerRetries(['nowhere:1'], () => {})
  const kept = new KeptSpans(1_000_000)
  const wires = new Map([[TOPIC.name, { unwrap: (value: Buffer) => ({ value }) } as unknown as Wire]])
  const [cluster, reads] = [brokers.client(), brokers.client()]
  const reader = new PartitionReader(reads, wires, kept, brokerRetries, limits)
  const partitions = leaders.map((_, n) => new Partition(TOPIC, TOPIC.name, n))
  const tail = new Tail({ cluster, reads, reader, wires, kept, brokerRetries, limits, grown: (partition) => partition.wasRead() })
  for (const partition of partitions) tail.follow(partition)
  const stop = async (): Promise<void> => {
    brokerRetries.isClosing = true
    await tail.stop()
  }
  return { brokers, brokerRetries, cluster, tail, partitions, stop }
}
/** Appends to each partition. @returns the partitions whose record has not arrived in time */
const unseen = async (brokers: FakeLeaders, partitions: readonly Partition[]): Promise<readonly string[]> => {
  const ends = partitions.map(({ end }) => end + 1)
  for (const { partition } of partitions) brokers.append(partition)
  const missing = () => partitions.filter(({ end }, n) => end < (ends[n] as number))
  for (const until = performance.now() + ARRIVES_MS_MAX; missing().length > 0 && performance.now() < until; ) await pause(5)
  return missing().map(({ name }) => name)
}

describe('a followed partition', () => {
  test('is received from its new leader, which led none before', async () => {
    const { brokers, partitions, stop } = followedFrom([1])
    expect(await unseen(brokers, partitions)).toEqual([])
    brokers.move(0, 2)
    expect(await unseen(brokers, partitions)).toEqual([])
    await stop()
  })
  test('is received from its new leader if another request learnt of it first', async () => {
    const { brokers, cluster, partitions, stop } = followedFrom([1])
    expect(await unseen(brokers, partitions)).toEqual([])
    brokers.move(0, 2)
    await cluster.refreshMetadata()
    expect(await unseen(brokers, partitions)).toEqual([])
    await stop()
  })
  test('is received from its new leader alone, if other records fill the answer', async () => {
    const { brokers, brokerRetries, partitions, stop } = followedFrom([1, 1, 1])
    expect(await unseen(brokers, partitions)).toEqual([])
    for (const { partition } of partitions) brokers.move(partition, 2)
    expect(await unseen(brokers, partitions)).toEqual([])
    const failures = brokerRetries.tries
    expect(failures).toBeGreaterThan(0)
    expect(await unseen(brokers, partitions)).toEqual([])
    expect(brokerRetries.tries).toBe(failures)
    await stop()
  })
  test('is received from its new leader although the former one goes on answering', async () => {
    const { brokers, partitions, stop } = followedFrom([1, 3])
    expect(await unseen(brokers, partitions)).toEqual([])
    brokers.depose(0, 2)
    expect(await unseen(brokers, partitions)).toEqual([])
    await stop()
  })
  test('is received after any changes of leaders, while its end is awaited or not', async () => {
    const moves = fc.array(
      fc.record({
        partition: fc.nat(2),
        nodeId: fc.integer({ min: 1, max: 3 }),
        isKnown: fc.boolean(),
        isAwaited: fc.boolean(),
        restMs: fc.nat(60),
      }),
      { minLength: 1, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(moves, async (steps) => {
        const { brokers, cluster, tail, partitions, stop } = followedFrom([1, 1, 2])
        try {
          for (const { partition, nodeId, isKnown, isAwaited, restMs } of steps) {
            brokers.move(partition, nodeId)
            if (isKnown) await cluster.refreshMetadata()
            if (isAwaited) void tail.reached(partitions[partition] as Partition, 1_000, restMs)
            await pause(restMs)
          }
          expect(await unseen(brokers, partitions)).toEqual([])
        } finally {
          await stop()
        }
      }),
      { numRuns: 12, endOnFailure: true },
    )
  })
})
