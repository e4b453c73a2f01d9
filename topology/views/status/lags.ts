// Lag of a view behind its log.
import type { Topic } from '../../../schemas/topics.ts'
import type { ViewLags } from '../../ports/chain-view.ts'
import type { LogReader } from '../../ports/log.ts'

/**
 * `offsets` are the view's next offsets, by `topic/partition`. `shownS` is the tick time (unix s) of the newest frame shown, `foldedS` that
 * of the newest frame known to be folded beyond it; null if there is none.
 */
export const lagsOf = (
  log: LogReader,
  topics: readonly Topic[],
  offsets: ReadonlyMap<string, number>,
  shownS: number | null,
  foldedS: number | null,
): ViewLags => {
  const views = topics.map((topic) => ({ view: topic.name, recordsBehind: behind(log, topic, offsets) }))
  const isAtEnd = views.every(({ recordsBehind }) => recordsBehind === 0)
  if (shownS !== null && foldedS !== null) return { views, streamMsBehind: Math.max(0, foldedS - shownS) * 1_000 }
  return { views, streamMsBehind: isAtEnd && shownS !== null ? 0 : null }
}

/** An upper bound, because offsets have gaps. */
const behind = (log: LogReader, topic: Topic, offsets: ReadonlyMap<string, number>): number => {
  let records = 0
  for (let partition = 0; partition < log.partitions(topic); partition++) {
    const next = offsets.get(`${topic.name}/${partition}`) ?? log.start(topic, partition)
    records += Math.max(0, log.end(topic, partition) - next)
  }
  return records
}
