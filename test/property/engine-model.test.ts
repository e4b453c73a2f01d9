// The engine against the naive model: the same frames give the same outputs, rows and timers.
import fc from 'fast-check'
import type { RowKinds } from '../../processors/contract.ts'
import { creatorProcessor } from '../../processors/creator/creator.ts'
import type { MintOutput } from '../../processors/mint/rows.ts'
import type { TapeHeader } from '../../processors/tape.ts'
import { walletProcessor } from '../../processors/wallet/wallet.ts'
import { conclusionCodec } from '../../schemas/codecs.ts'
import { comparePositions } from '../../schemas/position.ts'
import type { TapeEvent } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import type { Store } from '../../topology/engine/rows/store.ts'
import { Task } from '../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { NaiveChain } from '../naive-chain.ts'
import type { NaiveEngine } from '../naive-context.ts'
import { mintProcessor } from '../shipped.ts'
import { tape as arbitraryTape } from './mint-arbitraries.ts'

interface Frame {
  readonly header: TapeHeader
  readonly events: readonly TapeEvent[]
}

const PROCESSORS = [mintProcessor, creatorProcessor, walletProcessor]

/** Outputs of both, and the rows of every aggregate as printed by the engine's snapshot. */
const compare = (given: readonly Frame[]): void => {
  const frames = given.map(({ header, events }) => ({
    header,
    events: [...events].sort((a, b) => comparePositions({ ...header, ...a }, { ...header, ...b })),
  }))
  const model = new NaiveChain<TapeEvent, TapeHeader>(PROCESSORS, LAUNCH_RISK.chain.framesPerEpoch, frames)
  const task = new Task(LAUNCH_RISK.folds(1), 0, { ...DEFAULT_LIMITS, hotFrames: 2 })
  task.begin({ input: 0, exchange: 0 })
  const outputs: string[] = []
  for (const frame of frames) {
    task.fold(frame)
    const taken = task.takeOutputs()
    outputs.push(...taken.map(({ value }) => Buffer.from(value ?? []).toString('hex')))
  }
  expect(outputs).toEqual(model.outputs.map(({ output }) => conclusionCodec.encode((output as MintOutput).conclusion).toString('hex')))
  for (const { name } of PROCESSORS) compareRows(task.store(name), model.engines.get(name) as ModelEngine)
}

type ModelEngine = NaiveEngine<RowKinds, TapeEvent, unknown, TapeHeader>

const compareRows = (store: Store, model: ModelEngine): void => {
  const kinds = store.type.kinds.filter(({ name }) => name !== 'timers')
  for (const key of model.keys().sort()) {
    const aggregate = store.find(key)
    for (const kind of kinds) {
      const rows = aggregate === undefined ? [] : [...store.rows(aggregate, kind)].map((row) => ({ ...row }))
      const sorted =
        kind.idField === undefined
          ? rows
          : rows.sort((a, b) => ((a[kind.idField as string] as never) < (b[kind.idField as string] as never) ? -1 : 1))
      expect(sorted).toEqual(model.rows(key, kind.name))
    }
    const timers = aggregate === undefined ? [] : [...store.rows(aggregate, store.type.timers)]
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
