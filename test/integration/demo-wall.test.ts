// The demo on the wall clock: its history ends now, a stop is caught up, and what is beyond six hours is a gap.
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { NO_LOSSES } from '../../topology/simulator/solana/losses.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { DemoSource } from '../../topology/simulator/solana/source.ts'
import type { DemoSourceOptions } from '../../topology/simulator/solana/source-options.ts'
import { tinyMarket } from '../fixtures/demo-bytes-market.ts'
import { framesOf } from '../fixtures/demo-source-log.ts'
import { until } from '../tools/until.ts'

const START_MS = 1_790_000_000_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A slot a minute, for many hours. */
const slots: readonly DemoSlot[] = [...tinyMarket(START_MS, 60)].map((slot, n) => ({ ...slot, timeMs: START_MS + n * MINUTE_MS }))

interface Wall {
  nowMs: number
}

/** Plays until every slot up to the wall's time is sent. */
const playTo = async (log: Log, wall: Wall, changes: Partial<DemoSourceOptions> = {}) => {
  const stop = new AbortController()
  const notices: string[] = []
  const source = new DemoSource(log, LAUNCH_RISK.sources.demo, {
    ...{ seed: 1, startMs: START_MS, rate: 1, market: () => slots, historyS: 600, catchUpS: 600, speed: 1, losses: NO_LOSSES },
    ...{ forksPerHour: 300, isOnWall: true, wall: () => wall.nowMs, stop: stop.signal, folded: () => null },
    notice: (code) => void notices.push(code),
    ...changes,
  })
  await source.open()
  await source.prepare()
  const running = source.run()
  await until(async () => (source.tip()?.time ?? 0) * 1_000 > wall.nowMs - MINUTE_MS)
  const at = { now: source.now(), anchor: source.anchor() }
  stop.abort()
  await running
  return { ...at, notices }
}
const at = (ms: number): Wall => ({ nowMs: START_MS + ms })
const numbersOf = async (log: Log): Promise<ReadonlySet<number>> => new Set((await framesOf(log)).map(({ number }) => number))
const between = (fromMs: number, toMs: number): readonly number[] =>
  slots.filter(({ timeMs }) => timeMs >= START_MS + fromMs && timeMs < START_MS + toMs).map(({ number }) => number)

describe('the demo on the wall clock', () => {
  test('shows the time of the wall from its first frame on, however late it is', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const { now, anchor } = await playTo(log, at(25 * MINUTE_MS))
    expect(now).toBe(START_MS + 25 * MINUTE_MS)
    expect(anchor).toMatchObject({ streamMs: START_MS + 25 * MINUTE_MS, wallMs: START_MS + 25 * MINUTE_MS, speed: 1 })
    expect([...(await numbersOf(log))]).toEqual(expect.arrayContaining([...between(10 * MINUTE_MS, 25 * MINUTE_MS)]))
  })
  test('plays what it missed in a stop of five hours, and nothing is missing', async () => {
    const log = createMemoryLog({ partitions: 1 })
    await playTo(log, at(25 * MINUTE_MS))
    const { now, notices } = await playTo(log, at(5 * HOUR_MS))
    expect([now, notices]).toEqual([START_MS + 5 * HOUR_MS, []])
    const sent = await numbersOf(log)
    expect(between(10 * MINUTE_MS, 5 * HOUR_MS).filter((number) => !sent.has(number))).toEqual([])
  })
  test('leaves a gap before the last six hours of a longer stop, and every later start continues the same market', async () => {
    const log = createMemoryLog({ partitions: 1 })
    await playTo(log, at(25 * MINUTE_MS))
    const { notices } = await playTo(log, at(9 * HOUR_MS))
    expect(notices).toEqual(['demo_gap'])
    const sent = await numbersOf(log)
    expect(between(30 * MINUTE_MS, 3 * HOUR_MS).filter((number) => sent.has(number))).toEqual([])
    expect(between(3 * HOUR_MS, 9 * HOUR_MS).filter((number) => !sent.has(number))).toEqual([])
    await playTo(log, at(9.5 * HOUR_MS))
    const later = await numbersOf(log)
    expect(between(9 * HOUR_MS, 9.5 * HOUR_MS).filter((number) => !later.has(number))).toEqual([])
  })
  test('continues with a clock of its own after it ran ahead of the wall at another speed', async () => {
    const log = createMemoryLog({ partitions: 1 })
    await playTo(log, at(25 * MINUTE_MS), { speed: 1_000_000 })
    const source = await playTo(log, at(10 * MINUTE_MS))
    expect(source.now).toBeGreaterThan(START_MS + 20 * MINUTE_MS)
  })
})
