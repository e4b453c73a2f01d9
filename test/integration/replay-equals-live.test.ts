// Live over a log equals replay without one: flags, outcomes and card evidence, byte for byte.
import { join } from 'node:path'
import type { Key } from '../../schemas/keys.ts'
import type { RawFrame, TapeBatch } from '../../schemas/types.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { readRecording } from '../../topology/sources/recording/recording-file.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { appendRaw, appendTape, cardsOf, foldToEnd, type RunResults, resultsOf } from '../live.ts'

const RECORDINGS = join(__dirname, '../recordings')
const VARIANTS: readonly (readonly [partitions: number, batch: number, commitEvents: number])[] = [
  [1, 1, 1],
  [1, 1_000, 10_000],
  [4, 7, 13],
  [4, 1_000, 1],
  [12, 1, 10_000],
  [12, 7, 100],
]
const limitsOf = (batch: number, commitEventsMax: number): EngineLimits => ({
  ...DEFAULT_LIMITS,
  readRecordsMax: batch,
  commitEventsMax,
  commitIntervalMs: commitEventsMax === 1 ? 0 : 20,
  promptIntervalMs: 1,
  hotFrames: batch,
})

interface Replayed extends RunResults {
  readonly mints: readonly Key[]
}
const replayed = (feed: (folds: Replay, emit: (conclusions: readonly object[]) => void) => void): Replayed => {
  const folds = new Replay(LAUNCH_RISK)
  const conclusions: string[] = []
  feed(folds, (concluded) => conclusions.push(...concluded.map((one) => JSON.stringify(one))))
  const tape = folds.tape as TapeBatch
  const gap = tape.gapFrom === null || tape.gapTo === null ? null : { from: tape.gapFrom, to: tape.gapTo }
  const mints = folds.mints()
  return { conclusions: conclusions.sort(), cards: cardsOf(mints, tape.time, gap), mints: mints.map(({ mint }) => mint) }
}

describe('recorded frames', () => {
  let frames: RawFrame[]
  let expected: Replayed
  beforeAll(async () => {
    frames = []
    for (const name of ['transactions', 'blocks', 'launches'])
      for await (const frame of readRecording(join(RECORDINGS, `${name}.avro`))) frames.push(frame)
    expected = replayed((folds, emit) => {
      for (const frame of frames) emit(folds.frame(frame)?.conclusions ?? [])
    })
  })

  test('hold mints and events to compare', () => {
    expect(expected.mints.length).toBeGreaterThan(30)
    expect(expected.conclusions.length).toBeGreaterThan(0)
  })

  test.each(VARIANTS)('%i partitions, batches of %i, commits of %i events', async (partitions, batch, commitEvents) => {
    const log = createMemoryLog({ partitions })
    await appendRaw(log, frames, 0)
    await foldToEnd(log, limitsOf(batch, commitEvents))
    const { conclusions, cards } = await resultsOf(log, expected.mints)
    expect(conclusions).toEqual(expected.conclusions)
    expect(cards).toEqual(expected.cards)
  })

  test.each(VARIANTS)(
    'a restore in the middle: %i partitions, batches of %i, commits of %i events',
    async (partitions, batch, commitEvents) => {
      const log = createMemoryLog({ partitions })
      const half = Math.floor(frames.length / 2)
      await appendRaw(log, frames.slice(0, half), 0)
      await foldToEnd(log, limitsOf(batch, commitEvents))
      await appendRaw(log, frames.slice(half), half)
      await foldToEnd(log, limitsOf(batch, commitEvents))
      const { conclusions, cards } = await resultsOf(log, expected.mints)
      expect(conclusions).toEqual(expected.conclusions)
      expect(cards).toEqual(expected.cards)
    },
  )
})

describe('a synthetic tape of 6,000 events', () => {
  const tape = [...syntheticTape({ events: 6_000, eventsPerFrame: 9, eventsPerMint: 31, seed: 7 })]
  const expected = replayed((folds, emit) => {
    for (const batch of tape) emit(folds.batch(batch).conclusions)
  })

  test.each(VARIANTS)(
    '%i partitions, batches of %i, commits of %i events, taken over in the middle',
    async (partitions, batch, commitEvents) => {
      const log = createMemoryLog({ partitions })
      const limits = limitsOf(batch, commitEvents)
      await appendTape(log, tape.slice(0, 300))
      const zombie = await startFolds(log, [LAUNCH_RISK], limits)
      await new Promise((resolve) => setTimeout(resolve, 15))
      await appendTape(log, tape.slice(300))
      await foldToEnd(log, limits)
      await zombie.stop().catch((error: unknown) => expect(error).toMatchObject({ code: 'fenced' }))
      const { conclusions, cards } = await resultsOf(log, expected.mints)
      expect(conclusions).toEqual(expected.conclusions)
      expect(cards).toEqual(expected.cards)
    },
  )
})
