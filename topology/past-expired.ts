// A log whose readers of one topic go on where it begins, once what they would read has expired.
import { EngineError } from '../schemas/errors.ts'
import type { Topic } from '../schemas/topics.ts'
import { withOwners } from './logs/with-owners.ts'
import type { Log } from './ports/log.ts'

/** Told of what was passed over, of the offsets `from` to `to`; once for each time. */
export type PassedOver = (topic: string, from: number, to: number) => void

const isExpired = (failure: unknown): boolean => failure instanceof EngineError && failure.code === 'offset_expired'

/** For input whose next record says itself what it does not follow. One reader, of one partition. */
export const pastExpired = (log: Log, topic: Topic, told: PassedOver): Log => {
  let asked = -1
  const start = (partition: number): number => log.start(topic, partition)
  return {
    ...withOwners(log, (id) => log.own(id)),
    read: async (of, partition, offset, limits) => {
      try {
        return await log.read(of, partition, offset, limits)
      } catch (failure) {
        if (of.name !== topic.name || !isExpired(failure) || start(partition) <= offset) throw failure
        if (asked !== offset) told(topic.name, offset, start(partition) - 1)
        asked = offset
        return log.read(of, partition, start(partition), limits)
      }
    },
    // Where all has expired, the reader is at the end.
    end: (of, partition) => {
      const end = log.end(of, partition)
      return of.name === topic.name && asked >= 0 && asked < start(partition) && end === start(partition) ? asked : end
    },
  }
}
