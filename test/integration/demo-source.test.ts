import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeFrame } from '../../processors/chains/solana/decode-frame.ts'
import type { RawFrame, TapeBatch } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { ViewStatus } from '../../topology/ports/chain-view.ts'
import type { Log } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { tapeEventsOf } from '../../topology/simulator/solana/bytes.ts'
import { isLost, NO_LOSSES } from '../../topology/simulator/solana/losses.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { DemoSource } from '../../topology/simulator/solana/source.ts'
import type { DemoSourceOptions } from '../../topology/simulator/solana/source-options.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { tinyMarket } from '../fixtures/demo-bytes-market.ts'
import { dying, eventsOf, framesOf, rawOf, tapeOf } from '../fixtures/demo-source-log.ts'

const START_MS = 1_790_000_000_000
const ROUNDS = 6
const slots = [...tinyMarket(START_MS, ROUNDS)]
const many = [...tinyMarket(START_MS, 60)]
/** In the middle of the stream. */
const HISTORY_S = 60

const optionsOf = (changes: Partial<DemoSourceOptions> = {}): DemoSourceOptions => ({
  seed: 1,
  startMs: START_MS,
  rate: 1,
  market: () => slots,
  historyS: HISTORY_S,
  catchUpS: 3_600,
  speed: 'max',
  losses: NO_LOSSES,
  forksPerHour: 0,
  wall: Date.now,
  stop: new AbortController().signal,
  folded: () => null,
  ...changes,
})

const play = async (log: Log, changes: Partial<DemoSourceOptions> = {}): Promise<DemoSource> => {
  const source = new DemoSource(log, LAUNCH_RISK.sources.demo, optionsOf(changes))
  await source.open()
  await source.prepare()
  await source.run()
  return source
}
const emitted = slots.flatMap((slot) => tapeEventsOf(slot).map((event) => ({ ...event, number: slot.number })))
const isHistory = ({ timeMs }: DemoSlot): boolean => timeMs < START_MS + HISTORY_S * 1_000
/** Without intended differences: history is final when written, and finality messages between frames take sequence numbers too. */
const comparable = (tape: readonly (readonly TapeBatch[])[]): object[][] =>
  tape.map((batches) => batches.map(({ final: _final, sequence: _number, ...batch }) => batch))
const statusOf = async (log: Log): Promise<ViewStatus> => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  await view.stop()
  return view.status()
}

describe('the demo as a source', () => {
  test('writes its history to the tape, later frames to raw, and the decoder continues without a gap', async () => {
    const log = createMemoryLog({ partitions: 3 })
    await play(log)
    const frames = await framesOf(log)
    expect(frames.map(({ number }) => number)).toEqual(slots.filter((slot) => !isHistory(slot)).map(({ number }) => number))
    expect(await eventsOf(log)).toEqual(emitted.filter(({ number }) => number < (frames[0] as RawFrame).number))
    const folds = await startFolds(log, [LAUNCH_RISK])
    await folds.caughtUp()
    await folds.stop()
    expect(await eventsOf(log)).toEqual(emitted)
    expect(await statusOf(log)).toMatchObject({
      counters: { events: emitted.length, gaps: 0, frames: slots.length, dead_letters: 0 },
      observedSince: START_MS / 1_000,
      gap: null,
    })
  })

  test.each([
    { name: 'no losses', lostPerMillion: 0 },
    { name: 'losses', lostPerMillion: 200_000 },
  ])(
    'with $name, decoded frames give the tape that a history writes: same headers, numbers and records of slots with content',
    async ({ lostPerMillion }) => {
      const [written, decoded] = [createMemoryLog({ partitions: 3 }), createMemoryLog({ partitions: 3 })]
      const losses = { gaps: [], lostPerMillion }
      await play(written, { historyS: 3_600, losses })
      await play(decoded, { historyS: 0, losses })
      const folds = await startFolds(decoded, [LAUNCH_RISK])
      await folds.caughtUp()
      await folds.stop()
      const whole = await tapeOf(decoded)
      const busy = whole.flat().filter(({ launchpadTransactions, events }) => launchpadTransactions !== 0 || events.length > 0)
      const numbers = new Set(busy.map(({ number }) => number))
      const expected = whole.map((batches) => batches.filter(({ number }) => numbers.has(number)))
      expect(comparable(await tapeOf(written))).toEqual(comparable(expected))
      const failed = expected[0]?.reduce((sum, { launchpadFailed }) => sum + (launchpadFailed ?? 0), 0)
      const expectedFailed = slots.flatMap(({ transactions }) => transactions).filter((tx) => tx.failed !== null && !isLost(losses, tx))
      expect(failed).toBe(expectedFailed.filter(({ instructions }) => instructions.some(({ kind }) => kind === 'launchpad')).length)
      expect(await statusOf(written)).toMatchObject({ counters: { frames: slots.length, gaps: 0 } })
    },
  )

  test('after kills at any commit the log equals that of an uninterrupted run', async () => {
    const whole = createMemoryLog({ partitions: 3 })
    // Enough for two commits of history and two of frames, after the one that claims the directory.
    const changes = { market: () => many, historyS: 850 }
    await play(whole, changes)
    for (const killAt of [0, 1, 2, 3, 4]) {
      const log = createMemoryLog({ partitions: 3 })
      await expect(play(dying(log, killAt), changes)).rejects.toThrow('killed')
      await play(log, changes)
      expect(await tapeOf(log)).toEqual(await tapeOf(whole))
      expect(await framesOf(log)).toEqual(await framesOf(whole))
      const sequences = (await rawOf(log)).flatMap(({ sequence, body }) => (body.type === 'anchor' ? [] : [sequence]))
      expect(sequences).toEqual(sequences.map((_, i) => (sequences[0] as number) + i))
    }
  })

  test('resumes where it was after stops while paced, on disk', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'demo-source-'))
    try {
      let frames: RawFrame[] = []
      for (let starts = 0; frames.length < slots.length - 1 && starts < 40; starts++) {
        const log = await openLmdbLog({ dir: join(dir, 'log'), partitions: 2 })
        const stop = new AbortController()
        const source = new DemoSource(
          log,
          LAUNCH_RISK.sources.demo,
          optionsOf({ historyS: 10, catchUpS: 10, speed: 200, stop: stop.signal }),
        )
        await source.open()
        await source.prepare()
        const before = source.frames
        setTimeout(() => stop.abort(), 120)
        await source.run()
        if (starts > 0) expect(before).toBeGreaterThan(0)
        frames = await framesOf(log)
        await log.close()
        if (source.ended) break
      }
      const whole = createMemoryLog({ partitions: 2 })
      await play(whole, { historyS: 10 })
      expect(frames).toEqual(await framesOf(whole))
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })

  test('sends paced frames when they are due, and the clock moves between them', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const few = slots.slice(0, 40)
    const source = new DemoSource(log, LAUNCH_RISK.sources.demo, optionsOf({ market: () => few, historyS: 2, catchUpS: 2, speed: 50 }))
    await source.open()
    await source.prepare()
    expect(source.now()).toBeNull()
    const began = Date.now()
    const running = source.run()
    await new Promise((resolve) => setTimeout(resolve, 60))
    const at = source.now() ?? 0
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(source.now()).toBeGreaterThan(at)
    await running
    const paced = few.filter(({ timeMs }) => timeMs >= START_MS + 4_000)
    const streamMs = (paced.at(-1) as DemoSlot).timeMs - (paced[0] as DemoSlot).timeMs
    expect(Date.now() - began).toBeGreaterThanOrEqual(streamMs / 50 - 2)
    expect(source.ended).toBe(true)
    const anchors = (await rawOf(log)).flatMap(({ body }) => (body.type === 'anchor' ? [body] : []))
    expect(anchors.map(({ streamMs: at, speed }) => ({ at, speed }))).toEqual([
      { at: START_MS + 2_000, speed: 0 },
      { at: START_MS + 4_000, speed: 50 },
    ])
  })

  test('waits for stalled folds', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const stop = new AbortController()
    const first = (many[0] as DemoSlot).number
    const source = new DemoSource(
      log,
      LAUNCH_RISK.sources.demo,
      optionsOf({ market: () => many, historyS: 0, stop: stop.signal, folded: () => first }),
    )
    await source.open()
    await source.prepare()
    const running = source.run()
    for (let sent = -1; sent !== source.frames; await new Promise((resolve) => setTimeout(resolve, 300))) sent = source.frames
    stop.abort()
    await running
    const newest = (await framesOf(log)).at(-1) as RawFrame
    expect(newest.number - first).toBeGreaterThan(1_990)
    expect(newest.number - first).toBeLessThan(2_010)
  })

  test('the decoder sees gaps, and nothing of what was lost', async () => {
    const log = createMemoryLog({ partitions: 2 })
    const losses = { gaps: [{ fromS: 70, toS: 75 }], lostPerMillion: 200_000 }
    await play(log, { losses })
    const folds = await startFolds(log, [LAUNCH_RISK])
    await folds.caughtUp()
    await folds.stop()
    const inGap = slots.filter(({ timeMs }) => timeMs >= START_MS + 70_000 && timeMs < START_MS + 75_000)
    const { gap, counters } = await statusOf(log)
    expect(counters.gaps).toBe(1)
    expect(gap?.to).toBe((inGap.at(-1) as DemoSlot).number)
    const count = (await eventsOf(log)).length
    expect(count).toBeLessThan(emitted.length * 0.9)
    expect(count).toBeGreaterThan(emitted.length * 0.6)
  })

  test('refuses a directory of another source, of another seed, and of another version of the market', async () => {
    const log = createMemoryLog({ partitions: 1 })
    await play(log)
    await expect(play(log, { seed: 2 })).rejects.toMatchObject({ code: 'data_dir_source' })
    const changed = slots.map((slot) => ({ ...slot, failedOthers: slot.failedOthers + 1 }))
    await expect(play(log, { market: () => changed })).rejects.toMatchObject({ code: 'data_dir_source' })
    const recorded = createMemoryLog({ partitions: 1 })
    await (await recorded.own('capture-solana')).commit({ outputs: [], inputs: new Map([['recording:abc', 3]]) })
    await expect(play(recorded)).rejects.toMatchObject({ code: 'data_dir_source' })
  })

  test('frames hold the content of their slots', async () => {
    const log = createMemoryLog({ partitions: 1 })
    await play(log, { historyS: 0 })
    const bySlot = new Map(slots.map((slot) => [slot.number, tapeEventsOf(slot)]))
    for (const frame of await framesOf(log)) expect(decodeFrame(frame).events).toEqual(bySlot.get(frame.number))
  })
})
