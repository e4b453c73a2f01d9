// A log in which reads of one topic skip expired records and continue at the first retained one.
import type { Topic } from '../../schemas/topics.ts'
import { readKept } from '../logs/read-kept.ts'
import { withOwners } from '../logs/with-owners.ts'
import type { Log } from '../ports/log.ts'

/** Called for each skipped range of offsets, `from` to `to` (inclusive), once per range. */
export type PassedOver = (topic: string, from: number, to: number) => void

/** For input whose next record itself shows the gap before it. For one reader of one partition. */
export const pastExpired = (log: Log, topic: Topic, notice: PassedOver): Log => {
  let asked = -1
  const start = (partition: number): number => log.start(topic, partition)
  return {
    ...withOwners(log, (id, isShared) => log.own(id, isShared)),
    read: async (of, partition, offset, limits) => {
      if (of.name !== topic.name) return log.read(of, partition, offset, limits)
      const isNew = asked !== offset
      const lost = (from: number, to: number): void => {
        if (isNew) notice(topic.name, from, to - 1)
        asked = offset
      }
      return (await readKept(log, { topic, partition, offset }, limits, lost)).records
    },
    // If everything has expired, the reader is at the end.
    end: (of, partition) => {
      const end = log.end(of, partition)
      return of.name === topic.name && asked >= 0 && asked < start(partition) && end === start(partition) ? asked : end
    },
  }
}
