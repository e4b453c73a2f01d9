// The early capture of a first start: the newest minutes of the same market, byte for byte, and nothing before them.

import type { SourceOptions } from '../../topology/cli/settings/source-options.ts'
import { EARLY_S, earlyOptions, wantsEarly } from '../../topology/cli/start/early.ts'
import { openSource } from '../../topology/cli/wiring/open-source.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { frameOf, tapeEventsOf } from '../../topology/simulator/solana/bytes.ts'
import { CATCH_UP_S, marketStartMs, PACED_FROM_MS } from '../../topology/simulator/solana/defaults.ts'
import { simulateMarket } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { eventsOf, framesOf } from '../fixtures/demo-source-log.ts'

const HOURS = 1
const OPTIONS: SourceOptions = { source: 'demo', seed: 5, history: HOURS, speed: 1 }
const FRAMES = 20

describe('the early capture', () => {
  const log = createMemoryLog({ partitions: 1 })
  const progress: { readonly atS: number; readonly ofS: number }[] = []
  beforeAll(async () => {
    const context = { dataDir: null, stop: new AbortController().signal, folded: () => null }
    const { source } = await openSource(log, { chain: 'solana', options: { ...earlyOptions(OPTIONS), frames: FRAMES } }, context)
    await source.prepare?.((at) => void progress.push(at))
    await source.run()
  })

  test('equals the market of the whole demo in each slot, from its first minute on', async () => {
    const fromMs = PACED_FROM_MS - EARLY_S * 1_000
    const startMs = marketStartMs(PACED_FROM_MS, HOURS * 3_600)
    const frames = await framesOf(log)
    const [first] = frames
    const last = frames.at(-1)
    expect(frames).toHaveLength(FRAMES)
    const book = new CoinBook()
    const events: unknown[] = []
    const expected: ReturnType<typeof frameOf>[] = []
    for (const slot of simulateMarket({ seed: 5, startMs, rate: 1 }) as Iterable<DemoSlot>) {
      if (slot.number > (last?.number ?? 0)) break
      if (slot.number >= (first?.number ?? 0)) expected.push({ ...frameOf(slot, book), status: 'processed' })
      else {
        book.follow(slot)
        if (slot.timeMs >= fromMs) events.push(...tapeEventsOf(slot).map((event) => ({ ...event, number: slot.number })))
      }
    }
    expect(events.length).toBeGreaterThan(100)
    expect(frames).toEqual(expected)
    expect(await eventsOf(log)).toEqual(events)
  })
  test('reports its progress', () => {
    expect(progress.at(-1)?.ofS).toBe(HOURS * 3_600 + CATCH_UP_S - 10)
    expect(progress.map(({ atS }) => atS)).toEqual(progress.map(({ atS }) => atS).sort((a, b) => a - b))
    expect(progress.length).toBeGreaterThan(10)
  })
})

test.each<[string, Partial<SourceOptions> & { readonly exit?: boolean }, boolean]>([
  ['the demo with its history', {}, true],
  ['a short history', { history: 0.5 }, false],
  ['full speed, where no time is the present', { speed: 'max' }, false],
  ['60 times real time', { speed: 60 }, false],
  ['a demo that ends', { frames: 100 }, false],
  ['another source', { source: 'live' }, false],
])('%s: has one: %j %s', (_name, change, wanted) => {
  expect(wantsEarly({ source: 'demo', ...change }, PACED_FROM_MS)).toBe(wanted)
})
