// The feed of logged graduation odds. Its position has the next offset of each partition of the topic `odds`.
import type { HeadState, OddsFeed, OddsRecord } from '../../../topology/ports/odds.ts'
import { alertLimits } from '../limits.ts'
import type { AlertEvent, AlertSource } from './source.ts'

export const ALERT_HEAD = 'true_graduation'

/** Skips values that were logged while the odds were not shown: an alert about them, once the odds are shown again, would come too late. */
export const oddsSource = (feed: OddsFeed, headState: () => HeadState | undefined): AlertSource<readonly number[]> => {
  const partitions = Array.from({ length: feed.partitions }, (_, partition) => partition)
  return {
    kind: 'graduation_odds',
    isReadable: () => headState()?.isKnown !== false,
    newest: () => partitions.map((partition) => feed.end(partition)),
    read: async (from) => {
      const read = (partition: number) => feed.read(partition, from[partition] ?? feed.start(partition), alertLimits.pageMax)
      const pages = await Promise.all(partitions.map(read))
      // Skips offsets removed by retention, even if nothing follows them.
      const next = pages.map((page, partition) => Math.max((page.at(-1)?.offset ?? -1) + 1, from[partition] ?? 0, feed.start(partition)))
      const now = headState()
      return { events: pages.flat().flatMap((record) => eventOf(record, now)), next }
    },
    isBehind: (position, other) => partitions.some((partition) => (position[partition] ?? 0) < (other[partition] ?? 0)),
    onNew: (listener) => feed.onNew(listener),
  }
}

const eventOf = ({ conclusion, partition, offset }: OddsRecord, headState: HeadState | undefined): readonly AlertEvent[] => {
  const { body, at } = conclusion
  if (body.type !== 'odds' || body.head !== ALERT_HEAD || body.shadow) return []
  if (headState === undefined || !headState.isShown || at < (headState.since ?? 0)) return []
  const isAfter = (position: unknown): boolean => offset >= ((position as readonly number[])[partition] ?? 0)
  return [{ mint: body.mint, at, ppm: body.ppm, flag: null, findingId: null, isAfter }]
}
