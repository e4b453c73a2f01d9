// The product's own graph: its folds over a tape, and behind its decoder over frames of the demo.
import { rawRecordCodec } from '../../schemas/codecs.ts'
import { hash8Of } from '../../schemas/position.ts'
import type { RawRecord, TapeBatch } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { ForkFrames } from '../../topology/simulator/solana/forks/fork-frames.ts'
import { forkSteps } from '../../topology/simulator/solana/forks/forks.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { forkedTape } from '../fixtures/forked-tape.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { Dice } from './dice.ts'
import { foldsOver, tapeEntries } from './fold-domain.ts'
import { taskJob } from './job.ts'
import type { ChainEffect, Domain, Entry } from './story.ts'

const PARTITIONS_MAX = 3
const START_MS = Date.UTC(2026, 9, 15, 12)
const DEMO_S = 14
const key = Buffer.from('solana')

/** A short generated market with forks, as written by the decoder. */
export const tapeDomain = (seed: number): Domain => {
  const dice = new Dice(seed, 'tape')
  const partitions = dice.int(1, PARTITIONS_MAX)
  const canonical: TapeBatch[] = [...syntheticTape({ events: 200, eventsPerFrame: 5, eventsPerMint: 21, seed: dice.int(1, 4) })]
  const tape = forkedTape(canonical, 0.1, dice.int(1, 1e9))
  return { ...foldsOver(LAUNCH_RISK, partitions), entries: tapeEntries(LAUNCH_RISK, tape, partitions) }
}

const effectOf = (body: RawRecord['body']): ChainEffect => {
  if (body.type === 'frame' || body.type === 'revert') return { type: body.type, number: body.number, hash8: hash8Of(body.hash) }
  return { type: 'finality' }
}

/** Real bytes of the demo's blocks with forks, from raw frames on. */
export const framesDomain = (seed: number): Domain => {
  const dice = new Dice(seed, 'frames')
  const partitions = dice.int(1, PARTITIONS_MAX)
  const market: DemoSlot[] = []
  for (const slot of new Market({ seed: 9, startMs: START_MS, rate: 4 })) {
    if (slot.timeMs >= START_MS + DEMO_S * 1_000) break
    market.push(slot)
  }
  const frames = new ForkFrames(new CoinBook())
  const steps = [...forkSteps(market, { seed: dice.int(1, 1e6), perHour: 900, fromMs: START_MS })]
  const entries = steps.map((step, sequence): Entry => {
    const body = frames.bodyOf(step)
    const value = rawRecordCodec.encode({ sequence, body })
    return { effect: effectOf(body), records: [{ topic: TOPICS.raw, partition: 0, key, value }] }
  })
  const folds = foldsOver(LAUNCH_RISK, partitions)
  return { ...folds, entries, tasks: (limits) => [taskJob(LAUNCH_RISK.decode(partitions), 0, limits), ...folds.tasks(limits)] }
}
