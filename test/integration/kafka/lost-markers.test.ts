// Takeovers and commits after a broker lost the markers of a transaction: left-transactions.ts.
import { createClient, withCluster } from '../../../topology/logs/kafka/client.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { KAFKA_LIMITS, type KafkaLogOptions } from '../../../topology/logs/kafka/options.ts'
import { coordinatorOf } from '../../../topology/logs/kafka/owners/coordinator.ts'
import { FormerTransactions } from '../../../topology/logs/kafka/owners/former-transactions.ts'
import { describeNewest, Memory } from '../../../topology/logs/kafka/owners/newest-transaction.ts'
import { TransactionalProducer } from '../../../topology/logs/kafka/owners/producer.ts'
import { NEWER_PROTOCOL, OLDER_PROTOCOL } from '../../../topology/logs/kafka/owners/protocol.ts'
import type { Outgoing } from '../../../topology/logs/kafka/wire/record-batch.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { EVENTS, out, values, write } from '../../contract/log-topics.ts'
import { type Broker, startBroker } from '../../services/broker.ts'
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { eventOf, forget, type Left, leave, nextCheckpoint, partsOf, sendOne } from './left-transactions.ts'

const ID = 'a'
/** Lost in one partition of `EVENTS`. */
const committedOf = (options: KafkaLogOptions): Left => ({
  ...{ undecided: [eventOf(options, 0, '1')], known: [eventOf(options, 1, '1')], end: 'committed' },
})
type Options = KafkaLogOptions & { readonly notices: string[] }

describeOwnBroker('a transaction whose markers a broker lost', () => {
  let broker: Broker
  let registryUrl = ''
  beforeAll(async () => {
    registryUrl = (await sharedKafka()).registryUrl
    broker = await startBroker({ settings: { 'transaction.partition.verification.enable': 'false' } })
  }, START_MS_MAX)
  afterAll(() => broker.stop())

  const optionsOf = async (): Promise<Options> => {
    const notices: string[] = []
    const services = { brokers: broker.address, registryUrl }
    return { ...(await kafkaOptions({ services, notice: (message) => notices.push(message) })), notices }
  }
  /** Each id commits once, in one log that is closed then; after it, under the id of their writer, the given transactions. */
  const given = async (
    ids: readonly string[],
    isShared: boolean,
    transactionsOf: (checkpoints: readonly Outgoing[], event: (partition: number, text: string) => Outgoing) => readonly Left[],
    protocol = NEWER_PROTOCOL,
  ): Promise<Options> => {
    const options = await optionsOf()
    const log = await openKafkaLog(options)
    for (const id of ids) await write(await log.own(id, isShared), [out(EVENTS, 0, 'k', '1'), out(EVENTS, 1, 'k', '1')], { in: 1 })
    await log.close()
    const next = await Promise.all(ids.map((id) => nextCheckpoint(options, id, 1, 2)))
    const event = (partition: number, text: string): Outgoing => eventOf(options, partition, text)
    const transactions = transactionsOf(
      next.map(({ record }) => record),
      event,
    )
    await leave(createClient(options), options.prefix + (next[0]?.standing.writer ?? ID), transactions, protocol)
    return options
  }

  test.each([
    ['an owner’s, committed', false, 'committed', 2],
    ['an owner’s, aborted', false, 'aborted', 1],
    ['a shared writer’s, committed', true, 'committed', 2],
    ['a shared writer’s, aborted', true, 'aborted', 1],
  ] as const)(
    '%s in one partition: the next owner writes the markers, notifies the operator, and each number is there once',
    async (_name, isShared, end, visible) => {
      const { notices, ...options } = await given([ID], isShared, (checkpoints, event) => [
        { undecided: [event(0, '2'), ...checkpoints], known: [event(1, '2')], end },
      ])
      const log = await openKafkaLog(options)
      const owner = await log.own(ID)
      expect(owner.committed().get('in')).toBe(visible)
      if (!isShared) expect(notices.join()).toContain(`the transaction is ${end}`)
      if (visible === 1) await write(owner, [out(EVENTS, 0, 'k', '2'), out(EVENTS, 1, 'k', '2')], { in: 2 })
      await write(owner, [out(EVENTS, 0, 'k', '3'), out(EVENTS, 1, 'k', '3')], { in: 3 })
      for (const partition of [0, 1]) expect(await values(log, EVENTS, partition)).toEqual(['1', '2', '3'])
      await log.close()
    },
    600_000,
  )
  test.each([
    ['newer', NEWER_PROTOCOL],
    ['older', OLDER_PROTOCOL],
  ])(
    'of many owners (%s protocol): those that take them over at the same moment, in two processes, all find it committed',
    async (_name, protocol) => {
      const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
      const left = (checkpoints: readonly Outgoing[], event: (partition: number, text: string) => Outgoing): readonly Left[] => [
        { undecided: [event(0, '2'), ...checkpoints], known: [event(1, '2')], end: 'committed' },
      ]
      const options = await given(ids, true, left, protocol)
      const logs = [await openKafkaLog(options), await openKafkaLog(options)]
      const owners = await Promise.all(ids.map((id, n) => (logs[n % 2] as (typeof logs)[0]).own(id, true)))
      expect(owners.map((owner) => owner.committed().get('in'))).toEqual(ids.map(() => 2))
      await Promise.all(owners.map((owner, n) => write(owner, [out(EVENTS, 0, 'k', `3${n}`)], { in: 3 })))
      expect((await values(logs[0] as (typeof logs)[0], EVENTS, 0)).filter((value) => value === '2')).toEqual(['2'])
      await Promise.all(logs.map((log) => log.close()))
    },
    600_000,
  )
  test('and that a later one followed, which was never ended: the older one is committed, the later one aborted', async () => {
    const options = await given([ID], true, (checkpoints, event) => [
      { undecided: checkpoints, known: [event(1, '2')], end: 'committed' },
      { undecided: [], known: [event(0, 'never')], end: 'open' },
    ])
    const log = await openKafkaLog(options)
    expect((await log.own(ID, true)).committed().get('in')).toBe(2)
    await log.refresh()
    expect(await values(log, EVENTS, 0)).toEqual(['1'])
    expect(await values(log, EVENTS, 1)).toEqual(['1', '2'])
    await log.close()
  }, 600_000)
  test('and that nobody knows the decision of: a takeover fails and names it, and decides nothing', async () => {
    const options = await given([ID], true, (checkpoints) => [{ undecided: checkpoints, known: [], end: 'open' }])
    const log = await openKafkaLog({ ...options, limits: { commitMsMax: 300, awayMsMax: 300 } })
    await expect(log.own(ID, true)).rejects.toThrow('the brokers have forgotten whether it was committed')
    await log.close()
    expect((await nextCheckpoint(options, ID, 0, 0)).standing.inputs).toEqual([{ name: 'in', offset: 1 }])
  }, 600_000)
  test('is ended before the coordinator forgets the decision (newer protocol)', async () => {
    const options = await optionsOf()
    const log = await openKafkaLog(options)
    const id = `${options.prefix}b`
    await leave(createClient(options), id, [committedOf(options)])
    await withCluster(createClient(options), async (cluster) => {
      await cluster.addMultipleTargetTopics([options.prefix + EVENTS.name])
      const former = await FormerTransactions.read(cluster, await coordinatorOf(cluster, id), id, partsOf(options))
      await former.endOlder()
    })
    await log.refresh()
    expect(await values(log, EVENTS, 0)).toEqual(['1'])
    await log.close()
  }, 600_000)
  test('is ended by the log that has read the decision, even if the coordinator has forgotten it since (older protocol)', async () => {
    const options = await optionsOf()
    const log = await openKafkaLog(options)
    const id = `${options.prefix}b`
    await leave(createClient(options), id, [committedOf(options)], OLDER_PROTOCOL)
    const parts = { ...partsOf(options), limits: { ...KAFKA_LIMITS, commitMsMax: 300 } }
    parts.memory.newestOf(id, await forget(createClient(options), id))
    const open = (memory: Memory) => TransactionalProducer.open(id, { ...parts, memory }).then((producer) => producer.disconnect())
    await expect(open(new Memory())).rejects.toThrow('the brokers have forgotten whether it was committed')
    await log.refresh()
    expect(await values(log, EVENTS, 0)).toEqual([])
    await open(parts.memory)
    await log.refresh()
    expect(await values(log, EVENTS, 0)).toEqual(['1'])
    await log.close()
  }, 600_000)
  test('that wrote an owner’s generation: its writer completes it before it confirms the owner', async () => {
    const options = await optionsOf()
    const log = await openKafkaLog(options)
    const owner = await log.own(ID, true)
    const { standing, record } = await nextCheckpoint(options, ID, 0, 0)
    const transactionalId = options.prefix + ID
    await withCluster(createClient(options), async (cluster) => {
      await cluster.addMultipleTargetTopics([record.topicName])
      const { producerId, epoch } = await describeNewest(await coordinatorOf(cluster, transactionalId), transactionalId)
      // The newer protocol begins an epoch after each transaction, so that its sequence numbers begin at 0.
      await sendOne(cluster, { transactionalId, producerId, epoch }, record, 0)
    })
    await (await TransactionalProducer.open(options.prefix + standing.writer, partsOf(options))).disconnect()
    await write(owner, [out(EVENTS, 0, 'k', '1')], { in: 1 })
    expect(await values(log, EVENTS, 0)).toEqual(['1'])
    await log.close()
  }, 600_000)
  test('is closed by its own producer', async () => {
    const options = await optionsOf()
    const log = await openKafkaLog(options)
    const producer = await TransactionalProducer.open(`${options.prefix}b`, partsOf(options))
    const visible = async (): Promise<readonly (string | null)[]> => {
      await log.refresh()
      return values(log, EVENTS, 1)
    }
    await withCluster(createClient(options), async (cluster) => {
      const unmarked = eventOf(options, 1, 'unmarked')
      await cluster.addMultipleTargetTopics([unmarked.topicName])
      await sendOne(cluster, producer.name, unmarked, 0)
    })
    await producer.write([eventOf(options, 0, 'next')], () => {})
    expect(await visible()).toEqual([])
    await producer.closeCommits([`${options.prefix}${EVENTS.name}/1`])
    expect(await visible()).toEqual(['unmarked'])
    await producer.disconnect()
    await log.close()
  })
})
