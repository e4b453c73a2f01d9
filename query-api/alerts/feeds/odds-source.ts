// The feed of logged graduation odds. Its position has the next offset of each partition of the topic `odds`.
import type { HeadStanding, OddsFeed, OddsRecord } from '../../../topology/ports/odds.ts'
import { alertLimits } from '../limits.ts'
import type { AlertEvent, AlertSource } from './source.ts'

export const ALERT_HEAD = 'true_graduation'

/** Skips values that were logged while the odds were withheld: an alert about them, once the odds are shown again, would come too late. */
export const oddsSource = (feed: OddsFeed, standing: () => HeadStanding | undefined): AlertSource<readonly number[]> => {
  const partitions = Array.from({ length: feed.partitions }, (_, partition) => partition)
  return {
    kind: 'graduation_odds',
    isReadable: () => standing()?.isKnown !== false,
    newest: () => partitions.map((partition) => feed.end(partition)),
    read: async (from) => {
      const read = (partition: number) => feed.read(partition, from[partition] ?? feed.start(partition), alertLimits.pageMax)
      const pages = await Promise.all(partitions.map(read))
      // Skips offsets removed by retention, even if nothing follows them.
      const next = pages.map((page, partition) => Math.max((page.at(-1)?.offset ?? -1) + 1, from[partition] ?? 0, feed.start(partition)))
      const now = standing()
      return { events: pages.flat().flatMap((record) => eventOf(record, now)), next }
    },
    isBehind: (position, other) => partitions.some((partition) => (position[partition] ?? 0) < (other[partition] ?? 0)),
    onNew: (listener) => feed.onNew(listener),
  }
}

const eventOf = ({ conclusion, partition, offset }: OddsRecord, standing: HeadStanding | undefined): readonly AlertEvent[] => {
  const { body, at } = conclusion
  if (body.type !== 'odds' || body.head !== ALERT_HEAD || body.shadow) return []
  if (standing === undefined || !standing.isShown || at < (standing.since ?? 0)) return []
  const isAfter = (position: unknown): boolean => offset >= ((position as readonly number[])[partition] ?? 0)
  return [{ mint: body.mint, at, ppm: body.ppm, flag: null, findingId: null, isAfter }]
}
