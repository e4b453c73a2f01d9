// Stores of another version: rebuilt before their tasks run, as a clean run of the new version would make them.
import { tapeRecordCodec } from '../../schemas/codecs.ts'
import { EngineError } from '../../schemas/errors.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { contentsOf, corrupt, foldAll, marketBodies, QUICK, wiringOf } from '../fixtures/rebuild-market.ts'
import { CONCLUDED, TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'

const TIMEOUT_MS = 120_000
const bodies = marketBodies(40, 10)
const cut = Math.floor(bodies.length * 0.7)
/** Index of the first fork after the cut; after a rebuild up to here, it rolls back rebuilt rows. */
const forkAt = bodies.findIndex(({ type }, i) => i > cut && type === 'revert')

const clean = (partitions: number, count: number, decoder = 2): Promise<Log> =>
  logOnce(`${[partitions, count, decoder]}`, partitions, async (log) => {
    await appendRaw(log, bodies.slice(0, count), 1)
    await foldAll(log, wiringOf(decoder))
  })

describe('a decoder that reads what its predecessor could not', () => {
  test.each([1, 3])(
    'leaves what a clean run of the new decoder leaves, and continues like that run: %i partitions',
    async (partitions) => {
      const log = await clean(partitions, forkAt, 1)
      const before = await contentsOf(log)
      expect(before.letters?.length).toBeGreaterThan(10)
      await foldAll(log, wiringOf(2))
      const rebuilt = await contentsOf(log)
      const expected = await contentsOf(await clean(partitions, forkAt))
      expect(expected.tape).not.toEqual(before.tape)
      expect(expected.flags).not.toEqual(before.flags)
      for (const name of Object.keys(expected)) expect([name, rebuilt[name]]).toEqual([name, expected[name]])

      await appendRaw(log, bodies.slice(forkAt), forkAt + 1)
      await foldAll(log, wiringOf(2))
      const later = await contentsOf(await clean(partitions, bodies.length))
      const goneOn = await contentsOf(log)
      for (const name of Object.keys(later)) expect([name, goneOn[name]]).toEqual([name, later[name]])
    },
    TIMEOUT_MS,
  )
})

describe('a processor of the folds with different output', () => {
  test(
    'is rebuilt from the tape alone: its output equals that of a clean run',
    async () => {
      const log = await clean(2, forkAt, 2)
      const before = await contentsOf(log)
      await foldAll(log, wiringOf(2, 3))
      const rebuilt = await contentsOf(log)
      const fresh = createMemoryLog({ partitions: 2 })
      await appendRaw(fresh, bodies.slice(0, forkAt), 1)
      await foldAll(fresh, wiringOf(2, 3))
      const expected = await contentsOf(fresh)
      expect(expected.flags).not.toEqual(before.flags)
      for (const name of Object.keys(expected)) expect([name, rebuilt[name]]).toEqual([name, expected[name]])
      expect(log.end(TOPICS.corrections, 0)).toBe(0)
    },
    TIMEOUT_MS,
  )

  test(
    'does not repeat unchanged output',
    async () => {
      const log = await clean(2, forkAt, 2)
      const ends = [...CONCLUDED, TOPICS.mintChangelog].map((topic) => log.end(topic, 0))
      const stores = log.end(TOPICS.stores, 0)
      await foldAll(log, wiringOf(2))
      expect(log.end(TOPICS.stores, 0)).toBe(stores)
      expect([...CONCLUDED, TOPICS.mintChangelog].map((topic) => log.end(topic, 0))).toEqual(ends)
    },
    TIMEOUT_MS,
  )

  test(
    'is refused if a newer version wrote the stores; the error names the options, and nothing is changed',
    async () => {
      const log = await clean(1, 60, 2)
      const before = await contentsOf(log)
      const older = startFolds(log, [wiringOf(1)], QUICK)
      await expect(older).rejects.toMatchObject({
        code: 'stores_newer',
        message: expect.stringMatching(/version 2 of decode-solana.*has version 1.*newer program.*MINTFOLD_DATA_DIR/),
      })
      expect(await contentsOf(log)).toEqual(before)
    },
    TIMEOUT_MS,
  )
})

describe('a redrive', () => {
  test(
    'repairs an unreadable record of the tape',
    async () => {
      const log = await clean(2, forkAt, 2)
      const expected = await contentsOf(log)
      const torn = corrupt(log, TOPICS.tape, 1, Math.floor(log.end(TOPICS.tape, 1) / 2))
      const folds = await startFolds(torn, [wiringOf(2)], QUICK)
      const stop = new AbortController().signal
      expect(await folds.redrive(stop)).toMatchObject({ ok: true, report: { corrected: 2, lettersRead: 0, lettersDead: 0 } })
      await folds.caughtUp()
      await folds.stop()
      const repaired = await contentsOf(torn)
      for (const name of Object.keys(expected)) expect([name, repaired[name]]).toEqual([name, expected[name]])
      expect(await contentsOf(torn)).toEqual(repaired)
    },
    TIMEOUT_MS,
  )

  test(
    'makes an unreadable raw record a dead letter, once',
    async () => {
      const log = createMemoryLog({ partitions: 2 })
      await appendRaw(log, bodies.slice(0, forkAt), 1)
      const torn = corrupt(log, TOPICS.raw, 0, 30)
      await foldAll(torn, wiringOf(1))
      await foldAll(torn, wiringOf(2))
      const fresh = createMemoryLog({ partitions: 2 })
      await appendRaw(fresh, bodies.slice(0, forkAt), 1)
      const freshTorn = corrupt(fresh, TOPICS.raw, 0, 30)
      await foldAll(freshTorn, wiringOf(2))
      const [rebuilt, expected] = [await contentsOf(torn), await contentsOf(freshTorn)]
      expect(expected.letters?.length).toBe(1)
      for (const name of Object.keys(expected)) expect([name, rebuilt[name]]).toEqual([name, expected[name]])
    },
    TIMEOUT_MS,
  )

  test(
    'goes back as far as raw frames are kept; older tape records stay as they are',
    async () => {
      const log = await clean(2, forkAt, 1)
      const before = await contentsOf(log)
      const cutAt = bodies.findIndex(({ type }, i) => i > forkAt * 0.85 && type === 'frame' && bodies[i - 1]?.type === 'frame')
      await log.trim(TOPICS.raw, 0, cutAt)
      await foldAll(log, wiringOf(2))
      const rebuilt = await contentsOf(log)
      const expected = await contentsOf(await clean(2, forkAt))
      const sequenceOf = (text: string): number => {
        const read = tapeRecordCodec.decode(Buffer.from(text.split(' ')[1] as string, 'hex'))
        return read.ok ? read.value.sequence : -1
      }
      const older = (texts: readonly string[] = []): string[] => texts.filter((text) => sequenceOf(text) < cutAt + 1)
      const newer = (texts: readonly string[] = []): string[] => texts.filter((text) => sequenceOf(text) >= cutAt + 1)
      expect(older(rebuilt.tape)).toEqual(older(before.tape))
      expect(newer(rebuilt.tape)).toEqual(newer(expected.tape))
      const letters = (texts: readonly string[] = []): number => texts.length
      expect(letters(rebuilt.letters)).toBeLessThan(letters(before.letters))
      expect(letters(rebuilt.letters)).toBeGreaterThan(0)
      const tipOf = (texts: readonly string[] = []) => JSON.parse((texts[0] as string).replace(/^\S+ tip /, '')) as Record<string, unknown>
      const { events, deadLetters, ...tip } = tipOf(rebuilt.decoder)
      const { events: allEvents, deadLetters: none, ...cleanTip } = tipOf(expected.decoder)
      expect(tip).toEqual(cleanTip)
      expect(Number(events) + Number(deadLetters)).toBe(Number(allEvents) + Number(none))
    },
    TIMEOUT_MS,
  )

  test(
    'that fails leaves everything unchanged, and processing continues',
    async () => {
      const log = await clean(2, 60, 2)
      const before = await contentsOf(log)
      const full = {
        open: async () => Promise.reject(new EngineError('log_full', 'the disk is full')),
        noteUser: async () => {},
        user: async () => undefined,
        close: async () => {},
        drop: async () => {},
      }
      const folds = await startFolds(log, [wiringOf(2)], QUICK, { staging: () => full })
      expect(await folds.redrive(new AbortController().signal)).toEqual({ ok: false, reason: 'the disk is full' })
      await appendRaw(log, bodies.slice(60, 80), 61)
      await folds.caughtUp()
      await folds.stop()
      expect((await contentsOf(log)).tape).not.toEqual(before.tape)
      expect(await contentsOf(log)).toEqual(await contentsOf(await clean(2, 80)))
    },
    TIMEOUT_MS,
  )
})

test(
  'dead letters of orphaned frames are retracted',
  async () => {
    const log = await clean(2, bodies.length, 1)
    const { letters = [], tape = [] } = await contentsOf(log)
    const dead = new Map<string, number>()
    const canonical = new Map<string, number>()
    for (const text of tape) {
      const read = tapeRecordCodec.decode(Buffer.from(text.split(' ')[1] as string, 'hex'))
      if (read.ok && read.value.type === 'revert') for (const { hash8 } of read.value.dead) dead.set(hash8, read.value.sequence)
      if (read.ok && read.value.type === 'batch') canonical.set(read.value.hash8, read.value.sequence)
    }
    const isDead = (hash8: string): boolean => (dead.get(hash8) ?? -1) > (canonical.get(hash8) ?? 0)
    const hashes = letters.map((text) => /@(\w{8}):/.exec(text)?.[1] ?? '')
    expect([...canonical.keys()].some(isDead)).toBe(true)
    expect(hashes.filter(isDead)).toEqual([])
    expect(hashes.length).toBeGreaterThan(10)
    const deadLetters = await log.read(TOPICS.deadLetters, 0, 0, { recordsMax: 1e6, bytesMax: 1e9 })
    expect(deadLetters.length).toBeGreaterThan(letters.length)
  },
  TIMEOUT_MS,
)
