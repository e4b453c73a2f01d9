// The demo as a source of a chain that forks: its log does not depend on the number of starts, and its end is the canonical branch.
import type { RawRecord } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { NO_LOSSES } from '../../topology/simulator/solana/losses.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { DemoSource } from '../../topology/simulator/solana/source.ts'
import type { DemoSourceOptions } from '../../topology/simulator/solana/source-options.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { dying, framesOf, rawOf } from '../fixtures/demo-source-log.ts'
import { cardsOf } from '../live.ts'

const START_MS = Date.UTC(2026, 9, 15, 12)
const HISTORY_S = 100
const END_S = 220
const slots: DemoSlot[] = []
for (const slot of new Market({ seed: 5, startMs: START_MS, rate: 1 })) {
  if (slot.timeMs >= START_MS + END_S * 1_000) break
  slots.push(slot)
}
/** Only the frames of the last 10 s are paced. */
const CATCH_UP_S = 110

const play = async (log: Log, changes: Partial<DemoSourceOptions> = {}): Promise<DemoSource> => {
  const source = new DemoSource(log, LAUNCH_RISK.sources.demo, {
    seed: 5,
    startMs: START_MS,
    rate: 1,
    market: () => slots,
    historyS: HISTORY_S,
    catchUpS: CATCH_UP_S,
    speed: 'max',
    losses: NO_LOSSES,
    forksPerHour: 900,
    wall: Date.now,
    stop: new AbortController().signal,
    folded: () => null,
    ...changes,
  })
  await source.open()
  await source.prepare()
  await source.run()
  return source
}
const textOf = ({ sequence, body }: RawRecord): string =>
  JSON.stringify(body.type === 'frame' ? { sequence, ...body, body: Buffer.from(body.body).toString('base64') } : { sequence, ...body })
/** Without anchors: they hold wall time. */
const rawTextsOn = async (log: Log): Promise<string[]> => (await rawOf(log)).filter(({ body }) => body.type !== 'anchor').map(textOf)
const revertsOn = async (log: Log): Promise<number> => (await rawOf(log)).filter(({ body }) => body.type === 'revert').length

const folded = async (log: Log) => {
  const folds = await startFolds(log, [LAUNCH_RISK])
  await folds.caughtUp()
  await folds.stop()
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  await view.stop()
  return view
}

describe('a demo that forks', () => {
  const whole = createMemoryLog({ partitions: 3 })
  beforeAll(async () => {
    await play(whole)
  })

  test('after kills at any commit the log equals that of an uninterrupted run', async () => {
    expect(await revertsOn(whole)).toBeGreaterThan(5)
    const expected = await rawTextsOn(whole)
    let kills = 0
    for (let isDead = true; isDead; kills++) {
      const log = createMemoryLog({ partitions: 3 })
      isDead = await play(dying(log, kills)).then(
        () => false,
        () => true,
      )
      await play(log)
      expect(await rawTextsOn(log)).toEqual(expected)
    }
    expect(kills).toBeGreaterThan(3)
  })

  test('after stops at any frame, also during forks, the log equals that of an uninterrupted run', async () => {
    const log = createMemoryLog({ partitions: 3 })
    for (let starts = 0, ended = false; !ended; starts++) {
      const stop = new AbortController()
      let slotsSeen = 0
      const aborting = function* (): Generator<DemoSlot> {
        for (const slot of slots) {
          if (slotsSeen++ === 260 + starts * 31) stop.abort()
          yield slot
        }
      }
      const source = await play(log, { market: aborting, stop: stop.signal })
      ended = source.ended
      expect(starts).toBeLessThan(40)
    }
    expect(await rawTextsOn(log)).toEqual(await rawTextsOn(whole))
  })

  test('after an end at a frame limit, a later start continues from there', async () => {
    const log = createMemoryLog({ partitions: 3 })
    for (const framesMax of [1, 100, 101, 170]) {
      const source = await play(log, { framesMax })
      const canonical = (await framesOf(log)).filter(({ number }) => number <= (source.tip()?.number ?? 0))
      expect([source.ended, new Set(canonical.map(({ number }) => number)).size]).toEqual([true, framesMax])
    }
    await play(log)
    expect(await rawTextsOn(log)).toEqual(await rawTextsOn(whole))
  })

  test('once it is folded, cards and counters equal those without forks, forks are counted, and finality is never ahead of the chain', async () => {
    const straight = createMemoryLog({ partitions: 3 })
    await play(straight, { forksPerHour: 0 })
    const [forked, plain] = [await folded(whole), await folded(straight)]
    const shown = (view: LogMintView) => {
      const { folded: at, gap, counters } = view.status()
      return { cards: cardsOf(view.launchesSince(0), at?.time ?? 0, gap), flags: [...view.flagsSince(0)], frames: counters.frames, at }
    }
    expect(shown(forked)).toEqual(shown(plain))
    expect([forked.status().counters.forks, plain.status().counters.forks]).toEqual([await revertsOn(whole), 0])
    const newest = slots.slice(-34).map(({ number }) => number)
    const { confirmed, finalized } = forked.finality() ?? { confirmed: 0, finalized: 0 }
    expect(newest.slice(-3, -1)).toContain(confirmed)
    expect(newest.slice(0, 2)).toContain(finalized)
  })

  test('refuses a directory of a market with other forks', async () => {
    await expect(play(whole, { forksPerHour: 899 })).rejects.toMatchObject({ code: 'data_dir_source' })
  })
})
