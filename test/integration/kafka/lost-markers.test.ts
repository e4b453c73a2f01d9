// A transaction that its coordinator completed without markers, as Kafka 4.3.1 does when it is killed between PrepareCommit and the
// markers. Simulated by records whose partitions were never added to the transaction, on a broker that does not verify this.
import type { Kafka } from 'kafkajs'
import { ownerCodec } from '../../../schemas/codecs.ts'
import { createClient, createCluster } from '../../../topology/logs/kafka/client.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { KAFKA_LIMITS, type KafkaLogOptions } from '../../../topology/logs/kafka/options.ts'
import { checkpointPartition } from '../../../topology/logs/kafka/owners/checkpoint.ts'
import { TransactionalProducer } from '../../../topology/logs/kafka/owners/producer.ts'
import { fetchOne, leaderOf, READ_COMMITTED } from '../../../topology/logs/kafka/wire/fetch.ts'
import { PRODUCE } from '../../../topology/logs/kafka/wire/produce.ts'
import { sendRaw } from '../../../topology/logs/kafka/wire/raw-request.ts'
import { bytesOf, type Outgoing, type ProducerName } from '../../../topology/logs/kafka/wire/record-batch.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { EVENTS, out, SETUP, values, write } from '../../contract/log-topics.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { type Broker, startBroker } from '../../services/broker.ts'
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { until } from '../../tools/until.ts'

const ID = 'a'
/** Bytes before each value: magic byte and schema id of the wire format. */
const WIRE_BYTES = 5
const AT = checkpointPartition(ID, SETUP.partitions)

describeOwnBroker('a transaction whose markers a broker lost', () => {
  let broker: Broker
  let registryUrl = ''
  beforeAll(async () => {
    registryUrl = (await sharedKafka()).registryUrl
    broker = await startBroker({ settings: { 'transaction.partition.verification.enable': 'false' } })
  }, START_MS_MAX)
  afterAll(() => broker.stop())

  /** One complete commit, and a second whose records are undecided; the log is closed. */
  const given = async (isCommitted: boolean, isShared: boolean): Promise<KafkaLogOptions & { readonly notices: string[] }> => {
    const notices: string[] = []
    const services = { brokers: broker.address, registryUrl }
    const options = { ...(await kafkaOptions({ services, notice: (message) => notices.push(message) })), notices }
    const log = await openKafkaLog(options)
    await write(await log.own(ID, isShared), [out(EVENTS, 0, 'k', '1'), out(EVENTS, 1, 'k', '1')], { in: 1 })
    await log.close()
    const kafka = createClient(options)
    const last = await lastValue(kafka, options.prefix + TOPICS.owners.name, AT)
    const head = last.subarray(0, WIRE_BYTES)
    const parsed = ownerCodec.decode(last.subarray(WIRE_BYTES))
    if (!parsed.ok) throw new Error('the owner record is unreadable')
    const next = ownerCodec.encode({ ...parsed.value, commits: parsed.value.commits + 1, inputs: [{ name: 'in', offset: 2 }] })
    const record = (topicName: string, partition: number, key: string, head: Buffer, value: Uint8Array): Outgoing => ({
      ...{ topicName: options.prefix + topicName, partition, key: Buffer.from(key), head, value },
    })
    const event = (partition: number) => record(EVENTS.name, partition, 'k', Buffer.alloc(0), Buffer.from('2'))
    const undecided = [event(0), record(TOPICS.owners.name, AT, ID, head, next)]
    await leave(kafka, options.prefix + (parsed.value.writer ?? ID), undecided, isCommitted ? [event(1)] : [])
    return options
  }

  test.each([
    ['an owner’s, committed in one place', false, true, 2],
    ['an owner’s, nowhere decided', false, false, 1],
    ['a shared writer’s, committed in one place', true, true, 2],
    ['a shared writer’s, nowhere decided', true, false, 1],
  ])(
    '%s: the next owner writes the markers, notifies the operator, and each number is there once',
    async (_name, isShared, isCommitted, visible) => {
      const { notices, ...options } = await given(isCommitted, isShared)
      const log = await openKafkaLog(options)
      const owner = await log.own(ID)
      expect(owner.committed().get('in')).toBe(visible)
      expect(notices.join()).toContain(`the transaction is ${isCommitted ? 'committed' : 'aborted'}`)
      if (visible === 1) await write(owner, [out(EVENTS, 0, 'k', '2'), out(EVENTS, 1, 'k', '2')], { in: 2 })
      await write(owner, [out(EVENTS, 0, 'k', '3'), out(EVENTS, 1, 'k', '3')], { in: 3 })
      for (const partition of [0, 1]) expect(await values(log, EVENTS, partition)).toEqual(['1', '2', '3'])
      await log.close()
    },
    600_000,
  )
  test('is closed by the next commit of its owner that includes the partition', async () => {
    const options = await kafkaOptions({ services: { brokers: broker.address, registryUrl } })
    const log = await openKafkaLog(options)
    const topicName = options.prefix + EVENTS.name
    const event = (partition: number, text: string): Outgoing => ({
      ...{ topicName, partition, key: Buffer.from('k'), head: Buffer.alloc(0), value: Buffer.from(text) },
    })
    const [kafka, id] = [createClient(options), `${options.prefix}b`]
    await leave(kafka, id, [event(1, 'undecided')], [])
    const producer = await TransactionalProducer.open(kafka, id, [topicName], KAFKA_LIMITS)
    const visible = async (): Promise<readonly (string | null)[]> => {
      await log.refresh()
      return values(log, EVENTS, 1)
    }
    await producer.write([event(0, 'next')], () => {})
    expect(await visible()).toEqual([])
    await producer.write([event(0, 'closing')], () => {}, [`${topicName}/1`])
    await until(async () => (await visible()).length > 0)
    expect(await visible()).toEqual(['undecided'])
    await producer.disconnect()
    await log.close()
  })
})

const lastValue = async (kafka: Kafka, topicName: string, partition: number): Promise<Buffer> => {
  const cluster = createCluster(kafka)
  await cluster.connect()
  await cluster.addMultipleTargetTopics([topicName])
  const partitionOf = { topic: TOPICS.owners, topicName, partition, name: `${topicName}/${partition}` }
  const { batches } = await fetchOne(
    cluster,
    { topicPartition: partitionOf, from: 0, bytesMax: 100_000 },
    { waitMs: 0, bytesMax: 100_000, isolation: READ_COMMITTED },
  )
  await cluster.disconnect()
  return (
    batches
      .filter(({ isControl }) => !isControl)
      .at(-1)
      ?.records.at(-1)?.value ?? Buffer.alloc(0)
  )
}

interface Coordinator {
  initProducerId(asked: object): Promise<{ readonly producerId: string; readonly producerEpoch: number }>
  addPartitionsToTxn(asked: object): Promise<unknown>
  endTxn(asked: object): Promise<unknown>
}

/** Writes in one transaction: `undecided` to partitions that its coordinator does not know, `decided` to those where it is committed. */
const leave = async (
  kafka: Kafka,
  transactionalId: string,
  undecided: readonly Outgoing[],
  decided: readonly Outgoing[],
): Promise<void> => {
  const cluster = createCluster(kafka)
  await cluster.connect()
  await cluster.addMultipleTargetTopics([...undecided, ...decided].map(({ topicName }) => topicName))
  const whose = { groupId: transactionalId, coordinatorType: 1 }
  const coordinator = (await cluster.findGroupCoordinator(whose)) as unknown as Coordinator
  const { producerId, producerEpoch } = await coordinator.initProducerId({ transactionalId, transactionTimeout: 30_000 })
  const name = { transactionalId, producerId: BigInt(producerId), epoch: producerEpoch }
  const transaction = { transactionalId, producerId, producerEpoch }
  const topics = decided.map(({ topicName, partition }) => ({ topic: topicName, partitions: [partition] }))
  if (decided.length > 0) await coordinator.addPartitionsToTxn({ ...transaction, topics })
  for (const record of [...undecided, ...decided]) await sendOne(cluster, name, record)
  if (decided.length > 0) await coordinator.endTxn({ ...transaction, transactionResult: true })
  await cluster.disconnect()
}
const sendOne = async (cluster: ReturnType<typeof createCluster>, name: ProducerName, record: Outgoing): Promise<void> => {
  const { topicName, partition } = record
  const batch = { topicName, partition, records: [record], bytes: bytesOf(record), sequence: 0 }
  const leader = await cluster.findBroker({ nodeId: leaderOf(cluster, record) })
  await sendRaw(leader, PRODUCE.api, PRODUCE.encode(name, [batch], Date.now(), 10_000))
}
