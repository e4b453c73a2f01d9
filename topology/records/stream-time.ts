// Stream time between two ticks, on the line on which a source plays.
import type { Anchor } from '../../schemas/types.ts'

/**
 * Stream time at `wallMs`, unix ms: on the anchor's line, never before the newest tick. If the anchor's speed is 0 (full speed, or the end
 * of the stream), the time of the newest tick.
 */
export const streamMsAt = (anchor: Pick<Anchor, 'streamMs' | 'wallMs' | 'speed'>, tickMs: number, wallMs: number): number =>
  anchor.speed === 0 ? tickMs : Math.max(tickMs, anchor.streamMs + (wallMs - anchor.wallMs) * anchor.speed)

interface Played {
  tip(): { readonly time: number } | null
  readonly ended: boolean
  anchor(): Anchor | undefined
}

/** Stream time of a simulated or recorded source, unix ms; null before its first frame and, until it has ended, before its anchor. */
export const sourceNowMs = (source: Played, wallMs: number): number | null => {
  const anchor = source.anchor()
  if (anchor === undefined && !source.ended) return null
  const tickMs = (source.tip()?.time ?? 0) * 1_000
  const nowMs = anchor === undefined || source.ended ? tickMs : streamMsAt(anchor, tickMs, wallMs)
  return nowMs === 0 ? null : nowMs
}
