// Askers and tellers behind a relay that sets the frames' times and splits them, as a chain's decoder does.
import fc from 'fast-check'
import type { FrameHeader, Processor } from '../../processors/contract.ts'
import { good } from '../../schemas/errors.ts'
import { tickOf } from '../../schemas/position.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Input, TaskDefinition } from '../../topology/engine/definition.ts'
import { createPartitioner } from '../../topology/engine/partition.ts'
import type { OutRecord } from '../../topology/ports/log.ts'
import { forkedChain } from '../fixtures/arbitrary-chains.ts'
import { modelOf } from '../fixtures/ask-model.ts'
import { type Ask, type AskFrame, definition, INPUT, OUTPUT, state, TASKS } from '../fixtures/askers.ts'
import { Dice } from './dice.ts'
import type { FoldedOutput } from './invariants.ts'
import { taskJob } from './job.ts'
import { canonicalEntries, type Domain, type Entry } from './story.ts'

/** A frame before the relay: seconds after its parent, and its events. */
interface RawFrame {
  readonly seconds: number
  readonly events: readonly Ask[]
}
type RawInput = Input<RawFrame, FrameHeader>

const RAW: Topic = { ...INPUT, name: 'ask.raw', partitions: 'one' }
const RELAY_ROWS: Topic = { ...TASKS, name: 'ask.relay', partitions: 'one' }
const PARTITIONS_MAX = 4
const PARENT_TIME = 100
const STORIES = 2

type Rows = { total: { sum: number; facts: number; last: string }; timers: { name: string; due: number } }
type Relayed = { readonly time: number; readonly events: readonly Ask[] }

/** Sums the seconds. */
const relay: Processor<Rows, RawFrame, Relayed> = {
  name: 'relay',
  version: 1,
  sends: {},
  keyOf: () => 'chain',
  apply: (ctx, { seconds, events }, at) => {
    const total = ctx.edit('total', undefined, () => ({ sum: PARENT_TIME, facts: 0, last: '' }))
    total.sum += seconds
    total.facts += 1
    total.last = at.header.hash8
    ctx.emit({ time: total.sum, events })
  },
  onTime: () => {},
}

const key = Buffer.from('k')
const toAll = (partitions: number, textOf: (partition: number) => unknown): OutRecord[] =>
  Array.from({ length: partitions }, (_, partition) => ({
    topic: INPUT,
    partition,
    key,
    value: Buffer.from(JSON.stringify(textOf(partition))),
  }))

const relayTask = (partitions: number): TaskDefinition<RawFrame, FrameHeader> => {
  const partitionOf = createPartitioner(partitions, (name) => name)
  return {
    name: 'relay',
    input: RAW,
    changelog: TASKS,
    writes: [INPUT],
    folds: [
      {
        processor: relay,
        state,
        changelog: RELAY_ROWS,
        writes: [INPUT],
        collect: (header, outputs) =>
          outputs.flatMap(({ output }) => {
            const { time, events } = output as Relayed
            const part = (partition: number) => events.filter(({ asker }) => partitionOf(asker) === partition)
            return toAll(partitions, (partition) => ({
              type: 'frame',
              frame: { header: { ...header, time }, events: part(partition) },
            }))
          }),
      },
    ],
    open:
      () =>
      ({ value }) =>
        good(JSON.parse(Buffer.from(value ?? []).toString()) as RawInput),
    positionOf: (_event, { chain, number }) => tickOf(chain, number),
    reject: (_record, { code }) => {
      throw new Error(code)
    },
    retract: (revert, dead) =>
      toAll(partitions, () => ({
        type: 'revert',
        revert: { ...revert, dead: dead.map(({ number, hash8 }) => ({ number, hash8 })) },
      })),
    passOn: (finality) => toAll(partitions, () => ({ type: 'finality', finality })),
  }
}

/** The longer of two chains. */
const chainOf = (seed: number) =>
  fc.sample(forkedChain, { seed, numRuns: STORIES }).reduce((a, b) => (b.inputs.length > a.inputs.length ? b : a))

const rawOf = (input: Input<Ask, FrameHeader>, parent: FrameHeader | undefined): RawInput => {
  if (input.type === 'revert') {
    const { dead: _, ...revert } = input.revert
    return { type: 'revert', revert }
  }
  if (input.type === 'finality') return input
  const { header, events } = input.frame
  const event = { seconds: header.time - (parent?.time ?? PARENT_TIME), events }
  return { type: 'frame', frame: { header: { ...header, time: 0 }, events: [event] } }
}

const entriesOf = (inputs: readonly Input<Ask, FrameHeader>[]): Entry[] => {
  const canonical: FrameHeader[] = []
  return inputs.map((input) => {
    const record = { topic: RAW, partition: 0, key, value: Buffer.from(JSON.stringify(rawOf(input, canonical.at(-1)))) }
    if (input.type === 'frame') canonical.push(input.frame.header)
    if (input.type === 'revert') canonical.splice(canonical.findIndex(({ hash8 }) => hash8 === input.revert.hash8) + 1)
    const effect =
      input.type === 'finality'
        ? { type: 'finality' as const }
        : { type: input.type, ...nameOf(input.type === 'frame' ? input.frame.header : input.revert) }
    return { effect, records: [record] }
  })
}
const nameOf = ({ number, hash8 }: { readonly number: number; readonly hash8: string }) => ({ number, hash8 })

const readOutput = ({ topic, value }: Pick<OutRecord, 'topic' | 'value'>): FoldedOutput | undefined => {
  if (topic.name !== OUTPUT.name) return undefined
  const line = Buffer.from(value ?? []).toString()
  const output = JSON.parse(line) as { readonly retracted: readonly [number, string][] } | readonly [number, string]
  if ('retracted' in output) return { type: 'retraction', frames: output.retracted.map(String) }
  return { type: 'line', line, frame: String([output[0], output[1]]) }
}

/** A random chain (seeded) over a random number of partitions. */
export const askDomain = (seed: number): Domain => {
  const { inputs } = chainOf(seed)
  const entries = entriesOf(inputs)
  const partitions = new Dice(seed, 'ask').int(1, PARTITIONS_MAX)
  return {
    partitions,
    entries,
    outputs: [OUTPUT],
    readOutput,
    tasks: (limits) => [
      taskJob(relayTask(partitions), 0, limits),
      ...Array.from({ length: partitions }, (_, partition) => taskJob(definition(partitions), partition, limits)),
    ],
    model: (count) => {
      const canonical = canonicalEntries(entries.slice(0, count)).map(
        (i) => (inputs[i] as Extract<Input<Ask, FrameHeader>, { type: 'frame' }>).frame,
      )
      const { lines, rows } = modelOf(canonical as AskFrame[])
      return { lines, rows: ['asker', 'teller'].flatMap((name) => rows(name).map((row) => `${name} ${row}`)).sort() }
    },
  }
}
