// Folds raw frames of a forking market over a log, with restarts, and compares the results with those of the canonical branch alone.

import type { Conclusion, Finality, RawFrame, Revert, TapeBatch } from '../../schemas/types.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { ForkFrames } from '../../topology/simulator/solana/forks/fork-frames.ts'
import { forkSteps } from '../../topology/simulator/solana/forks/forks.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { CONCLUDED } from '../fixtures/topics.ts'
import { appendRaw, cardsOf, foldToEnd, resultsOf, standingConclusionsOn } from '../live.ts'

const START_MS = Date.UTC(2026, 9, 15, 12)
const SECONDS = 60
/** Generous: the frames are the chain's real bytes, and the machine may be busy. */
const TIMEOUT_MS = 120_000

const market: DemoSlot[] = []
for (const slot of new Market({ seed: 9, startMs: START_MS, rate: 6 })) {
  if (slot.timeMs >= START_MS + SECONDS * 1_000) break
  market.push(slot)
}
const frames = new ForkFrames(new CoinBook())
const bodies = [...forkSteps(market, { seed: 9, perHour: 1_200, fromMs: START_MS })].map((step) => frames.bodyOf(step))

const fed = (folds: Replay, all: readonly (RawFrame | Revert | Finality)[]): Conclusion[] =>
  all.flatMap((body) => (body.type === 'frame' ? (folds.frame(body)?.conclusions ?? []) : folds.control(body)))

describe('a minute of a market that forks every few seconds', () => {
  const canonical = new Replay(LAUNCH_RISK)
  const alone = new ForkFrames(new CoinBook())
  const expected = fed(
    canonical,
    market.map((slot) => alone.bodyOf({ type: 'slot', slot, branch: 0 })),
  ).map((one) => JSON.stringify(one))
  const tape = canonical.tape as TapeBatch
  const mints = canonical.mints()
  const cards = cardsOf(mints, tape.time, null)

  test('has forks, and findings in orphaned frames', () => {
    const reverts = bodies.filter(({ type }) => type === 'revert')
    expect(reverts.length).toBeGreaterThan(20)
    expect(expected.length).toBeGreaterThan(5)
    const retracted = fed(new Replay(LAUNCH_RISK, 1, DEFAULT_LIMITS), bodies).filter(({ body }) => body.type === 'retraction')
    expect(retracted.length).toBeGreaterThan(0)
  })

  test.each([
    [1, 10_000, 1],
    [3, 1, 4],
    [4, 50, 7],
  ])(
    'gives the conclusions and cards of the canonical branch: %i partitions, commits of %i events, %i starts',
    async (partitions, commitEventsMax, starts) => {
      const limits: EngineLimits = {
        ...DEFAULT_LIMITS,
        commitEventsMax,
        commitIntervalMs: commitEventsMax === 1 ? 0 : 20,
        promptIntervalMs: 1,
      }
      const log = createMemoryLog({ partitions })
      const size = Math.ceil(bodies.length / starts)
      for (let from = 0; from < bodies.length; from += size) {
        await appendRaw(log, bodies.slice(from, from + size), from)
        await foldToEnd(log, limits)
      }
      const standing = (await Promise.all(CONCLUDED.map((topic) => standingConclusionsOn(log, topic)))).flat()
      expect(standing.sort()).toEqual([...expected].sort())
      const results = await resultsOf(
        log,
        mints.map(({ mint }) => mint),
      )
      expect(results.cards).toEqual(cards)
      if (partitions > 1) return
      const replayed = fed(new Replay(LAUNCH_RISK, 1, limits), bodies).map((one) => JSON.stringify(one))
      expect(results.conclusions).toEqual(replayed.sort())
    },
    TIMEOUT_MS,
  )

  test('a fork deeper than the undo rebuilds the stores, and the folds continue', async () => {
    const log = createMemoryLog({ partitions: 2 })
    await appendRaw(log, bodies.slice(0, 40), 0)
    const first = bodies.find(({ type }) => type === 'frame') as RawFrame
    const revert: Revert = { type: 'revert', chain: 'solana', number: first.number, hash: first.hash }
    await appendRaw(log, [revert], 40)
    const notices: string[] = []
    const folds = await startFolds(
      log,
      [LAUNCH_RISK],
      { ...DEFAULT_LIMITS, undoFramesMax: 5 },
      { notice: (_code, { reason }) => notices.push(String(reason)) },
    )
    await folds.caughtUp()
    await folds.stop()
    expect(notices).toEqual([expect.stringMatching(`^undo_exhausted solana ${first.number} `)])
  })
})
