// Topic requests while brokers hang, over a fake kafkajs: it answers as the real one does if every broker failed.
import type { Kafka } from 'kafkajs'
import { BrokerRetries } from '../../../topology/logs/kafka/broker-retries.ts'
import { createAdmin } from '../../../topology/logs/kafka/client.ts'

/** Its brokers answer from the `n`th request on. */
const kafkaFrom = (n: number): Kafka => {
  let asked = 0
  const metadata = async (): Promise<{ topicMetadata: { topic: string }[] } | null> =>
    ++asked < n ? null : { topicMetadata: [{ topic: 'flags' }] }
  const admin = { listTopics: async () => (await metadata())?.topicMetadata.map(({ topic }) => topic) ?? notThere() }
  return { admin: () => admin } as unknown as Kafka
}
const notThere = (): never => {
  throw new TypeError("Cannot read properties of null (reading 'topicMetadata')")
}
const brokerRetries = new BrokerRetries(['nowhere:1'], () => {})

test('a topic request is retried while brokers hang', async () => {
  const admin = createAdmin(kafkaFrom(3))
  expect(await brokerRetries.untilDone('the topics', 5_000, () => admin.listTopics())).toEqual(['flags'])
})

test('brokers that hang beyond the timeout are reported as unreachable, not as a bug', async () => {
  const admin = createAdmin(kafkaFrom(1_000))
  const asking = brokerRetries.untilDone('the topics', 30, () => admin.listTopics())
  await expect(asking).rejects.toMatchObject({ code: 'log_unreachable', retriable: true })
  await expect(asking).rejects.toThrow('no broker answered a metadata request')
})
