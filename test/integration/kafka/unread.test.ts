// A partition that nobody reads is no longer followed: a request for its end must still see what was written meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { EVENTS } from '../../contract/log-topics.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'

const READ = { recordsMax: 100, bytesMax: 1_000_000 }
const UNREAD_MS = 50

describeKafka('a partition on Kafka that nobody reads', () => {
  beforeAll(sharedKafka, START_MS_MAX)

  test('a request for its end sees records written while it was not followed', async () => {
    const options = await kafkaOptions({ limits: { unreadMsMax: UNREAD_MS } })
    const [writing, reading] = [await openKafkaLog(options), await openKafkaLog(options)]
    const owner = await writing.own('writer')
    const write = (): Promise<void> =>
      owner.commit({ outputs: [{ topic: EVENTS, partition: 0, key: Buffer.from('k'), value: Buffer.from('v') }], inputs: new Map() })
    await write()
    expect(await reading.read(EVENTS, 0, 0, READ)).toHaveLength(1)
    let notifications = 0
    reading.onCommit((topics) => {
      if (topics.has(EVENTS.name)) notifications++
    })
    for (let before = -1; notifications > before; await pause(20 * UNREAD_MS)) {
      before = notifications
      await write()
    }

    const seen = reading.end(EVENTS, 0)
    for (const before = notifications; notifications === before; ) await pause(10)
    expect(reading.end(EVENTS, 0)).toBeGreaterThan(seen)
    await Promise.all([writing.close(), reading.close()])
  })
})
