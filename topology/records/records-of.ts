// Iterates over the records of a partition.
import type { Topic } from '../../schemas/topics.ts'
import type { LogReader, LogRecord } from '../ports/log.ts'
import { yieldToEventLoop } from '../waiting/waiting.ts'

const READ = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 }

/** From `from` (default: the start) to `to` (default: the end at the call); yields to the event loop between reads. */
export async function* recordsOf(
  log: LogReader,
  topic: Topic,
  partition: number,
  { from = log.start(topic, partition), to = log.end(topic, partition) }: { readonly from?: number; readonly to?: number } = {},
): AsyncGenerator<LogRecord> {
  for (let offset = from; offset < to; ) {
    const records = await log.read(topic, partition, offset, READ)
    const last = records.at(-1)
    if (last === undefined) return
    for (const record of records) if (record.offset < to) yield record
    offset = last.offset + 1
    await yieldToEventLoop()
  }
}
