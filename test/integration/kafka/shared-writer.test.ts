// Owners that share the writer of their log, on brokers with either transaction protocol.
import { ownerCodec } from '../../../schemas/codecs.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { KafkaLogOptions } from '../../../topology/logs/kafka/options.ts'
import { checkpointPartition } from '../../../topology/logs/kafka/owners/checkpoint.ts'
import { TransactionalProducer } from '../../../topology/logs/kafka/owners/producer.ts'
import type { Log, TaskOwner } from '../../../topology/ports/log.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { code, EVENTS, out, readAll, SETUP, text, values, write } from '../../contract/log-topics.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { type Broker, startBroker } from '../../services/broker.ts'
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { Dice } from '../../simulation/dice.ts'
import { checkContention, contend } from './contending.ts'
import { partsOf } from './left-transactions.ts'

const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)

/** The transactional id, without prefix, of the writer that the id's newest checkpoint names. */
const writerOf = async (log: Log, id: string): Promise<string> => {
  const records = await readAll(log, TOPICS.owners, checkpointPartition(id, SETUP.partitions))
  const parsed = ownerCodec.decode(Buffer.from(records.findLast(({ key }) => text(key) === id)?.value ?? []))
  if (!parsed.ok || parsed.value.writer === null) throw new Error(`${id} shares no writer`)
  return parsed.value.writer
}

const PROTOCOLS = { older: 'transaction.version=1', newer: 'transaction.version=2' }

for (const [protocol, feature] of Object.entries(PROTOCOLS))
  describeOwnBroker(`owners that share a writer, with the ${protocol} transaction protocol`, () => {
    let broker: Broker
    let options: KafkaLogOptions
    let [here, there]: Log[] = []
    const logs = (): readonly [Log, Log] => [here as Log, there as Log]
    beforeAll(async () => {
      broker = await startBroker({ features: [feature] })
    }, START_MS_MAX)
    afterAll(() => broker.stop())
    beforeEach(async () => {
      const { registryUrl } = await sharedKafka()
      options = await kafkaOptions({ services: { brokers: broker.address, registryUrl } })
      here = await openKafkaLog(options)
      there = await openKafkaLog(options)
    })
    afterEach(() => Promise.all(logs().map((log) => log.close())))
    const event = (value: string) => [out(EVENTS, 0, 'k', value)]

    test('commit in one transaction: no marker is between their records', async () => {
      const [log] = logs()
      const owners: TaskOwner[] = []
      for (const id of ['a', 'b', 'c']) owners.push(await log.own(id, true))
      await Promise.all(owners.map((owner, n) => write(owner, event(String(n)), { in: n })))
      expect(await values(log, EVENTS, 0)).toEqual(['0', '1', '2'])
      expect(log.end(EVENTS, 0)).toBe(3)
      expect(owners.map((owner) => owner.committed().get('in'))).toEqual([0, 1, 2])
    })

    test('one of them is taken over by a living process: it is fenced, and the others go on', async () => {
      const [log, other] = logs()
      const [taken, kept] = [await log.own('a', true), await log.own('b', true)]
      await Promise.all([write(taken, event('a1'), { in: 1 }), write(kept, event('b1'), { in: 1 })])
      const newer = await other.own('a', true)
      expect(newer.committed().get('in')).toBe(1)
      const zombie = write(taken, event('zombie'), { in: 9 })
      const going = write(kept, event('b2'), { in: 2 })
      await expect(zombie).rejects.toEqual(code('fenced'))
      await going
      await write(newer, event('a2'), { in: 2 })
      await write(kept, event('b3'), { in: 3 })
      await expect(write(taken, event('zombie'), { in: 9 })).rejects.toEqual(code('fenced'))
      const all = await values(log, EVENTS, 0)
      expect([...all].sort()).toEqual(['a1', 'a2', 'b1', 'b2', 'b3'])
      expect(kept.committed().get('in')).toBe(3)
    })

    test('loses an id as soon as a taker has fenced the writer, before the taker has written anything', async () => {
      const [log] = logs()
      const [taken, kept] = [await log.own('a', true), await log.own('b', true)]
      await Promise.all([write(taken, event('a1'), { in: 1 }), write(kept, event('b1'), { in: 1 })])
      for (const id of ['a', await writerOf(log, 'a')])
        await (await TransactionalProducer.open(options.prefix + id, partsOf(options))).disconnect()
      const [zombie, going] = [write(taken, event('zombie'), { in: 9 }), write(kept, event('b2'), { in: 2 })]
      await expect(zombie).rejects.toEqual(code('fenced'))
      await going
      expect((await values(log, EVENTS, 0)).at(-1)).toBe('b2')
    })

    test('and an owner of its own transactions take over an id from each other', async () => {
      const [log, other] = logs()
      const first = await log.own('a', true)
      await write(first, event('1'), { in: 1 })
      const alone = await other.own('a')
      await expect(write(first, event('zombie'), { in: 9 })).rejects.toEqual(code('fenced'))
      await write(alone, event('2'), { in: 2 })
      const second = await log.own('a', true)
      expect(second.committed().get('in')).toBe(2)
      await expect(write(alone, event('zombie'), { in: 9 })).rejects.toEqual(code('fenced'))
      await write(second, event('3'), { in: 3 })
      expect(await values(log, EVENTS, 0)).toEqual(['1', '2', '3'])
    })

    test('is taken over again in its own process: the older owner is fenced, and the newer continues from its last commit', async () => {
      const [log] = logs()
      const [older, beside] = [await log.own('a', true), await log.own('b', true)]
      const outcomes = Array.from({ length: 5 }, (_, n) =>
        write(older, event(`a${n}`), { in: n }).then(
          () => n,
          () => -1,
        ),
      )
      const newer = await log.own('a', true)
      const last = Math.max(...(await Promise.all(outcomes)))
      expect(newer.committed().get('in') ?? -1).toBe(last)
      await expect(write(older, event('zombie'), { in: 9 })).rejects.toEqual(code('fenced'))
      await Promise.all([write(newer, event('next'), { in: 8 }), write(beside, event('beside'), { in: 1 })])
      expect(await values(log, EVENTS, 0)).not.toContain('zombie')
    })

    test(`is taken over by two processes in turn, 60 times (seed ${SEED}): every commit is there once and in order`, async () => {
      const contention = await contend(logs(), 60, new Dice(SEED, 'contention'))
      await Promise.all(logs().map((log) => log.refresh()))
      await checkContention(logs()[0], contention)
      expect(contention.fenced).toBeGreaterThan(0)
    })
  })
