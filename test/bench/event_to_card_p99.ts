// event_to_card_p99: from when an event is due on the tape topic until its mint's card shows it, at 2,000 events a second, through the
// production runners on LMDB, flushes included.
import type { Key } from '../../schemas/keys.ts'
import { tapeKeyOf } from '../../schemas/tape-key.ts'
import type { TapeBatch } from '../../schemas/types.ts'
import type { MintSnapshot } from '../../topology/ports/mint-view.ts'
import { mintEvidence } from '../shipped.ts'
import type { Bench } from './bench.ts'
import { type LiveMarket, makeMarket, paceTape, splitTape, startMarket, withDirectory } from './live-market.ts'
import { DEFAULT_SHAPE } from './synthetic-tape.ts'

const EVENTS_PER_S = 2_000
const FRAMES_PER_S = EVENTS_PER_S / DEFAULT_SHAPE.eventsPerFrame
const SECONDS = 20
const WARM_S = 3
const FRAMES_BEFORE = 5_000

export const bench: Bench = {
  name: 'event_to_card_p99',
  unit: 'ms',
  run: () =>
    withDirectory(async (dir) => {
      const { before, rest } = splitTape(DEFAULT_SHAPE, FRAMES_BEFORE)
      await makeMarket(dir, before)
      const market = await startMarket(dir)
      const delays = await delaysOf(market, rest)
      await market.stop()
      const sorted = delays.sort((a, b) => a - b)
      const at = (share: number): number => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
      return {
        value: at(0.99),
        detail: {
          events_per_s: EVENTS_PER_S,
          frames: sorted.length,
          p50_ms: at(0.5),
          max_ms: at(0.9999),
          mints: market.view.status().tracked,
        },
      }
    }),
}

interface Waiting {
  readonly frame: TapeBatch
  readonly dueMs: number
  /** The view's snapshot at the last poll. */
  seen: MintSnapshot | undefined
}

/** One delay per frame, ms: of the card of its first event's mint, without the first seconds. */
const delaysOf = async ({ log, view }: LiveMarket, tape: Iterator<TapeBatch>): Promise<number[]> => {
  let waiting: Waiting[] = []
  const delays: number[] = []
  const isShown = (entry: Waiting): boolean => {
    const { frame, dueMs } = entry
    const snapshot = view.get(mintOf(frame))
    if (snapshot === undefined || snapshot === entry.seen) return false
    entry.seen = snapshot
    if ((snapshot.state.curve?.lastNumber ?? 0) < frame.number) return false
    mintEvidence(snapshot.mint, snapshot.state, { asOf: frame.time, gap: null })
    delays.push(performance.now() - dueMs)
    return true
  }
  const look = async (): Promise<void> => {
    await view.caughtUp()
    waiting = waiting.filter((entry) => !isShown(entry))
  }
  const unsubscribe = log.onCommit(() => void look())
  const sent = (frame: TapeBatch, dueMs: number): void => void waiting.push({ frame, dueMs, seen: view.get(mintOf(frame)) })
  await paceTape(log, tape, { framesPerS: FRAMES_PER_S, seconds: SECONDS, sent })
  while (waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  unsubscribe()
  return delays.slice(FRAMES_PER_S * WARM_S)
}

const mintOf = (frame: TapeBatch): Key => {
  const [event] = frame.events
  if (event === undefined) throw new Error(`frame ${frame.number} has no event`)
  return tapeKeyOf(event)
}
