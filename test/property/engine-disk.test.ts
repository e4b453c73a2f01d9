// Folds and views with their evicted rows on disk, against the same ones in memory.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { TapeHeader } from '../../processors/tape.ts'
import { tapeRecordCodec } from '../../schemas/codecs.ts'
import { type Key, toBase58 } from '../../schemas/keys.ts'
import { tapeKeyOf } from '../../schemas/tape-key.ts'
import type { TapeBatch, TapeEvent, TapeRecord } from '../../schemas/types.ts'
import type { Input } from '../../topology/engine/definition.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { IN_MEMORY } from '../../topology/engine/rows/memory-pages.ts'
import { parsePageKey } from '../../topology/engine/rows/state-type.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { PageStore } from '../../topology/ports/keyed-pages.ts'
import { tapeInput } from '../../topology/records/readers.ts'
import { RecordRows } from '../../topology/views/record-view.ts'
import { creatorSteps, creatorTape, withQuiet } from '../fixtures/creator-tape.ts'
import { forkedTape } from '../fixtures/forked-tape.ts'
import { type TestScratch, testScratch } from '../fixtures/scratch.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { TaskWorld } from '../task-world.ts'

const PARTITIONS = 2
const LIMITS = { ...DEFAULT_LIMITS, hotFrames: 1 }
const tape: readonly TapeBatch[] = withQuiet(creatorTape(fc.sample(creatorSteps, { numRuns: 1, seed: 40 })[0] ?? []))

const encode = (input: Input<TapeEvent, TapeHeader>): Uint8Array => {
  const record = (): TapeRecord => {
    if (input.type === 'frame') return { ...(input.frame.header as TapeBatch), events: [...input.frame.events] }
    return (input.type === 'revert' ? input.revert : input.finality) as TapeRecord
  }
  return tapeRecordCodec.encode(record())
}
const worldOf = (records: readonly TapeRecord[], pages: PageStore) =>
  new TaskWorld<TapeEvent, TapeHeader>(
    LAUNCH_RISK.folds(PARTITIONS),
    { partitions: PARTITIONS, handsOver: false, limits: LIMITS, pages },
    records.map(tapeInput),
    (event) => toBase58(tapeKeyOf(event)),
    encode,
  )
type World = ReturnType<typeof worldOf>

const WRITTEN = [TOPICS.flags, TOPICS.outcomes, TOPICS.mintChangelog, TOPICS.creatorChangelog, TOPICS.walletChangelog, TOPICS.exchange]
const bytesOf = (world: World): string[] =>
  WRITTEN.flatMap((topic) =>
    world.records(topic).flatMap((records) => records.map(({ value }) => `${topic.name} ${value && Buffer.from(value).toString('hex')}`)),
  )

let scratch: TestScratch
beforeEach(() => {
  scratch = testScratch({ youngBytesMax: 0 })
})
afterEach(() => scratch.close())

const breaks = fc.array(
  fc.tuple(fc.nat({ max: PARTITIONS - 1 }), fc.constantFrom('commit' as const, 'restart' as const), fc.nat({ max: 60 })),
)
const played = (
  records: readonly TapeRecord[],
  steps: readonly (readonly [number, 'commit' | 'restart', number])[],
  pages: PageStore,
): World => {
  const world = worldOf(records, pages)
  for (const [partition, action, frames] of steps) {
    for (let i = 0; i < frames; i++) world.act(partition, 'fold')
    world.act(partition, action)
  }
  world.finish()
  return world
}

test('folds with all evicted rows on disk write the same bytes, over forks and restarts', () => {
  let forked = 0
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), breaks, (seed, steps) => {
      const records = forkedTape(tape, 0.25, seed)
      forked += records.filter(({ type }) => type === 'revert').length
      const [inMemory, onDisk] = [played(records, steps, IN_MEMORY), played(records, steps, scratch.store)]
      expect(bytesOf(onDisk)).toEqual(bytesOf(inMemory))
      for (const processor of ['mint', 'creator', 'wallet']) expect(onDisk.rows(processor)).toEqual(inMemory.rows(processor))
      expect(bytesOf(onDisk).length).toBeGreaterThan(100)
    }),
    { numRuns: 4 },
  )
  expect(forked).toBeGreaterThan(0)
  expect(readdirSync(join(scratch.dir, 'scratch'))).toHaveLength(1)
})

test('a view with all records on disk gives the same answers', () => {
  const world = played(forkedTape(tape, 0.25, 7), [], IN_MEMORY)
  const [inMemory, onDisk] = [new RecordRows(), new RecordRows(scratch.store)]
  const keys = new Set<Key>()
  const compare = (): void => {
    expect(onDisk.size).toEqual(inMemory.size)
    for (const key of keys) expect([onDisk.creator(key), onDisk.wallet(key)]).toEqual([inMemory.creator(key), inMemory.wallet(key)])
  }
  for (const record of world.records(TOPICS.creatorChangelog).flat()) {
    keys.add(parsePageKey(record.key).key as Key)
    for (const rows of [inMemory, onDisk]) rows.putCreator(record)
    if (record.offset % 10 === 0) compare()
  }
  compare()
  expect(keys.size).toBeGreaterThan(2)
  expect(inMemory.size.creators).toBeGreaterThan(1)
  const [first] = keys as Iterable<Key>
  for (const rows of [inMemory, onDisk])
    rows.putCreator({ offset: 1e6, key: Buffer.concat([Buffer.from(first ?? '', 'latin1'), Buffer.of(0, 0)]), value: null })
  compare()
  for (const rows of [inMemory, onDisk]) rows.clearCreators()
  compare()
  expect(onDisk.size.creators).toBe(0)
})
