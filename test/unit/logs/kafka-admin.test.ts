// Questions about topics while brokers hang, over a kafkajs that is made up: it answers as the real one does where every broker failed.
import type { Kafka } from 'kafkajs'
import { createAdmin } from '../../../topology/logs/kafka/client.ts'
import { Patience } from '../../../topology/logs/kafka/patience.ts'

/** Its brokers answer from the `n`th question on. */
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
const patience = new Patience(['nowhere:1'], () => {})

test('given brokers that hang, a question about topics is asked again', async () => {
  const admin = createAdmin(kafkaFrom(3))
  expect(await patience.persist('the topics', 5_000, () => admin.listTopics())).toEqual(['flags'])
})

test('given brokers that hang for longer than is waited, then that is said, and it is no bug', async () => {
  const admin = createAdmin(kafkaFrom(1_000))
  const asking = patience.persist('the topics', 30, () => admin.listTopics())
  await expect(asking).rejects.toMatchObject({ code: 'log_unreachable', retriable: true })
  await expect(asking).rejects.toThrow('no broker answered a metadata request')
})
