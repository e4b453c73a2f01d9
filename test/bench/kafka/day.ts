// The tape of a day of today's launches and trades, and its continuation.
import type { TapeBatch } from '../../../schemas/types.ts'
import { syntheticTape } from '../synthetic-tape.ts'

/** 30,000 launches and 3 million trades in 216,000 slots. */
const DAY = { eventsPerFrame: 14, eventsPerMint: 100, seed: 42 }
/** Sequence of the frame that follows a day of this many events. */
export const framesIn = (events: number): number => events / DAY.eventsPerFrame

/** The frames with sequences from `from` up to, but without, `to`. */
export function* dayFrames(from: number, to: number): Iterable<TapeBatch> {
  for (const frame of syntheticTape({ ...DAY, events: Math.ceil(to) * DAY.eventsPerFrame })) {
    if (frame.sequence >= to) return
    if (frame.sequence >= from) yield frame
  }
}
