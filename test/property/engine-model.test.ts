// The engine against the naive model: the same frames give the same outputs, rows and timers.
import fc from 'fast-check'
import type { MintOutput, MintRows, TapeHeader } from '../../processors/mint/mint.ts'
import { mintProcessor } from '../../processors/mint/mint.ts'
import { conclusionCodec } from '../../schemas/codecs.ts'
import { comparePositions } from '../../schemas/position.ts'
import type { TapeEvent } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { Task } from '../../topology/engine/task.ts'
import { mintTask } from '../../topology/launch-risk.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { NaiveEngine } from '../naive-context.ts'
import { tape as arbitraryTape } from './mint-arbitraries.ts'

interface Frame {
  readonly header: TapeHeader
  readonly events: readonly TapeEvent[]
}

/** Outputs of both, and rows of every aggregate as the engine's snapshot prints them. */
const compare = (frames: readonly Frame[]): void => {
  const model = new NaiveEngine<MintRows, TapeEvent, MintOutput, TapeHeader>(mintProcessor)
  const task = new Task(mintTask(), 0, DEFAULT_LIMITS)
  task.begin(0)
  const said: string[] = []
  for (const frame of frames) {
    model.frame(frame.header, frame.events)
    const events = [...frame.events].sort((a, b) => comparePositions({ ...frame.header, ...a }, { ...frame.header, ...b }))
    task.fold({ header: frame.header, events })
    said.push(...task.takeSaid().map(({ value }) => Buffer.from(value ?? []).toString('hex')))
  }
  expect(said).toEqual(model.told.map(({ output }) => conclusionCodec.encode(output.conclusion).toString('hex')))
  const kinds = task.store.type.kinds.filter(({ name }) => name !== 'timers')
  const keys = model.keys().sort()
  for (const key of keys) {
    const aggregate = task.store.find(key)
    for (const kind of kinds) {
      const rows = aggregate === undefined ? [] : [...task.store.rows(aggregate, kind)].map((row) => ({ ...row }))
      const sorted =
        kind.idField === undefined
          ? rows
          : rows.sort((a, b) => ((a[kind.idField as string] as never) < (b[kind.idField as string] as never) ? -1 : 1))
      expect(sorted).toEqual(model.rows(key, kind.name as never))
    }
    const timers = aggregate === undefined ? [] : [...task.store.rows(aggregate, task.store.type.timers)]
    expect(Object.fromEntries(timers.map(({ name, due }) => [name, due]))).toEqual(model.timers(key))
  }
}

test('on arbitrary frames of colliding mints', () => {
  fc.assert(
    fc.property(arbitraryTape, (frames) => compare(frames)),
    { numRuns: 150 },
  )
})

test('on a synthetic market of 3,000 events', () => {
  const tape = [...syntheticTape({ events: 3_000, eventsPerFrame: 7, eventsPerMint: 31, seed: 11 })]
  compare(tape.map((batch) => ({ header: batch, events: batch.events })))
})
