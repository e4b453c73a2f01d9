// Transactions that lose their markers, as Kafka 4.3.1 loses them when it is killed between PrepareCommit and the markers. Simulated by
// records whose partitions were never added to the transaction, on a broker that does not verify this.
import type { Broker, Cluster, Kafka } from 'kafkajs'
import { ownerCodec } from '../../../schemas/codecs.ts'
import type { OwnerStanding } from '../../../schemas/types.ts'
import { createClient, withCluster } from '../../../topology/logs/kafka/client.ts'
import { KAFKA_LIMITS, type KafkaLogOptions } from '../../../topology/logs/kafka/options.ts'
import { checkpointPartition } from '../../../topology/logs/kafka/owners/checkpoint.ts'
import { addPartitions, coordinatorOf } from '../../../topology/logs/kafka/owners/coordinator.ts'
import { describeNewest, Memory, type NewestTransaction } from '../../../topology/logs/kafka/owners/newest-transaction.ts'
import { type OpenParts, whenFree } from '../../../topology/logs/kafka/owners/producer.ts'
import { NEWER_PROTOCOL, type TransactionProtocol } from '../../../topology/logs/kafka/owners/protocol.ts'
import { fetchOne, leaderOf, READ_COMMITTED } from '../../../topology/logs/kafka/wire/fetch.ts'
import { PRODUCE } from '../../../topology/logs/kafka/wire/produce.ts'
import { sendRaw } from '../../../topology/logs/kafka/wire/raw-request.ts'
import { bytesOf, type Outgoing, type ProducerName } from '../../../topology/logs/kafka/wire/record-batch.ts'
import { EVENTS, SETUP } from '../../contract/log-topics.ts'
import { TOPICS } from '../../fixtures/topics.ts'

/** Bytes before each value of `owners`: magic byte and schema id of the wire format. */
const WIRE_BYTES = 5

/** A record as a program writes it. */
export const eventOf = ({ prefix }: KafkaLogOptions, partition: number, text: string): Outgoing => ({
  ...{ topicName: prefix + EVENTS.name, partition, key: Buffer.from('k'), head: Buffer.alloc(0), value: Buffer.from(text) },
})

/** For a producer of another process, which may write the topic `EVENTS`. */
export const partsOf = (options: KafkaLogOptions): OpenParts => ({
  ...{ kafka: createClient(options), topicNames: [options.prefix + EVENTS.name], limits: KAFKA_LIMITS, memory: new Memory() },
  notice: options.notice,
})

/** An owner's newest checkpoint, and the record of one that is `commits` newer and has read the input `in` up to `offset`. */
export const nextCheckpoint = async (
  options: KafkaLogOptions,
  id: string,
  commits: number,
  offset: number,
): Promise<{ readonly standing: OwnerStanding; readonly record: Outgoing }> => {
  const [topicName, partition] = [options.prefix + TOPICS.owners.name, checkpointPartition(id, SETUP.partitions)]
  const last = await lastValue(createClient(options), topicName, partition, id)
  const [head, parsed] = [last.subarray(0, WIRE_BYTES), ownerCodec.decode(last.subarray(WIRE_BYTES))]
  if (!parsed.ok) throw new Error('the owner record is unreadable')
  const standing = parsed.value
  const next = { ...standing, commits: standing.commits + commits, inputs: [{ name: 'in', offset }] }
  return { standing, record: { topicName, partition, key: Buffer.from(id), head, value: ownerCodec.encode(next) } }
}

const lastValue = (kafka: Kafka, topicName: string, partition: number, id: string): Promise<Buffer> =>
  withCluster(kafka, async (cluster) => {
    await cluster.addMultipleTargetTopics([topicName])
    const topicPartition = { topic: TOPICS.owners, topicName, partition, name: `${topicName}/${partition}` }
    const limits = { waitMs: 0, bytesMax: 100_000, isolation: READ_COMMITTED } as const
    const { batches } = await fetchOne(cluster, { topicPartition, from: 0, bytesMax: 100_000 }, limits)
    const records = batches.filter(({ isControl }) => !isControl).flatMap((batch) => batch.records)
    return records.findLast(({ key }) => key?.toString() === id)?.value ?? Buffer.alloc(0)
  })

interface Coordinator extends Broker {
  initProducerId(asked: object): Promise<{ readonly producerId: string; readonly producerEpoch: number }>
}

/** Opens a producer under the id, so that its coordinator forgets the newest transaction. @returns what it knew until then */
export const forget = (kafka: Kafka, transactionalId: string): Promise<NewestTransaction> =>
  withCluster(kafka, async (cluster) => {
    const coordinator = (await coordinatorOf(cluster, transactionalId)) as Coordinator
    const described = await describeNewest(coordinator, transactionalId)
    await coordinator.initProducerId({ transactionalId, transactionTimeout: 30_000 })
    return described
  })

/** A transaction whose coordinator knows only the partitions of `known`. */
export interface Left {
  /** Written to partitions that the coordinator does not know: they get no marker. */
  readonly undecided: readonly Outgoing[]
  readonly known: readonly Outgoing[]
  /** Open: it is not ended. Not used without `known`. */
  readonly end: 'committed' | 'aborted' | 'open'
}

/** Writes the transactions under one id, one after the other, on a broker that does not verify partitions. */
export const leave = (
  kafka: Kafka,
  transactionalId: string,
  transactions: readonly Left[],
  protocol: TransactionProtocol = NEWER_PROTOCOL,
): Promise<void> =>
  withCluster(kafka, async (cluster) => {
    const all = transactions.flatMap(({ undecided, known }) => [...undecided, ...known])
    await cluster.addMultipleTargetTopics(all.map(({ topicName }) => topicName))
    const coordinator = (await coordinatorOf(cluster, transactionalId)) as Coordinator
    const { producerId, producerEpoch } = await coordinator.initProducerId({ transactionalId, transactionTimeout: 30_000 })
    let name = { transactionalId, producerId: BigInt(producerId), epoch: producerEpoch }
    const sequences = new Map<string, number>()
    for (const { undecided, known, end } of transactions) {
      const topics = known.map(({ topicName, partition }) => ({ topic: topicName, partitions: [partition] }))
      const { epoch } = name
      if (known.length > 0) await whenFree(10_000, () => addPartitions(coordinator, { ...name, epoch }, topics))
      for (const record of [...undecided, ...known]) {
        const partition = `${record.topicName}/${record.partition} ${epoch}`
        const sequence = sequences.get(partition) ?? 0
        sequences.set(partition, sequence + 1)
        await sendOne(cluster, name, record, sequence)
      }
      if (known.length > 0 && end !== 'open') name = await protocol.end(coordinator, name, end === 'committed')
    }
  })
export const sendOne = async (cluster: Cluster, name: ProducerName, record: Outgoing, sequence: number): Promise<void> => {
  const { topicName, partition } = record
  const batch = { topicName, partition, records: [record], bytes: bytesOf(record), sequence }
  const leader = await cluster.findBroker({ nodeId: leaderOf(cluster, record) })
  const answer = await sendRaw(leader, PRODUCE.api, PRODUCE.encode(name, [batch], Date.now(), 10_000))
  const refused = PRODUCE.decode(answer).find(({ errorCode }) => errorCode !== 0)
  if (refused !== undefined) throw new Error(`the broker refused a record: ${refused.errorCode}`)
}
