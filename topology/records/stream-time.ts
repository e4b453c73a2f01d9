// Stream time between two ticks, on the line on which a source plays.
import type { Anchor } from '../../schemas/types.ts'

/**
 * Stream time at `wallMs`, unix ms: on the anchor's line, never before the newest tick. Without an anchor, or if its speed is 0 (full
 * speed, or the end of the stream), the time of the newest tick.
 */
export const streamMsAt = (anchor: Pick<Anchor, 'streamMs' | 'wallMs' | 'speed'> | undefined, tickMs: number, wallMs: number): number => {
  if (anchor === undefined || anchor.speed === 0) return tickMs
  return Math.max(tickMs, anchor.streamMs + (wallMs - anchor.wallMs) * anchor.speed)
}
