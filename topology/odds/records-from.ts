// What a follower of a compacted topic has not read yet.
import type { Topic } from '../../schemas/topics.ts'
import { readKept } from '../logs/read-kept.ts'
import type { Log, LogRecord } from '../ports/log.ts'
import type { Offsets } from '../views/offsets.ts'

const READ = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 }

/** Of every partition, up to its end at the call; the offsets follow. For topics without tombstones. */
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
