// Data directories in which the tasks cannot continue: `up`, in a separate process, recovers by itself and answers meanwhile.
import { cpSync } from 'node:fs'
import { tapeRecordCodec } from '../../schemas/codecs.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { DurableLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { everything } from '../../topology/ports/assignment.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { chainPartitionOf } from '../../topology/runtime/task-parts.ts'
import { tapeRecordIn } from '../../topology/versions/decoding/corrected-tape.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { readAll } from '../live.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { cardsIn, directory, FOLDED, openDirectory, PARTITIONS, SENT, type Seen, sendUpTo, spoil, startOn } from './stuck-given.ts'

const TIMEOUT_MS = 120_000
let dir = ''
/** A data directory without a fault. It is made once; each test begins with a copy of it. */
let begun = ''
let seen: Seen | undefined
/** Cards and last slot of a run without a fault. */
let clean: ReadonlyMap<string, string>
let last = 0

const fold = async (log: DurableLog, only?: string): Promise<void> => {
  const owned = only === undefined ? {} : { assignment: { ...everything(), start: onlyAt(only) } }
  const folds = await startFolds(log, [LAUNCH_RISK], { ...DEFAULT_LIMITS, baseIntervalS: 20, basePagesMax: 100 }, owned)
  await folds.caughtUp()
  await folds.stop()
}
const onlyAt =
  (partition: string): ReturnType<typeof everything>['start'] =>
  (_places, assigned) =>
    assigned(new Set([partition]))

/** Sends and folds some frames, then sends more. */
const foldPart = async (): Promise<void> => {
  const log = await openDirectory(begun)
  await sendUpTo(log, FOLDED)
  await fold(log)
  await sendUpTo(log, SENT)
  await log.close()
}
/** Copies that directory to `dir` and changes the copy further. */
const partFolded = async (further: (log: DurableLog) => Promise<void>): Promise<void> => {
  cpSync(begun, dir, { recursive: true })
  const log = await openDirectory(dir)
  await further(log)
  await log.close()
}
/** Stops the product, as a user would; returns its cards. */
const stopped = async ({ up }: Seen): Promise<ReadonlyMap<string, string>> => {
  expect(await up.stop()).toBe(0)
  const log = await openDirectory(dir)
  const cards = await cardsIn(log)
  await log.close()
  return cards
}

beforeAll(async () => {
  begun = directory()
  await foldPart()
  const log = createMemoryLog({ partitions: PARTITIONS })
  await sendUpTo(log)
  const folds = await startFolds(log, [LAUNCH_RISK])
  await folds.caughtUp()
  await folds.stop()
  clean = await cardsIn(log)
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  last = view.status().folded?.number ?? 0
  await view.stop()
}, TIMEOUT_MS)
afterAll(() => removeDirectory(begun))
beforeEach(() => {
  dir = directory()
})
afterEach(async () => {
  if (seen?.up.isAlive) await seen.up.kill()
  seen = undefined
  removeDirectory(dir)
})

describe('a data directory in which the tasks cannot continue', () => {
  test(
    'whose exchange cannot be read is rebuilt while the API answers why, and its cards are as without the fault',
    async () => {
      let newest = 0
      await partFolded(async (log) => {
        newest = log.end(TOPICS.exchange, 1) - 1
      })
      await spoil(dir, TOPICS.exchange, 1, newest)
      seen = await startOn(dir, last)
      expect(seen.up.lines.filter((line) => line.includes('stores_mended'))).toHaveLength(1)
      expect(seen.texts.join('\n')).toMatch(/rebuilding: .*exchange_torn/)
      expect(seen.health.ok).toBe(true)
      expect(seen.health.degraded.filter((reason) => !reason.startsWith('history'))).toEqual([])
      expect(await stopped(seen)).toEqual(clean)
    },
    TIMEOUT_MS,
  )

  test(
    'whose tape has an unreadable record is decoded again, and its cards are as without the fault',
    async () => {
      let at = 0
      await partFolded(async (log) => {
        await fold(log, chainPartitionOf(LAUNCH_RISK))
        const records = (await readAll(log, TOPICS.tape, 1)).map((record) => ({
          offset: record.offset,
          of: tapeRecordIn(tapeRecordCodec, record),
        }))
        const fork = records.findLastIndex(
          ({ of }, i) => of?.type === 'revert' && of.dead.length > 1 && records[i - 1]?.of?.type === 'batch',
        )
        at = records[fork - 1]?.offset ?? -1
      })
      await spoil(dir, TOPICS.tape, 1, at)
      seen = await startOn(dir, last)
      expect(seen.texts.join('\n')).toMatch(/rebuilding: .*(tape|exchange)_torn/)
      expect(seen.health.ok).toBe(true)
      expect(seen.health.degraded.filter((reason) => !reason.startsWith('history'))).toEqual([])
      expect(await stopped(seen)).toEqual(clean)
    },
    TIMEOUT_MS,
  )

  test(
    'whose raw frames expired before they were decoded continues past a gap, and /health names it',
    async () => {
      await partFolded((log) => log.trim(TOPICS.raw, 0, log.end(TOPICS.raw, 0) - 200))
      seen = await startOn(dir, last)
      await expectGap(seen, 'input_expired')
    },
    TIMEOUT_MS,
  )

  test(
    'whose tape was trimmed past what a task has folded keeps its older rows, with a gap that /health names and cards show',
    async () => {
      await partFolded(async (log) => {
        await fold(log, chainPartitionOf(LAUNCH_RISK))
        for (let at = 0; at < PARTITIONS; at++) await log.trim(TOPICS.tape, at, log.end(TOPICS.tape, at) - 200)
      })
      seen = await startOn(dir, last)
      expect(seen.texts.join('\n')).toMatch(/rebuilding: .*offset_expired/)
      await expectGap(seen, 'stores_mended')
    },
    TIMEOUT_MS,
  )
})

/** The fields of a coin that trades change. */
const tradesIn = (card: string): string => {
  const { curve, pool, demand } = JSON.parse(card) as Record<string, unknown>
  return JSON.stringify({ curve, pool, demand })
}

/** The gap is logged once, and `/health` names it. A card that misses a trade is not full; cards of later launches are. */
const expectGap = async ({ up, health, texts }: Seen, code: string): Promise<void> => {
  expect([up.lines.filter((line) => line.includes(code)).length, texts.length > 0]).toEqual([1, true])
  const [, from, to] = /^gap: slots (\d+) to (\d+) are missing/.exec(health.degraded.join('\n')) ?? []
  expect(Number(to) - Number(from)).toBeGreaterThan(50)
  const cards = await stopped({ up, health, texts })
  const isFull = (card: string): boolean => (JSON.parse(card) as { coverage: string }).coverage === 'full'
  const full = [...cards].filter(([, card]) => isFull(card))
  expect(full.length).toBeGreaterThan(3)
  expect(full.filter(([mint, card]) => tradesIn(card) !== tradesIn(clean.get(mint) ?? '{}')).map(([mint]) => mint)).toEqual([])
  expect(full.length).toBeLessThan([...clean.values()].filter(isFull).length)
}
