// Finds the offset from which a starting task reads a writer's partition of the exchange: searched in the records, stored nowhere.
import type { Topic } from '../../../schemas/topics.ts'
import type { LogReader } from '../../ports/log.ts'
import { type ExchangeRecord, readExchange } from './exchange-record.ts'

/**
 * Offsets before the end at which the search begins: some seconds of epochs. Each step goes back this many times further, up to the start.
 */
const STEP_OFFSETS_MIN = 64
const STEP_FACTOR = 8
const READ = { recordsMax: 16, bytesMax: 256 * 1024 }

/**
 * Returns an offset before which the partition's own task wrote only epochs that frames before `oldestNeeded` closed, or records that
 * precede a cut. That task's records are in the order of these frames; in the older layout, records of other tasks lie between them.
 */
export const findStart = async (log: LogReader, topic: Topic, partition: number, oldestNeeded: number, end: number): Promise<number> => {
  for (let step = STEP_OFFSETS_MIN, to = end; ; step *= STEP_FACTOR) {
    const start = log.start(topic, partition)
    const from = Math.max(start, end - step)
    if (from === start) return start
    const first = await firstOf(log, topic, partition, from, to)
    if (first !== undefined && (first.epochs[0]?.closedBy ?? -1) < oldestNeeded) return from
    to = from
  }
}

/** First record of the partition's own task between `from` and `to`. */
const firstOf = async (log: LogReader, topic: Topic, partition: number, from: number, to: number): Promise<ExchangeRecord | undefined> => {
  for (let at = from; at < to; ) {
    const records = await log.read(topic, partition, at, READ)
    if (records.length === 0) return undefined
    for (const record of records) {
      if (record.offset >= to) return undefined
      const parsed = readExchange(partition, record)
      if (parsed.read.ok && parsed.read.value.writer === partition) return parsed
      at = record.offset + 1
    }
  }
  return undefined
}
