// Fencing when owners are in several processes and brokers expire transactions.
import { Kafka, logLevel } from 'kafkajs'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { KafkaLogOptions } from '../../../topology/logs/kafka/options.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { code, EVENTS, out, readAll, values, write } from '../../contract/log-topics.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { until } from '../../tools/until.ts'

describeKafka('owners on Kafka', () => {
  let options: KafkaLogOptions
  let [here, there]: Log[] = []
  beforeAll(sharedKafka, START_MS_MAX)
  beforeEach(async () => {
    options = await kafkaOptions()
    here = await openKafkaLog(options)
    there = await openKafkaLog(options)
  })
  afterEach(() => Promise.all([here?.close(), there?.close()]))
  const logs = (): readonly [Log, Log] => [here as Log, there as Log]
  /** A producer of the same transactional id: fences the owner on the broker, but does not become its owner. */
  const stranger = async (id: string) => {
    const kafka = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING })
    const producer = kafka.producer({
      transactionalId: options.prefix + id,
      idempotent: true,
      maxInFlightRequests: 1,
      transactionTimeout: 60_000,
      createPartitioner: () => () => 0,
    })
    await producer.connect()
    return producer
  }

  test('an owner in another process fences the older one, whose attempts do not disturb the newer', async () => {
    const [own, other] = logs()
    const older = await own.own('a')
    await write(older, [out(EVENTS, 0, 'k', 'before')], { in: 1 })
    const newer = await other.own('a')
    expect(newer.committed().get('in')).toBe(1)
    for (let i = 0; i < 5; i++) {
      await expect(write(older, [out(EVENTS, 0, 'k', 'zombie')], { in: 9 })).rejects.toEqual(code('fenced'))
      await write(newer, [out(EVENTS, 0, 'k', `after ${i}`)], { in: 2 + i })
    }
    await own.refresh()
    const expected = ['before', 'after 0', 'after 1', 'after 2', 'after 3', 'after 4']
    expect([await values(own, EVENTS, 0), await values(other, EVENTS, 0)]).toEqual([expected, expected])
  })

  test('reads and follows commits of other processes, and notifies listeners', async () => {
    const [own, other] = logs()
    const notified = new Set<string>()
    own.onCommit((topics) => {
      for (const topic of topics) notified.add(topic)
    })
    expect(await values(own, EVENTS, 1)).toEqual([])
    const owner = await other.own('b')
    for (let i = 0; i < 10; i++) await write(owner, [out(EVENTS, 1, 'k', `${i}`)])
    const last = other.end(EVENTS, 1)
    while (own.end(EVENTS, 1) < last) await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await readAll(own, EVENTS, 1)).map(({ offset }) => offset).at(-1)).toBe(last - 1)
    expect([...notified]).toEqual(['contract.events'])
  })

  test.each([
    ['for long', { unreadMsMax: 50 }],
    ['while it grows a lot', { unreadBytesMax: 2_000 }],
  ])(
    'stops following a partition that nobody reads %s; a later reader gets all of it and is notified again',
    async (_, limits) => {
      const follower = await openKafkaLog({ ...options, limits: { ...limits, keptBytesMax: 4_000 } })
      expect(await values(follower, EVENTS, 2)).toEqual([])
      let notifications = 0
      follower.onCommit(() => notifications++)
      const owner = await logs()[0].own('g')
      for (let i = 0; i < 20; i++) {
        await write(owner, [out(EVENTS, 2, 'k', `${i} ${'x'.repeat(500)}`)])
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      const whileUnread = notifications
      await follower.refresh()
      expect((await values(follower, EVENTS, 2)).map((value) => Number(value?.split(' ')[0]))).toEqual(
        Array.from({ length: 20 }, (_, i) => i),
      )
      await write(owner, [out(EVENTS, 2, 'k', '20 ')])
      expect(whileUnread).toBeLessThan(20)
      await until(() => notifications > whileUnread)
      await follower.close()
    },
    600_000,
  )

  test('an owner that was fenced without a new owner, as after a transaction timeout, continues', async () => {
    const [own] = logs()
    const owner = await own.own('c')
    await write(owner, [out(EVENTS, 0, 'k', 'one')], { in: 1 })
    const other = await stranger('c')
    await (await other.transaction()).abort()
    await write(owner, [out(EVENTS, 0, 'k', 'two')], { in: 2 })
    await other.disconnect()
    expect([await values(own, EVENTS, 0), owner.committed().get('in')]).toEqual([['one', 'two'], 2])
  })

  test('taking over the id of a dead process ends its open transaction, and nothing of it is visible', async () => {
    const [own, other] = logs()
    await write(await own.own('d'), [out(EVENTS, 0, 'k', 'whole')], { in: 1 })
    const dying = await stranger('d')
    const transaction = await dying.transaction()
    await transaction.send({ topic: `${options.prefix}contract.events`, messages: [{ key: 'k', value: 'half' }] })
    await dying.disconnect()
    const started = performance.now()
    const owner = await other.own('d')
    await write(owner, [out(EVENTS, 0, 'k', 'next')], { in: 2 })
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(await values(other, EVENTS, 0)).toEqual(['whole', 'next'])
  })

  test('if two processes repeatedly take over an id at once, one owns it, and every commit is there once', async () => {
    const [own, other] = logs()
    const done: string[] = []
    const contend = async (log: Log, name: string): Promise<void> => {
      for (let i = 0; i < 6; i++) {
        const owner = await log.own('e')
        const text = `${name}${i}`
        await write(owner, [out(EVENTS, 2, 'k', text)], { in: i }).then(
          () => done.push(text),
          (failure: unknown) => expect(failure).toEqual(code('fenced')),
        )
      }
    }
    await Promise.all([contend(own, 'x'), contend(other, 'y')])
    await own.refresh()
    expect((await values(own, EVENTS, 2)).sort()).toEqual(done.sort())
  })

  test('refuses an offset that another process trimmed, with the new start, and never skips it silently', async () => {
    const [own, other] = logs()
    const owner = await own.own('f')
    for (let i = 0; i < 5; i++) await write(owner, [out(EVENTS, 0, 'k', `${i}`)])
    await other.refresh()
    const third = (await readAll(other, EVENTS, 0))[3]?.offset ?? 0
    await own.trim(EVENTS, 0, third)
    const fresh = await openKafkaLog(options)
    const reading = fresh.read(EVENTS, 0, 0, { recordsMax: 9, bytesMax: 999 })
    await expect(reading).rejects.toMatchObject({ code: 'offset_expired', facts: { offset: 0, start: third } })
    expect(fresh.start(EVENTS, 0)).toBe(third)
    expect(await values(fresh, EVENTS, 0)).toEqual(['3', '4'])
    await fresh.close()
  })
})
