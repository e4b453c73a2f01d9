// Measures what our own wire layer (topology/logs/kafka/wire) saves over the public API of kafkajs. Both read a drain's tape, one frame per
// record, and write the drain's records in as many transactions as the drain had commits. In favour of kafkajs: its values have no registry
// header, its reader takes batches, and nothing fences its writer.
import type { Kafka, TopicMessages } from 'kafkajs'
import type { Topic } from '../../../schemas/topics.ts'
import { createClient } from '../../../topology/logs/kafka/client.ts'
import { grouped } from '../../../topology/logs/kafka/grouped.ts'
import type { Log, OutRecord } from '../../../topology/ports/log.ts'
import { runChild } from './child.ts'
import { drainHere, loadTapes } from './drains.ts'
import { allRecords, openLog, PREFIX, type RunOptions, recordsOf } from './engine.ts'
import { cpuSeconds } from './figures.ts'
import { type Plan, runOptions } from './plan.ts'
import { field, median, round } from './report.ts'
import { PARTITIONS, tapeOf, topicsOf } from './task.ts'
import type { Figures } from './together.ts'

type Api = 'ours' | 'kafkajs'

export interface WireOptions extends RunOptions {
  readonly api: Api
  /** The run whose topics receive the copies. */
  readonly copy: string
  /** Number of the drain's commits: its records are written again in as many transactions. */
  readonly commits: number
}

interface Side {
  /** Reads the topic from its start to its end; it has `count` records. */
  read(topic: Topic, count: number): Promise<unknown>
  write(transactions: readonly (readonly OutRecord[])[]): Promise<void>
}

const countOf = async (log: Log, topic: Topic): Promise<number> => {
  let count = 0
  for await (const records of allRecords(log, topic)) count += records.length
  return count
}

const ours = (log: Log, options: WireOptions): Side => ({
  read: (topic) => countOf(log, topic),
  write: async (transactions) => {
    const owner = await log.own(options.copy)
    for (const outputs of transactions) await owner.commit({ outputs, inputs: new Map() })
    await owner.release()
  },
})

const messagesOf = (outputs: readonly OutRecord[]): TopicMessages[] => {
  const byTopic = grouped(outputs, ({ topic }) => topic.name)
  return [...byTopic].map(([name, records]) => ({
    topic: PREFIX + name,
    messages: records.map(({ partition, key, value }) => ({
      ...{ partition, key: Buffer.from(key.buffer, key.byteOffset, key.length) },
      value: value === null ? null : Buffer.from(value.buffer, value.byteOffset, value.length),
    })),
  }))
}

const readWithConsumer = async (kafka: Kafka, { name }: Topic, count: number): Promise<number> => {
  const consumer = kafka.consumer({ groupId: `${PREFIX}${name}-reader-${process.pid}`, maxBytesPerPartition: 4 * 1024 * 1024 })
  let read = 0
  await consumer.connect()
  await consumer.subscribe({ topic: PREFIX + name, fromBeginning: true })
  await new Promise<void>((resolve, reject) => {
    const eachBatch = async ({ batch }: { readonly batch: { readonly messages: readonly unknown[] } }): Promise<void> => {
      read += batch.messages.length
      if (read >= count) resolve()
    }
    consumer.run({ autoCommit: false, partitionsConsumedConcurrently: PARTITIONS, eachBatch }).catch(reject)
  })
  await consumer.disconnect()
  return read
}

const kafkajs = (kafka: Kafka, { copy }: WireOptions): Side => ({
  read: (topic, count) => readWithConsumer(kafka, topic, count),
  write: async (transactions) => {
    const producer = kafka.producer({ transactionalId: copy, idempotent: true, maxInFlightRequests: 1 })
    await producer.connect()
    for (const outputs of transactions) {
      const transaction = await producer.transaction()
      await transaction.sendBatch({ topicMessages: messagesOf(outputs) })
      await transaction.commit()
    }
    await producer.disconnect()
  },
})

/** Records that the drain wrote, addressed to the topics of the run `copy`, split into `commits` transactions. */
const writtenBy = async (log: Log, { run, tape, commits, copy }: WireOptions): Promise<OutRecord[][]> => {
  const [from, to] = [topicsOf(run, tape), topicsOf(copy, tape)]
  const records: OutRecord[] = []
  for (const name of ['rows', 'flags', 'task'] as const)
    for (let partition = 0; partition < PARTITIONS; partition++)
      for await (const read of recordsOf(log, from[name], partition))
        records.push(...read.map(({ key, value }) => ({ topic: to[name], partition, key, value })))
  const size = Math.ceil(records.length / commits)
  return Array.from({ length: Math.ceil(records.length / size) }, (_, i) => records.slice(i * size, (i + 1) * size))
}

const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = cpuSeconds()
  await work()
  return round(cpuSeconds() - before)
}

/** Reads and writes with one of the two APIs, in a separate process. */
export const wire = async (options: WireOptions): Promise<object> => {
  const { run, tape, api, copy, brokers } = options
  const [frames, { rows }] = [tapeOf(tape), topicsOf(run, tape)]
  const log = await openLog(options, [frames, ...Object.values(topicsOf(run, tape)), ...Object.values(topicsOf(copy, tape))])
  const [frameCount, rowCount] = [await countOf(log, frames), await countOf(log, rows)]
  const transactions = await writtenBy(log, options)
  const client = createClient({ brokers: brokers.split(','), security: { tls: false, sasl: null } })
  const side = api === 'ours' ? ours(log, options) : kafkajs(client, options)
  const writing = await cpuOf(() => side.write(transactions))
  const reading = await cpuOf(() => side.read(frames, frameCount))
  const restoring = await cpuOf(() => side.read(rows, rowCount))
  await log.close()
  return { write: writing, read: reading, restore: restoring, frames: frameCount, rows: rowCount }
}

/** Measures the CPU time of both APIs in turn; prints their ratio, and the share that kafkajs would add to the drain's CPU time. */
export const compareWires = async (plan: Plan): Promise<void> => {
  await loadTapes(plan, ['frames'])
  const variant = { layout: 'frames', undo: false, threads: 1 } as const
  const options = runOptions(plan, variant, 'wire', variant.layout)
  const drain = await drainHere(plan, variant, options.run)
  const runs: Record<Api, Figures[]> = { ours: [], kafkajs: [] }
  for (let turn = 0; turn < plan.rounds; turn++)
    for (const api of ['ours', 'kafkajs'] as const)
      runs[api].push(await runChild('wire', { ...options, copy: `wire-${api}-${turn}`, api, commits: drain.commits }))
  const { frames, rows } = runs.ours[0] as Figures
  for (const what of ['write', 'read', 'restore']) {
    const [ours, theirs] = [runs.ours.map(field(what)), runs.kafkajs.map(field(what))]
    const ratio = median(ours.map((cpuS, i) => (theirs[i] as number) / cpuS))
    const added = median(ours.map((cpuS, i) => (theirs[i] as number) - cpuS)) / field('cpu_s')(drain)
    const detail = { added_to_drain: round(added), drain_cpu_s: drain.cpu_s, ours, kafkajs: theirs, frames, rows }
    plan.print({ bench: `kafka_${what}_api_ratio`, value: round(ratio), unit: 'ratio', detail })
  }
}
