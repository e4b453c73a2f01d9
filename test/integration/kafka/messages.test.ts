// Messages between two logs of the same topics, on a real broker.
import { Kafka, logLevel } from 'kafkajs'
import { exchangeCodec } from '../../../schemas/codecs.ts'
import { encodeCut } from '../../../topology/engine/exchange/exchange-record.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { until } from '../../tools/until.ts'

const { early } = TOPICS
const cutOf = (writer: number): Buffer => encodeCut('solana', writer)

describeKafka('messages between processes on Kafka', () => {
  beforeAll(sharedKafka, START_MS_MAX)

  test('reach every process that listens, until it closes; without their topic a log has none', async () => {
    const options = { ...(await kafkaOptions()), early }
    const [one, other] = [await openKafkaLog(options), await openKafkaLog(options)]
    const heard: string[][] = [[], []]
    for (const [n, log] of [one, other].entries())
      log.messages?.listen((key, value) => {
        const read = exchangeCodec.decode(value)
        heard[n]?.push(`${key} from ${read.ok ? read.value.writer : 'nobody'}`)
      })
    // Messages that are sent before the broker has told a listener where the topic ends may be lost.
    await until(() => {
      one.messages?.send(Buffer.from('first'), cutOf(1))
      return heard.every((lines) => lines.includes('first from 1'))
    })
    for (let n = 0; n < 100; n++) other.messages?.send(Buffer.from(`n${n}`), cutOf(2))
    const sent = Array.from({ length: 100 }, (_, n) => `n${n} from 2`)
    await until(() => heard.every((lines) => sent.every((line) => lines.includes(line))))
    await one.close()
    await other.close()
    const without = await openKafkaLog(await kafkaOptions())
    expect(without.messages).toBeUndefined()
    await without.close()
  }, 60_000)

  test('go on after foreign bytes, deleted records, and more than may wait', async () => {
    const options = { ...(await kafkaOptions()), early, limits: { messageBytesMax: 10_000 } }
    const log = await openKafkaLog(options)
    const heard: string[] = []
    log.messages?.listen((key) => void heard.push(key.toString()))
    const passes = async (key: string): Promise<void> =>
      until(() => {
        log.messages?.send(Buffer.from(key), cutOf(1))
        return heard.includes(key)
      })
    await passes('a')
    const kafka = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING })
    const producer = kafka.producer()
    await producer.connect()
    await producer.send({
      topic: options.prefix + early.name,
      messages: [
        { key: 'foreign', value: 'x' },
        { key: null, value: null },
      ],
    })
    await producer.disconnect()
    await passes('b')
    await log.trim(early, 0, log.end(early, 0))
    await passes('c')
    log.messages?.send(Buffer.from('too large'), Buffer.alloc(20_000))
    await passes('d')
    expect(heard).not.toContain('foreign')
    expect(heard).not.toContain('too large')
    await log.close()
  }, 60_000)
})
