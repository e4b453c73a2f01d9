// What retention deletes: by age in stream time, and by the cap.

import { rawRecordCodec, tapeRecordCodec } from '../../../schemas/codecs.ts'
import { EngineError } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { RawFrame, TapeBatch } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log } from '../../../topology/ports/log.ts'
import type { HistoryDays } from '../../../topology/sinks/retention/history-days.ts'
import { firstFrom, measureAt, rawTime, tapeTime } from '../../../topology/sinks/retention/log-times.ts'
import { Retention, type SunkHistory } from '../../../topology/sinks/retention/retention.ts'
import { planRetention, type RetentionFacts } from '../../../topology/sinks/retention/retention-plan.ts'
import { syntheticTape } from '../../bench/synthetic-tape.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { appendTape, foldToEnd } from '../../live.ts'

const HOUR = 3_600
const NOW = 1_790_000_000
const SETTINGS = { rawHours: 24, tapeDays: 7, capBytes: 1_000 }
const FACTS: RetentionFacts = {
  folded: NOW,
  sunk: NOW,
  bytes: 100,
  oldestRaw: NOW - 10 * HOUR,
  oldestTape: NOW - 100 * HOUR,
  historyDays: ['20260901', '20260902', '20260903'],
}
const FULL = { ...FACTS, bytes: 900 }

describe('the plan', () => {
  test('deletes only by age while there is space', () => {
    expect(planRetention(FACTS, SETTINGS)).toEqual({
      rawBefore: NOW - 24 * HOUR,
      tapeBefore: NOW - 168 * HOUR,
      dropDay: null,
      notice: null,
    })
  })
  test('counts age from the position of a history that lags, and does not wait without a history', () => {
    expect(planRetention({ ...FACTS, sunk: NOW - HOUR }, SETTINGS).rawBefore).toBe(NOW - 25 * HOUR)
    expect(planRetention({ ...FACTS, sunk: null }, SETTINGS)).toEqual({ rawBefore: null, tapeBefore: null, dropDay: null, notice: null })
    const { sunk: _none, ...alone } = FACTS
    expect(planRetention(alone, SETTINGS).rawBefore).toBe(NOW - 24 * HOUR)
  })
  test('deletes nothing before anything is folded, however full the log is', () => {
    expect(planRetention({ ...FULL, folded: null }, SETTINGS)).toEqual({ rawBefore: null, tapeBefore: null, dropDay: null, notice: null })
  })
  test('deletes old raw frames first at 90 % of the cap, including those not yet in the history', () => {
    expect(planRetention({ ...FULL, sunk: null }, SETTINGS)).toEqual({
      rawBefore: NOW - HOUR,
      tapeBefore: null,
      dropDay: null,
      notice: 'raw_cut_short',
    })
    expect(planRetention({ ...FULL, bytes: 899 }, SETTINGS).notice).toBeNull()
  })
  test('deletes the oldest day of the history if raw frames are short already, then the tape beyond a day', () => {
    const short = { ...FULL, oldestRaw: NOW - HOUR - 60 }
    expect(planRetention(short, SETTINGS)).toMatchObject({ dropDay: '20260901', notice: 'history_day_dropped', rawBefore: NOW - HOUR })
    expect(planRetention({ ...short, historyDays: ['20260903'] }, SETTINGS)).toMatchObject({
      tapeBefore: NOW - 24 * HOUR,
      dropDay: null,
      notice: 'tape_cut_short',
    })
    const least = { ...short, historyDays: [], oldestTape: NOW - 24 * HOUR }
    expect(planRetention(least, SETTINGS).notice).toBe('data_cap_too_small')
  })
  test('keeps a setting that is shorter than the cap allows', () => {
    expect(planRetention(FULL, { ...SETTINGS, rawHours: 0.5 }).rawBefore).toBe(NOW - HOUR / 2)
  })
})

describe('on a log', () => {
  /** An hour and a half of frames, ten seconds apart. */
  const TAPE: TapeBatch[] = [...syntheticTape({ events: 540, eventsPerFrame: 1, eventsPerMint: 5, seed: 3 })].map((batch, i) => ({
    ...batch,
    time: NOW + i * 10,
  }))
  const LAST = NOW + 539 * 10
  const rawFrame = ({ number, time }: TapeBatch): RawFrame => ({
    type: 'frame',
    chain: 'solana',
    number,
    hash: String(number),
    hashSynthetic: false,
    parentNumber: null,
    parentHash: null,
    status: 'processed',
    blockTime: time,
    whole: true,
    placed: true,
    vouched: false,
    part: 0,
    parts: 1,
    missing: [],
    body: Buffer.alloc(0),
  })
  const given = async (): Promise<Log> => {
    const log = createMemoryLog({ partitions: 2 })
    await appendTape(log, TAPE)
    await foldToEnd(log, DEFAULT_LIMITS)
    return log
  }
  const retentionOf = (log: Log, bytes: number, history: SunkHistory | null, notices: string[] = [], spareBytes = 1_000): Retention =>
    new Retention({
      topology: LAUNCH_RISK,
      log,
      disk: { usedBytes: () => bytes, spareBytes: () => spareBytes },
      settings: { rawHours: 24, tapeDays: 1 / 48, capBytes: 1_000 },
      history: () => history,
      notice: (code) => notices.push(code),
    })

  test('finds a time in every partition, and never passes the newest record', async () => {
    const log = await given()
    for (const partition of [0, 1]) {
      expect(await firstFrom(log, TOPICS.tape, partition, NOW + 1_000, tapeTime(LAUNCH_RISK.chain.tape))).toBe(100)
      expect(await firstFrom(log, TOPICS.tape, partition, NOW + 1_001, tapeTime(LAUNCH_RISK.chain.tape))).toBe(101)
      expect(await firstFrom(log, TOPICS.tape, partition, 0, tapeTime(LAUNCH_RISK.chain.tape))).toBe(0)
      expect(await firstFrom(log, TOPICS.tape, partition, LAST + 1_000, tapeTime(LAUNCH_RISK.chain.tape))).toBe(539)
    }
  })
  test('skips records of finality, forks and anchors between the frames', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const owner = await log.own('test')
    const put = (topic: Topic, value: Uint8Array) => ({ topic, partition: 0, key: Buffer.from('solana'), value })
    const chain = 'solana' as const
    const outputs = TAPE.slice(0, 100).flatMap((batch, i) => [
      ...Array.from({ length: 3 }, () =>
        put(TOPICS.tape, tapeRecordCodec.encode({ type: 'finality', chain, sequence: i, confirmed: i, finalized: i })),
      ),
      put(TOPICS.tape, tapeRecordCodec.encode({ type: 'revert', chain, sequence: i, number: i, hash8: 'h', dead: [] })),
      put(TOPICS.tape, tapeRecordCodec.encode(batch)),
      put(TOPICS.raw, rawRecordCodec.encode({ sequence: i, body: { type: 'revert', chain, number: i, hash: 'h' } })),
      put(TOPICS.raw, rawRecordCodec.encode({ sequence: i, body: { type: 'anchor', streamMs: i, wallMs: i, speed: 1 } })),
      put(TOPICS.raw, rawRecordCodec.encode({ sequence: i, body: rawFrame(batch) })),
    ])
    await owner.commit({ outputs, inputs: new Map() })
    // The frame is the last record of its group; the records before it have no time, and are kept or deleted with it.
    for (const [topic, each, measure] of [
      [TOPICS.tape, 5, tapeTime(LAUNCH_RISK.chain.tape)],
      [TOPICS.raw, 3, rawTime],
    ] as const) {
      expect(await measureAt(log, topic, 0, 0, measure)).toBe(NOW)
      const first = await firstFrom(log, topic, 0, NOW + 400, measure)
      expect(Math.floor(first / each)).toBe(40)
      expect(await firstFrom(log, topic, 0, NOW + 100_000, measure)).toBe(100 * each - 1)
    }
  })
  test('deletes older tape from every partition at half an hour of retention, while the folds continue', async () => {
    const log = await given()
    await retentionOf(log, 10, null).once()
    for (const partition of [0, 1]) expect(log.start(TOPICS.tape, partition)).toBe(539 - 180)
    await foldToEnd(log, DEFAULT_LIMITS)
  })
  test('waits for a history that has not caught up', async () => {
    const log = await given()
    await retentionOf(log, 10, { upTo: () => null, days: null }).once()
    expect(log.start(TOPICS.tape, 0)).toBe(0)
  })
  test('deletes a day of the history at a full cap with a notice, and continues if the history is unreachable', async () => {
    const log = await given()
    const dropped: string[] = []
    const notices: string[] = []
    const days: HistoryDays = {
      days: async () => ['20260921', '20260922'],
      bytes: async () => 800,
      drop: async (day) => void dropped.push(day),
    }
    await retentionOf(log, 150, { upTo: () => LAST, days }, notices).once()
    expect(dropped).toEqual(['20260921'])
    const away = async (): Promise<never> => {
      throw new EngineError('history_down', 'away', { retriable: true })
    }
    const plan = await retentionOf(log, 950, { upTo: () => LAST, days: { days: away, bytes: away, drop: away } }, notices).once()
    expect(plan.notice).toBe('data_cap_too_small')
    expect(notices).toEqual(['history_day_dropped', 'data_cap_too_small'])
  })
  test('uses the free disk space as the cap if it is smaller', async () => {
    const log = await given()
    const noticeWith = async (spareBytes: number) => (await retentionOf(log, 450, null, [], spareBytes).once()).notice
    expect(await noticeWith(51)).toBeNull()
    expect(await noticeWith(49)).toBe('data_cap_too_small')
  })
})
