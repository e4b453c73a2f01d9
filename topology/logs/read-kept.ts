// Reads a topic for a follower that may be behind what the log keeps.
import { assert, hasCode } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { LogReader, LogRecord, ReadLimits } from '../ports/log.ts'

/**
 * Records from `offset` on; where retention took that, from the first that is kept. `lost` is told the offsets between: markers alone may
 * have been there.
 */
export const readKept = async (
  log: LogReader,
  { topic, partition, offset }: { readonly topic: Topic; readonly partition: number; readonly offset: number },
  limits: ReadLimits,
  lost: (from: number, to: number) => void,
): Promise<{ readonly records: readonly LogRecord[]; readonly next: number }> => {
  for (let from = offset; ; ) {
    try {
      const records = await log.read(topic, partition, from, limits)
      return { records, next: (records.at(-1)?.offset ?? from - 1) + 1 }
    } catch (failure) {
      if (!hasCode(failure, 'offset_expired')) throw failure
      // A log in another thread hears of its new start later than of the refusal.
      const start = Math.max(log.start(topic, partition), Number(failure.facts.start ?? 0))
      assert(start > from, `${topic.name}/${partition} refuses offset ${from} and starts at ${start}`)
      lost(from, start)
      from = start
    }
  }
}
