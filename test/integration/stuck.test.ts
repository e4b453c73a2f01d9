// Tasks that cannot continue with the stored data: each recovery, without an operator.
import { progressCodec, tapeRecordCodec } from '../../schemas/codecs.ts'
import { EngineError } from '../../schemas/errors.ts'
import type { Progress, TapeRecord } from '../../schemas/types.ts'
import type { EngineLimits } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { type Assignment, everything } from '../../topology/ports/assignment.ts'
import type { Log, LogRecord } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { chainPartitionOf } from '../../topology/runtime/task-parts.ts'
import { tapeRecordIn } from '../../topology/versions/decoding/corrected-tape.ts'
import { memoryStaging } from '../../topology/versions/rebuild/staging-stores.ts'
import { Stores } from '../../topology/versions/stores.ts'
import { readStores } from '../../topology/versions/stores-record.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { contentsOf, corrupt, differencesOf, marketBodies, QUICK, wiringOf } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw, readAll } from '../live.ts'

const TIMEOUT_MS = 120_000
const bodies = marketBodies(40, 11)
const half = bodies.findIndex(({ type }, i) => i > bodies.length / 2 && type === 'frame')
const wiring = wiringOf(2)
const COPYING = { ...QUICK, baseIntervalS: 4, basePagesMax: 100 }

type Notice = [code: string, facts: Record<string, string | number>]

/** Folds everything on the log; returns the notices for operators. */
const folded = async (log: Log, limits: EngineLimits = COPYING, assignment: Assignment = everything()): Promise<Notice[]> => {
  const notices: Notice[] = []
  const folds = await startFolds(log, [wiring], limits, { assignment, notice: (...one) => notices.push(one) })
  await folds.caughtUp()
  await folds.stop()
  return notices
}

const withRaw = async (count: number): Promise<Log> => {
  const log = createMemoryLog({ partitions: 2 })
  await appendRaw(log, bodies.slice(0, count), 1)
  return log
}
const foldedTo = (count: number): Promise<Log> =>
  logOnce(`${count}`, 2, async (log) => {
    await appendRaw(log, bodies.slice(0, count), 1)
    await folded(log)
  })
const appendRest = (log: Log): Promise<void> => appendRaw(log, bodies.slice(half), half + 1)

/** The first half is folded, the rest is on the log. */
const afterFolds = async (): Promise<Log> => {
  const log = await foldedTo(half)
  await appendRest(log)
  return log
}

/** Expects that the named contents of the log equal those of a log without a fault. */
const expectAsClean = async (log: Log, names: string[]): Promise<void> => {
  const [is, wanted] = [await contentsOf(log), await contentsOf(await foldedTo(bodies.length))]
  const differences = differencesOf(is, wanted, names)
  expect([differences.length, differences.slice(0, 3)]).toEqual([0, []])
}

/** Runs the decoder only. */
const decoderOnly = (): Assignment => ({
  ...everything(),
  start: (_places, assigned) => assigned(new Set([chainPartitionOf(LAUNCH_RISK)])),
})

const gapsOf = async (log: Log): Promise<(string | null)[]> =>
  (await readAll(log, TOPICS.tape, 0)).map((record) => {
    const read = tapeRecordIn(tapeRecordCodec, record)
    return read?.type === 'batch' ? `${read.gapFrom} ${read.gapTo}` : null
  })

/** The newest record of progress of a partition. */
const progressOf = async (log: Log, partition: number): Promise<Progress> => {
  const read = progressCodec.decode((await readAll(log, TOPICS.progress, partition)).at(-1)?.value as Buffer)
  if (!read.ok) throw new Error(read.reason)
  return read.value
}
const gapOf = async (log: Log, partition: number): Promise<Pick<Progress, 'gapFrom' | 'gapTo'>> => {
  const { gapFrom, gapTo } = await progressOf(log, partition)
  return { gapFrom, gapTo }
}
/** Number of the first frame on the tape. */
const firstFrame = async (log: Log, partition: number): Promise<number> => {
  const records = (await readAll(log, TOPICS.tape, partition)).map((record) => tapeRecordIn(tapeRecordCodec, record))
  return Number(records.flatMap((one) => (one?.type === 'batch' ? [one.number] : []))[0])
}

describe('raw frames that expired before they were decoded', () => {
  test(
    'are a gap, and the decoder continues with the frames that are kept; a restart reports nothing more',
    async () => {
      const log = await afterFolds()
      const kept = bodies.findIndex(({ type }, i) => i > bodies.length - 40 && type === 'frame')
      await log.trim(TOPICS.raw, 0, kept)
      expect(await folded(log)).toEqual([['input_expired', { task: 'decode-solana-0', topic: 'raw.solana', from: half, to: kept - 1 }]])
      const frames = [bodies[half], bodies[kept]].map((body) => (body?.type === 'frame' ? body.parentNumber : null))
      expect(await gapsOf(log)).toContain(`${Number(frames[0]) + 1} ${frames[1]}`)
      expect(await folded(log)).toEqual([])
      expect((await readStores(log, TOPICS.stores, 'solana'))?.redrive).toBe(0)
    },
    TIMEOUT_MS,
  )

  test(
    'do not hold up a decoder for which nothing is kept at all',
    async () => {
      const log = await afterFolds()
      await log.trim(TOPICS.raw, 0, log.end(TOPICS.raw, 0))
      expect((await folded(log)).map(([code]) => code)).toEqual(['input_expired'])
    },
    TIMEOUT_MS,
  )
})

describe('stores that a task cannot continue with', () => {
  const decodedOnly = (): Promise<Log> =>
    logOnce('decoded', 2, async (log) => {
      await appendRaw(log, bodies.slice(0, half), 1)
      await folded(log)
      await appendRest(log)
      await folded(log, COPYING, decoderOnly())
    })
  /** Offset of the last matching tape record of partition 1, or of the record `back` before it. */
  const lastOf = async (log: Log, isAsked: (record: TapeRecord, before: TapeRecord) => boolean, back = 0): Promise<number> => {
    const records = (await readAll(log, TOPICS.tape, 1)).slice(0, -20)
    const tape = records.map((record) => tapeRecordIn(tapeRecordCodec, record) as TapeRecord)
    return (records[tape.findLastIndex((one, i) => i > 0 && isAsked(one, tape[i - 1] as TapeRecord)) - back] as LogRecord).offset
  }
  const epoch = (record: TapeRecord): number => Math.floor(record.type === 'batch' ? record.number / LAUNCH_RISK.chain.framesPerEpoch : -1)

  test.each([
    [
      'the newest record of the exchange',
      'exchange_torn',
      TOPICS.exchange,
      afterFolds,
      async (log: Log) => log.end(TOPICS.exchange, 1) - 1,
    ],
    [
      'a frame of the tape that ends an epoch',
      'exchange_torn',
      TOPICS.tape,
      decodedOnly,
      (log: Log) => lastOf(log, (record, before) => record.type === 'batch' && before.type === 'batch' && epoch(record) !== epoch(before)),
    ],
    [
      'a frame of the tape that a fork rolled back',
      'tape_torn',
      TOPICS.tape,
      decodedOnly,
      (log: Log) => lastOf(log, (record, before) => record.type === 'revert' && record.dead.length > 1 && before.type === 'batch', 1),
    ],
  ] as const)(
    'are rebuilt automatically after corruption of %s',
    async (_name, expected, topic, made, offsetOf) => {
      const log = await made()
      const torn = corrupt(log, topic, 1, await offsetOf(log))
      const notices = await folded(torn)
      expect(notices.map(([code, { reason }]) => [code, String(reason).split(' ')[0]])).toEqual([['stores_mended', expected]])
      await expectAsClean(torn, ['tape', 'mints', 'creators', 'flags', 'outcomes'])
      expect(await folded(torn)).toEqual([])
    },
    TIMEOUT_MS,
  )

  test(
    'are rebuilt automatically if the time of the tape falls',
    async () => {
      const log = await decodedOnly()
      const at = await lastOf(log, (record, before) => record.type === 'batch' && before.type === 'batch')
      const torn = corrupt(log, TOPICS.tape, 1, at, (value) => {
        const read = tapeRecordCodec.decode(value)
        return read.ok && read.value.type === 'batch' ? tapeRecordCodec.encode({ ...read.value, time: read.value.time - 3_600 }) : value
      })
      const notices = await folded(torn)
      expect(notices.map(([code, { reason }]) => [code, String(reason).split(' ')[0]])).toEqual([['stores_mended', 'time_fell']])
      await expectAsClean(torn, ['tape', 'mints', 'creators', 'flags', 'outcomes'])
      expect(await folded(torn)).toEqual([])
    },
    TIMEOUT_MS,
  )

  test(
    'are rebuilt past a fork that is deeper than their undo',
    async () => {
      const log = await withRaw(bodies.length)
      const notices = await folded(log, { ...COPYING, undoFramesMax: 1 })
      expect(new Set(notices.map(([code, { reason }]) => `${code} ${String(reason).split(' ')[0]}`))).toEqual(
        new Set(['stores_mended undo_exhausted']),
      )
      // The tape is not compared: after the rebuild it lacks the frames that the forks rolled back.
      await expectAsClean(log, ['mints', 'creators', 'flags', 'outcomes'])
    },
    TIMEOUT_MS,
  )

  test(
    'are rebuilt if the tape was trimmed past what they have folded, with a gap',
    async () => {
      const log = await foldedTo(half)
      const reached = await progressOf(log, 0)
      const late = bodies.findLastIndex(({ type }) => type === 'frame')
      await appendRaw(log, bodies.slice(half, late), half + 1)
      await folded(log, COPYING, decoderOnly())
      for (const partition of [0, 1]) await log.trim(TOPICS.tape, partition, log.end(TOPICS.tape, partition) - 20)
      const notices = await folded(log)
      expect(notices.map(([code]) => code)).toEqual(['stores_mended'])
      expect(await folded(log)).toEqual([])
      await appendRaw(log, bodies.slice(late), late + 1)
      await folded(log)
      const firsts = [await firstFrame(log, 0), await firstFrame(log, 1)]
      const gaps = [await gapOf(log, 0), await gapOf(log, 1)]
      expect(gaps).toEqual([0, 1].map(() => ({ gapFrom: reached.number + 1, gapTo: Math.max(...firsts) - 1 })))
    },
    TIMEOUT_MS,
  )
})

test(
  'stores rebuilt for a cause are not rebuilt again for the same cause until a redrive, but are for another cause',
  async () => {
    const log = await foldedTo(half)
    const stop = new AbortController().signal
    const stores = new Stores({ log, topology: wiring, limits: COPYING, staging: memoryStaging(), stop, progress: () => {} })
    const at = (number: number): EngineError =>
      new EngineError('undo_exhausted', 'too deep', {
        facts: { chain: 'solana', number, hash8: 'a', newest: number + 9, newestHash8: 'b' },
      })
    const repaired = async (failure: unknown): Promise<boolean> => {
      await stores.repair(failure, false, stop)
      return stores.prepare(stop)
    }
    expect(await repaired(at(7))).toBe(true)
    await expect(repaired(at(7))).rejects.toMatchObject({ code: 'rebuilt_in_vain', message: expect.stringContaining('too deep') })
    expect(await repaired(at(8))).toBe(true)
    await expect(repaired(at(8))).rejects.toMatchObject({ code: 'rebuilt_in_vain' })
    expect(await stores.redrive(stop)).toMatchObject({ ok: true })
    expect(await repaired(at(8))).toBe(true)
    const other = new EngineError('log_full', 'the disk is full')
    await expect(repaired(other)).rejects.toBe(other)
  },
  TIMEOUT_MS,
)
