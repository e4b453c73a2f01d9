// Runners that exchange messages over a log, in one process and as if in several, with forks and stops in between.
import fc from 'fast-check'
import type { FrameHeader } from '../../processors/contract.ts'
import { exchangeCodec, factCodecsOf } from '../../schemas/codecs.ts'
import type { Topic } from '../../schemas/topics.ts'
import { EarlyFacts } from '../../topology/engine/exchange/early-facts.ts'
import type { ExchangeDefinition } from '../../topology/engine/exchange/exchange.ts'
import { ExchangeReader } from '../../topology/engine/exchange/exchange-reader.ts'
import { type ExchangeRecord, readExchange } from '../../topology/engine/exchange/exchange-record.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { createPartitioner } from '../../topology/engine/partition.ts'
import { TaskRunner } from '../../topology/engine/runner.ts'
import { Task } from '../../topology/engine/task.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Log, OutRecord } from '../../topology/ports/log.ts'
import { LossyMessages } from '../fakes/lossy-messages.ts'
import { type ForkedChain, forkedChain } from '../fixtures/arbitrary-chains.ts'
import { modelOf, standing } from '../fixtures/ask-model.ts'
import { type Ask, definition, EXCHANGE, INPUT, OUTPUT } from '../fixtures/askers.ts'

const PARTITIONS = 3
const LIMITS = { ...DEFAULT_LIMITS, commitIntervalMs: 2, promptIntervalMs: 1, toldIntervalMs: 10, readRecordsMax: 7 }
const [chain] = fc.sample(
  forkedChain.filter(({ inputs }) => inputs.length > 60),
  { numRuns: 1, seed: 11 },
) as [ForkedChain]

const append = async (log: Log, inputs: ForkedChain['inputs']): Promise<void> => {
  const partitionOf = createPartitioner(PARTITIONS, (key) => key)
  const outputs = inputs.flatMap((input) =>
    Array.from({ length: PARTITIONS }, (_, partition) => {
      const isHere = (event: Ask): boolean => partitionOf(event.asker) === partition
      const part = input.type === 'frame' ? { type: 'frame', frame: { ...input.frame, events: input.frame.events.filter(isHere) } } : input
      return { topic: INPUT, partition, key: Buffer.from('k'), value: Buffer.from(JSON.stringify(part)) }
    }),
  )
  await (await log.own('source')).commit({ outputs, inputs: new Map() })
}
const texts = async (log: Log, topic: Topic): Promise<string[][]> =>
  Promise.all(
    Array.from({ length: PARTITIONS }, async (_, partition) =>
      (await log.read(topic, partition, 0, { recordsMax: 1e6, bytesMax: 1e9 })).map(({ value }) => Buffer.from(value ?? []).toString()),
    ),
  )
/** How the tasks get each other's facts, besides the log: within one process, or from other processes that tell them. */
type By = 'one process' | 'commits' | 'messages'

/** Runs all tasks until everything is folded; returns the number of messages that arrived. */
const foldAll = async (log: Log, by: By): Promise<number> => {
  const exchange = definition(PARTITIONS).exchange as ExchangeDefinition
  const shared = by === 'one process' ? new ExchangeReader(log, exchange, LIMITS) : undefined
  const messages = new LossyMessages()
  const runners: TaskRunner<Ask, FrameHeader>[] = Array.from({ length: PARTITIONS }, (_, partition) => {
    const hear = (record: ExchangeRecord): void => runners[partition]?.hear(record)
    const early = new EarlyFacts({ messages, definition: exchange, isHere: (writer) => writer === partition, hear })
    const task = new Task(definition(PARTITIONS), partition, LIMITS, {
      handOver: (batch, to) => {
        if (by === 'one process') runners[to]?.offer(batch)
      },
      tell: (closing) => {
        if (by === 'messages') early.tell(closing, partition, 0)
      },
    })
    const reader = shared ?? new ExchangeReader(log, exchange, LIMITS, undefined, by === 'messages')
    return new TaskRunner(log, task, LIMITS, undefined, reader)
  })
  for (const runner of runners) await runner.restore()
  const runs = runners.map((runner) => runner.run())
  while (!runners.every((runner) => runner.isCaughtUp)) await Promise.race([...runs, new Promise((resolve) => setTimeout(resolve, 1))])
  for (const runner of runners) runner.stop()
  await Promise.all(runs)
  return messages.delivered
}

/** A log to which the tasks of these partitions write the older exchange layout: a record per receiver, in the receiver's partition. */
const inOlderLayout = (inner: Log, isOlder: (partition: number) => boolean): Log =>
  withOwners(inner, async (id) => {
    const owner = await inner.own(id)
    return {
      id,
      committed: () => owner.committed(),
      commit: ({ outputs, inputs }) =>
        owner.commit({
          inputs,
          outputs: outputs.flatMap((record) => (record.topic === EXCHANGE && isOlder(record.partition) ? apart(record) : [record])),
        }),
      release: () => owner.release(),
    }
  })
const apart = (record: OutRecord): OutRecord[] => {
  const read = exchangeCodec.decode(record.value as Uint8Array)
  if (!read.ok) throw new Error(read.reason)
  return Array.from({ length: PARTITIONS }, (_, partition) => {
    const epochs = readExchange(record.partition, { ...record, offset: 0 }).epochs.map(({ epoch, closedBy, facts }) => {
      const read = facts(partition, factCodecsOf(32))
      return { epoch, closedBy, facts: read.ok ? [...read.value] : [] }
    })
    const newest = epochs.at(-1) as (typeof epochs)[0]
    return { ...record, partition, value: exchangeCodec.encode({ ...read.value, ...newest, earlier: epochs.slice(0, -1), closings: [] }) }
  })
}

test.each([
  ['all at once', (part: number) => part > 2],
  ['one process after the other', (part: number, partition: number) => part > partition],
] as const)('folds a log of the older layout with epochs in flight after an upgrade of %s', async (_, isNew) => {
  const log = createMemoryLog({ partitions: PARTITIONS })
  const size = Math.ceil(chain.inputs.length / 5)
  for (let part = 0; part < 5; part++) {
    await append(log, chain.inputs.slice(part * size, (part + 1) * size))
    await foldAll(
      inOlderLayout(log, (partition) => !isNew(part, partition)),
      (['one process', 'commits', 'messages'] as const)[part % 3] as By,
    )
  }
  const records = await log.read(EXCHANGE, 0, 0, { recordsMax: 1e6, bytesMax: 1e9 })
  const layouts = new Set(records.map((record) => readExchange(0, record).receiver === undefined))
  expect(layouts).toEqual(new Set([true, false]))
  expect(standing(await texts(log, OUTPUT))).toEqual(modelOf(chain.canonical).lines)
})

test.each([
  ['one process', 1],
  ['commits', 1],
  ['messages', 1],
  ['one process', 6],
  ['commits', 6],
  ['messages', 6],
] as const)('outputs equal those of the model (facts by: %s; starts: %i)', async (by, starts) => {
  const log = createMemoryLog({ partitions: PARTITIONS })
  const size = Math.ceil(chain.inputs.length / starts)
  let messages = 0
  for (let from = 0; from < chain.inputs.length; from += size) {
    await append(log, chain.inputs.slice(from, from + size))
    messages += await foldAll(log, by)
  }
  expect(messages > 0).toBe(by === 'messages')
  const { lines } = modelOf(chain.canonical)
  expect(lines.filter((line) => line.includes('told by')).length).toBeGreaterThan(3)
  expect(standing(await texts(log, OUTPUT))).toEqual(lines)
})
