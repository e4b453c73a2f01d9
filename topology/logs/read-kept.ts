// Reads a topic for a consumer that may be behind the log's retention.
import { assert, hasCode } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { LogReader, LogRecord, ReadLimits } from '../ports/log.ts'

/**
 * Records from `offset` on; if retention deleted that offset, from the first retained one. `lost` receives the skipped range of offsets, in
 * which there may have been only transaction markers.
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
      // A log in another thread learns its new start later than this error.
      const start = Math.max(log.start(topic, partition), Number(failure.facts.start ?? 0))
      assert(start > from, `${topic.name}/${partition} rejects offset ${from}, but starts at ${start}`)
      lost(from, start)
      from = start
    }
  }
}
