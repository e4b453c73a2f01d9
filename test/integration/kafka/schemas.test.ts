// Values on a real broker with a real registry: wire format, versions, and foreign bytes.
import { type Admin, Kafka, logLevel, type Producer } from 'kafkajs'
import { parseType, readSchema } from '../../../schemas/avro.ts'
import { progressCodec } from '../../../schemas/codecs.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { KafkaLogOptions } from '../../../topology/logs/kafka/options.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { code, readAll, write } from '../../contract/log-topics.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'

const PROGRESS = {
  task: 'mint-0',
  chain: 'solana' as const,
  number: 7,
  hash8: 'abcdefgh',
  time: 100,
  gapFrom: null,
  gapTo: null,
  confirmed: null,
  finalized: null,
  forks: 0,
}
type Field = { name: string; type: unknown; default?: unknown }
type RecordSchema = { fields: Field[] }

/** The schema of progress, changed. */
const changed = (change: (fields: Field[]) => Field[]): RecordSchema => {
  const schema = structuredClone(readSchema('progress')) as unknown as RecordSchema
  return { ...schema, fields: change(schema.fields) }
}
const register = async ({ registry, prefix }: KafkaLogOptions, schema: object): Promise<number> => {
  const answer = await fetch(`${registry.url}/subjects/${prefix}progress-value/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schema: JSON.stringify(schema) }),
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { id: number }).id
}
const wired = (id: number, body: Uint8Array): Buffer => {
  const head = Buffer.alloc(5)
  head.writeInt32BE(id, 1)
  return Buffer.concat([head, body])
}

describeKafka('values on Kafka', () => {
  let options: KafkaLogOptions
  let admin: Admin
  let producer: Producer
  beforeAll(sharedKafka, START_MS_MAX)
  beforeEach(async () => {
    options = await kafkaOptions({ topics: [TOPICS.progress], partitions: 1 })
    const kafka = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING })
    admin = kafka.admin()
    producer = kafka.producer({ createPartitioner: () => () => 0 })
    await Promise.all([admin.connect(), producer.connect()])
  })
  afterEach(() => Promise.all([admin.disconnect(), producer.disconnect()]))
  const send = (...bytes: Buffer[]) =>
    producer.send({ topic: `${options.prefix}progress`, messages: bytes.map((value) => ({ key: 'k', value })) })
  const out = (number: number) => ({
    topic: TOPICS.progress,
    partition: 0,
    key: Buffer.from('k'),
    value: progressCodec.encode({ ...PROGRESS, number }),
  })

  test('a value is a zero byte, the id of its schema under <topic>-value, and its Avro', async () => {
    const log = await openKafkaLog(options)
    await write(await log.own('a'), [out(1) as never])
    const consumer = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING }).consumer({ groupId: `${options.prefix}look` })
    await consumer.connect()
    await consumer.subscribe({ topic: `${options.prefix}progress`, fromBeginning: true })
    const value = await new Promise<Buffer>((resolve) => {
      void consumer.run({ eachMessage: async ({ message }) => resolve(message.value ?? Buffer.alloc(0)) })
    })
    await consumer.disconnect()
    const latest = (await (await fetch(`${options.registry.url}/subjects/${options.prefix}progress-value/versions/latest`)).json()) as {
      id: number
      schema: string
    }
    expect([value[0], value.readInt32BE(1)]).toEqual([0, latest.id])
    expect(parseType(JSON.parse(latest.schema)).fromBuffer(value.subarray(5))).toMatchObject({ task: 'mint-0', number: 1 })
    await log.close()
  })

  test('the start stops at a registered schema that ours cannot read, and names the field', async () => {
    await register(
      options,
      changed((fields) => fields.map((field) => (field.name === 'number' ? { ...field, type: 'string' } : field))),
    )
    const failure = await openKafkaLog(options).then(
      (log) => log.close(),
      (thrown: unknown) => thrown,
    )
    expect(failure).toMatchObject({
      code: 'schema_incompatible',
      facts: { fault: 'Progress.number is long here and string in the registry' },
    })
  })

  test('reads values of older and newer versions of ours as ours, and returns foreign bytes with their fault', async () => {
    const older = changed((fields) => fields.filter(({ name }) => name !== 'gapFrom' && name !== 'gapTo'))
    const olderId = await register(options, older)
    const log = await openKafkaLog(options)
    const newer = changed((fields) => [{ name: 'mood', type: 'string', default: '' }, ...fields])
    const newerId = await register(options, newer)
    const { gapFrom: _from, gapTo: _to, ...old } = PROGRESS
    const plain = progressCodec.encode(PROGRESS)
    const own = await log.own('a')
    await write(own, [out(1) as never])
    await send(
      wired(olderId, parseType(older as never).toBuffer({ ...old, number: 2 })),
      wired(newerId, parseType(newer as never).toBuffer({ ...PROGRESS, number: 3, mood: 'good' })),
      plain,
      Buffer.alloc(0),
      wired(123_456_789, plain),
      wired(newerId, Buffer.from([1, 2, 3])),
    )
    await write(own, [out(4) as never])
    await log.refresh()
    const records = await readAll(log, TOPICS.progress, 0)
    const read = records.map(({ value, fault }) => (fault === undefined ? progressCodec.decode(value ?? Buffer.alloc(0)) : fault))
    expect(read).toMatchObject([
      { ok: true, value: { ...PROGRESS, number: 1 } },
      { ok: true, value: { ...PROGRESS, number: 2 } },
      { ok: true, value: { ...PROGRESS, number: 3 } },
      'no schema id before the value',
      'no schema id before the value',
      expect.stringMatching(/^the registry has no schema 123456789/),
      expect.stringMatching(/^not of the schema it names/),
      { ok: true, value: { ...PROGRESS, number: 4 } },
    ])
    expect(Buffer.from(records[3]?.value ?? []).equals(plain)).toBe(true)
    await log.close()
  })

  test('distinguishes a registry that refuses from one that is down', async () => {
    const url = new URL('/nothing-here', options.registry.url).href
    await expect(openKafkaLog({ ...options, registry: { url, login: null } })).rejects.toEqual(code('registry_refused'))
    const away = { ...options, registry: { url: 'http://127.0.0.1:1', login: null }, limits: { openMsMax: 500 } }
    await expect(openKafkaLog(away)).rejects.toMatchObject({ code: 'registry_unreachable', retriable: true })
  })
})
