// The curve and deployer folds in the engine over forked tapes, for any batches and restarts: rows and valid conclusions equal those of a
// run over the canonical branch alone. Amounts of the pair token are small.
import fc from 'fast-check'
import { deployerProcessor } from '../../processors/curve/deployer.ts'
import { curveDetectors } from '../../processors/curve/detectors/index.ts'
import { createCurveProcessor } from '../../processors/curve/fold/curve.ts'
import type { CurveOutput } from '../../processors/curve/rows.ts'
import type { TapeHeader } from '../../processors/tape.ts'
import { readSchema } from '../../schemas/avro.ts'
import { HEX_KEYS } from '../../schemas/keys.ts'
import { tickOf } from '../../schemas/position.ts'
import type { AltTapeEvent, Conclusion, TapeBatch, TapeRecord } from '../../schemas/types.ts'
import type { Input, TaskDefinition } from '../../topology/engine/definition.ts'
import type { FoldedOutput } from '../../topology/engine/fold.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { createPartitioner } from '../../topology/engine/partition.ts'
import { stateTypeOf } from '../../topology/engine/rows/state-type.ts'
import { forkedTape } from '../fixtures/forked-tape.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { standingConclusions } from '../live.ts'
import { TaskWorld } from '../task-world.ts'
import { CHAIN, DEPLOYER_WALLET, type Frame, key, wallet } from '../unit/processors/curve/launchpad.ts'
import { lifeOf, type Ops, ops } from './curve-arbitraries.ts'

const PARTITIONS = 2
const KEY_BYTES = HEX_KEYS.bytes
/** Base units of one whole pair token. */
const UNIT = 1_000_000_000n

const stateOf = (name: string) => stateTypeOf(readSchema(name))

const curve = createCurveProcessor(curveDetectors, CHAIN)
const { flags, outcomes, tape, exchange, mintChangelog, creatorChangelog, taskChangelog, deadLetters } = TOPICS
type CurveInput = Input<AltTapeEvent, TapeHeader>

/** Bigints as text with a trailing n, to distinguish them from numbers. */
const write = (value: unknown): Buffer => Buffer.from(JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? `${one}n` : one)))
const read = (bytes: Uint8Array): unknown =>
  JSON.parse(Buffer.from(bytes).toString(), (_name, one) =>
    typeof one === 'string' && /^-?\d+n$/.test(one) ? BigInt(one.slice(0, -1)) : one,
  )

const written = (outputs: readonly FoldedOutput<unknown>[], partition: number) =>
  outputs.map(({ key, output }) => {
    const { topic, conclusion } = output as CurveOutput
    return { topic: topic === 'flags' ? flags : outcomes, partition, key: Buffer.from(key, 'latin1'), value: write(conclusion) }
  })
const folds = [
  {
    ...{ processor: curve, state: stateOf('curve-state'), changelog: mintChangelog, writes: [flags, outcomes] },
    collect: (_header: TapeHeader, outputs: readonly FoldedOutput<unknown>[], partition: number) => written(outputs, partition),
  },
  { processor: deployerProcessor, state: stateOf('deployer-state'), changelog: creatorChangelog, writes: [], collect: () => [] },
] as unknown as TaskDefinition<AltTapeEvent, TapeHeader>['folds']

const definition: TaskDefinition<AltTapeEvent, TapeHeader> = {
  ...{ name: 'curve', folds, input: tape, changelog: taskChangelog, writes: [flags, outcomes, deadLetters] },
  open: () => (record) => ({ ok: true, value: read(record.value ?? Buffer.alloc(0)) as CurveInput }),
  positionOf: (event, header) => ({ chain: header.chain, number: header.number, tx: event.tx, outer: event.outer, inner: event.inner }),
  exchange: {
    ...{ chain: 'alt', topic: exchange, framesPerEpoch: 10, partitions: PARTITIONS, keyBytes: KEY_BYTES },
    partitionOf: createPartitioner(PARTITIONS, (key) => key),
  },
  reject: () => [],
  retract: ({ chain: name, sequence }, dead, partition) =>
    dead.flatMap(({ number, hash8, time, topics }) => {
      const body = { type: 'retraction' as const, sequence }
      const value = write({ id: `${number}${hash8}`, ...tickOf(name, number), hash8, at: time, body })
      return [flags, outcomes]
        .filter((one) => topics.includes(one.name))
        .map((topic) => ({ topic, partition, key: Buffer.from(name), value }))
    }),
}

/** Three curves of two deployers, traded in the same blocks. */
const marketOf = (lives: readonly Ops[]): TapeBatch[] => {
  const blocks = new Map<number, Frame>()
  for (const [n, steps] of lives.entries()) {
    const options = { token: key(20 + n), curve: key(40 + n), deployer: n === 0 ? DEPLOYER_WALLET : wallet(90) }
    for (const { header, events } of lifeOf(steps, options, UNIT).frames) {
      const placed = events.map((event) => ({ ...event, tx: event.tx + n * 1_000 }))
      blocks.set(header.number, { header, events: [...(blocks.get(header.number)?.events ?? []), ...placed] })
    }
  }
  const frames = [...blocks.values()].sort((a, b) => a.header.number - b.header.number)
  const { header: last } = frames.at(-1) as Frame
  const tick = (n: number): Frame => ({ header: { ...last, number: last.number + n + 1, hash8: `tick${n}` }, events: [] })
  const ticks = Array.from({ length: 40 }, (_, n) => tick(n))
  return [...frames, ...ticks].map(({ header, events }) => ({ type: 'batch', ...header, events }) as unknown as TapeBatch)
}

/** Converts a tape record into an input. */
const inputOf = (record: TapeRecord): CurveInput => {
  if (record.type === 'batch') return { type: 'frame', frame: { header: record, events: record.events as unknown as AltTapeEvent[] } }
  return record.type === 'revert' ? { type: 'revert', revert: record } : { type: 'finality', finality: record }
}

const worldOf = (records: readonly TapeRecord[]) =>
  new TaskWorld<AltTapeEvent, TapeHeader>(
    definition,
    { partitions: PARTITIONS, handsOver: false, limits: DEFAULT_LIMITS },
    records.map(inputOf),
    ({ mint }) => mint,
    (input) => write(input),
  )

const conclusions = (world: ReturnType<typeof worldOf>): string[] =>
  [flags, outcomes]
    .flatMap((topic) =>
      world
        .records(topic)
        .flatMap((records) =>
          standingConclusions(records.map(({ value }) => JSON.parse(Buffer.from(value ?? []).toString()) as Conclusion)),
        ),
    )
    .sort()

test('over random forks of a market with restarts, rows and valid conclusions equal those of the canonical branch', () => {
  let [found, retracted] = [0, 0]
  fc.assert(
    fc.property(
      fc.tuple(ops, ops, ops),
      fc.integer({ min: 1, max: 1e6 }),
      fc.array(fc.tuple(fc.nat({ max: PARTITIONS - 1 }), fc.constantFrom('commit' as const, 'restart' as const), fc.nat({ max: 60 }))),
      (lives, seed, breaks) => {
        const canonical = marketOf(lives)
        const straight = worldOf(forkedTape(canonical, 0, seed))
        straight.finish()
        const world = worldOf(forkedTape(canonical, 0.3, seed))
        for (const [partition, action, frames] of breaks) {
          for (let i = 0; i < frames; i++) world.act(partition, 'fold')
          world.act(partition, action)
        }
        world.finish()
        const expected = conclusions(straight)
        expect(conclusions(world)).toEqual(expected)
        for (const processor of ['curve', 'deployer']) expect(world.rows(processor)).toEqual(straight.rows(processor))
        found += expected.length
        retracted += world.records(outcomes).flat().length - straight.records(outcomes).flat().length
      },
    ),
    { numRuns: 8 },
  )
  expect(found).toBeGreaterThan(10)
  expect(retracted).toBeGreaterThan(0)
})
