// Foreign records on our topics become dead letters with their bytes, and the folds continue.
import { fileURLToPath } from 'node:url'
import { Kafka, logLevel } from 'kafkajs'
import { deadLetterCodec } from '../../../schemas/codecs.ts'
import type { RawFrame } from '../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { startFolds } from '../../../topology/runtime/runtime.ts'
import { readRecording } from '../../../topology/sources/recording/recording-file.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { appendRaw, readAll } from '../../live.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'

const RECORDING = fileURLToPath(new URL('../../recordings/launches.avro', import.meta.url))

describeKafka('poison on Kafka', () => {
  beforeAll(sharedKafka, START_MS_MAX)

  test('foreign bytes between frames and on the tape each become a dead letter with their bytes, and all frames are folded', async () => {
    const options = await kafkaOptions({ topics: topicsOf(LAUNCH_RISK), partitions: 2 })
    const log = await openKafkaLog(options)
    const frames: RawFrame[] = []
    for await (const frame of readRecording(RECORDING)) frames.push(frame)
    const producer = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING }).producer({ createPartitioner: () => () => 0 })
    await producer.connect()
    const poison = async (topic: string, value: string): Promise<void> => {
      await producer.send({ topic: `${options.prefix}${topic}`, messages: [{ key: 'k', value }] })
    }
    await poison(TOPICS.tape.name, 'poison on the tape')
    await appendRaw(log, frames.slice(0, 2), 1)
    await poison(TOPICS.raw.name, 'poison among frames')
    await appendRaw(log, frames.slice(2), 3)
    await producer.disconnect()
    await log.refresh()
    const folds = await startFolds(log, [LAUNCH_RISK])
    await folds.caughtUp()
    await folds.stop()
    const letters = (await readAll(log, TOPICS.deadLetters)).map(({ value }) => deadLetterCodec.decode(value ?? Buffer.alloc(0)))
    const decoded = letters.flatMap((letter) =>
      letter.ok ? [[letter.value.code, letter.value.reason, letter.value.bytes.toString()]] : [],
    )
    expect(decoded.sort()).toEqual([
      ['bad_encoding', 'no schema id before the value', 'poison among frames'],
      ['bad_encoding', 'no schema id before the value', 'poison on the tape'],
    ])
    expect(await readAll(log, TOPICS.tape)).toHaveLength(2 * frames.length + 1)
    await log.close()
  })
})
