// Runners that exchange messages over a log, in one process and as if in several, with forks and stops in between.
import fc from 'fast-check'
import type { FrameHeader } from '../../processors/contract.ts'
import { exchangeCodec, factCodecsOf } from '../../schemas/codecs.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { ExchangeDefinition } from '../../topology/engine/exchange/exchange.ts'
import { ExchangeReader } from '../../topology/engine/exchange/exchange-reader.ts'
import { readExchange } from '../../topology/engine/exchange/exchange-record.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { createPartitioner } from '../../topology/engine/partition.ts'
import { TaskRunner } from '../../topology/engine/runner.ts'
import { Task } from '../../topology/engine/task.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Log, OutRecord } from '../../topology/ports/log.ts'
import { type ForkedChain, forkedChain } from '../fixtures/arbitrary-chains.ts'
import { modelOf, standing } from '../fixtures/ask-model.ts'
import { type Ask, definition, EXCHANGE, INPUT, OUTPUT } from '../fixtures/askers.ts'

const PARTITIONS = 3
const LIMITS = { ...DEFAULT_LIMITS, commitIntervalMs: 2, promptIntervalMs: 1, readRecordsMax: 7 }
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
/** Runs all tasks until everything is folded. `handsOver`: as in one process, they pass each other messages and share the reader. */
const foldAll = async (log: Log, handsOver: boolean): Promise<void> => {
  const reader = handsOver ? new ExchangeReader(log, definition(PARTITIONS).exchange as ExchangeDefinition, LIMITS) : undefined
  const runners: TaskRunner<Ask, FrameHeader>[] = Array.from({ length: PARTITIONS }, (_, partition) => {
    const task = new Task(definition(PARTITIONS), partition, LIMITS, (batch, to) => {
      if (handsOver) runners[to]?.offer(batch)
    })
    return new TaskRunner(log, task, LIMITS, undefined, reader)
  })
  for (const runner of runners) await runner.restore()
  const runs = runners.map((runner) => runner.run())
  while (!runners.every((runner) => runner.isCaughtUp)) await Promise.race([...runs, new Promise((resolve) => setTimeout(resolve, 1))])
  for (const runner of runners) runner.stop()
  await Promise.all(runs)
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
      part % 2 === 0,
    )
  }
  const records = await log.read(EXCHANGE, 0, 0, { recordsMax: 1e6, bytesMax: 1e9 })
  const layouts = new Set(records.map((record) => readExchange(0, record).receiver === undefined))
  expect(layouts).toEqual(new Set([true, false]))
  expect(standing(await texts(log, OUTPUT))).toEqual(modelOf(chain.canonical).lines)
})

test.each([
  [true, 1],
  [false, 1],
  [true, 6],
  [false, 6],
])('outputs equal those of the model (tasks pass messages directly: %s; starts: %i)', async (handsOver, starts) => {
  const log = createMemoryLog({ partitions: PARTITIONS })
  const size = Math.ceil(chain.inputs.length / starts)
  for (let from = 0; from < chain.inputs.length; from += size) {
    await append(log, chain.inputs.slice(from, from + size))
    await foldAll(log, handsOver)
  }
  const { lines } = modelOf(chain.canonical)
  expect(lines.filter((line) => line.includes('told by')).length).toBeGreaterThan(3)
  expect(standing(await texts(log, OUTPUT))).toEqual(lines)
})
