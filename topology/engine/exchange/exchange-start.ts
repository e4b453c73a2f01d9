// Where in a writer's partition of the exchange a task that begins has to read from: found in the records, kept nowhere.
import type { Topic } from '../../../schemas/topics.ts'
import type { LogReader } from '../../ports/log.ts'
import { type ExchangeRecord, readExchange } from './exchange-record.ts'

/** Offsets back from the end at which is looked first: some seconds of epochs. Then so many times as far, up to all that is kept. */
const STEP_OFFSETS_MIN = 64
const STEP_FACTOR = 8
const READ = { recordsMax: 16, bytesMax: 256 * 1024 }

/**
 * An offset such that every record of the partition's own task in front of it tells only of epochs that frames before `oldestNeeded`
 * closed, or lies in front of a cut. Records of that task are in the order of these frames; of the older layout, others are among them.
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

/** First record from `from` up to `to` of the partition's own task. */
const firstOf = async (log: LogReader, topic: Topic, partition: number, from: number, to: number): Promise<ExchangeRecord | undefined> => {
  for (let at = from; at < to; ) {
    const records = await log.read(topic, partition, at, READ)
    if (records.length === 0) return undefined
    for (const record of records) {
      if (record.offset >= to) return undefined
      const heard = readExchange(partition, record)
      if (heard.read.ok && heard.read.value.writer === partition) return heard
      at = record.offset + 1
    }
  }
  return undefined
}
