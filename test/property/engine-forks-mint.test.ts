// The production folds over forked tapes: the valid outputs equal those of a run over the canonical branch alone.
import fc from 'fast-check'
import type { TapeHeader } from '../../processors/tape.ts'
import { conclusionCodec, tapeRecordCodec } from '../../schemas/codecs.ts'
import { toBase58 } from '../../schemas/keys.ts'
import { tapeKeyOf } from '../../schemas/tape-key.ts'
import type { Conclusion, TapeBatch, TapeEvent, TapeRecord } from '../../schemas/types.ts'
import type { Input } from '../../topology/engine/definition.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { tapeInput } from '../../topology/records/readers.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { creatorSteps, creatorTape, withQuiet } from '../fixtures/creator-tape.ts'
import { forkedTape } from '../fixtures/forked-tape.ts'
import { CONCLUDED, TOPICS } from '../fixtures/topics.ts'
import { standingConclusions } from '../live.ts'
import { TaskWorld } from '../task-world.ts'

const PARTITIONS = 2
const market: readonly TapeBatch[] = [...syntheticTape({ events: 600, eventsPerFrame: 4, eventsPerMint: 31, seed: 3 })]
/** Few creators that launch repeatedly: the outcome of a launch reaches the priors of the next. */
const creators: readonly TapeBatch[] = withQuiet(creatorTape(fc.sample(creatorSteps, { numRuns: 1, seed: 40 })[0] ?? []))

const encode = (input: Input<TapeEvent, TapeHeader>): Uint8Array => {
  const record = (): TapeRecord => {
    if (input.type === 'frame') return { ...(input.frame.header as TapeBatch), events: [...input.frame.events] }
    return (input.type === 'revert' ? input.revert : input.finality) as TapeRecord
  }
  return tapeRecordCodec.encode(record())
}
const worldOf = (records: readonly TapeRecord[]) =>
  new TaskWorld<TapeEvent, TapeHeader>(
    LAUNCH_RISK.folds(PARTITIONS),
    { partitions: PARTITIONS, handsOver: false, limits: DEFAULT_LIMITS },
    records.map(tapeInput),
    (event) => toBase58(tapeKeyOf(event)),
    encode,
  )
type World = ReturnType<typeof worldOf>

const conclusions = (world: World): string[] =>
  CONCLUDED.flatMap((topic) =>
    world.records(topic).flatMap((records) => {
      const read = records.map(({ value }) => conclusionCodec.decode(value as Uint8Array))
      return standingConclusions(read.flatMap((one): Conclusion[] => (one.ok ? [one.value] : [])))
    }),
  )

/** Tape, share of its frames that a fork precedes, runs. */
const given: readonly (readonly [string, readonly TapeBatch[], number, number])[] = [
  ['a market', market, 0.1, 10],
  ['creators that launch again', creators, 0.25, 15],
]
test.each(given)('over random forks of a tape, with restarts: %s', (_name, canonical, share, numRuns) => {
  const straight = worldOf(canonical)
  straight.finish()
  const expected = conclusions(straight).sort()
  let retracted = 0
  expect(expected.length).toBeGreaterThan(10)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.array(fc.tuple(fc.nat({ max: PARTITIONS - 1 }), fc.constantFrom('commit' as const, 'restart' as const), fc.nat({ max: 60 }))),
      (seed, breaks) => {
        const world = worldOf(forkedTape(canonical, share, seed))
        for (const [partition, action, frames] of breaks) {
          for (let i = 0; i < frames; i++) world.act(partition, 'fold')
          world.act(partition, action)
        }
        world.finish()
        expect(conclusions(world).sort()).toEqual(expected)
        retracted += world.records(TOPICS.flags).flat().length - straight.records(TOPICS.flags).flat().length
        for (const processor of ['mint', 'creator']) expect(world.rows(processor)).toEqual(straight.rows(processor))
      },
    ),
    { numRuns },
  )
  expect(retracted).toBeGreaterThan(0)
})
