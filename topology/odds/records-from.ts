// New records of a compacted topic.
import type { Topic } from '../../schemas/topics.ts'
import { readKept } from '../logs/read-kept.ts'
import type { Log, LogRecord } from '../ports/log.ts'
import type { Offsets } from '../views/offsets.ts'

const READ = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 }

/** Records of all partitions, up to the end at the call; advances `offsets`. For topics without tombstones. */
export async function* recordsFrom(log: Log, topic: Topic, offsets: Offsets): AsyncGenerator<LogRecord> {
  for (let partition = 0; partition < log.partitions(topic); partition++) {
    const end = log.end(topic, partition)
    for (let offset = offsets.begin(log, topic, partition); offset < end; ) {
      const { records, next } = await readKept(log, { topic, partition, offset }, READ, () => {})
      yield* records
      offsets.next.set(`${topic.name}/${partition}`, next)
      if (next === offset) break
      offset = next
    }
  }
}
