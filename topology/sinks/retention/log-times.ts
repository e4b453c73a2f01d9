// The time, slot or epoch of log records, read from the records themselves, so that it can be found by binary search.
import type { ChainDefinition } from '../../../processors/chains/chain.ts'
import { baseCodec, correctionCodec, deadLetterCodec, exchangeCodec, rawRecordCodec } from '../../../schemas/codecs.ts'
import { assert } from '../../../schemas/errors.ts'
import { numberIn } from '../../../schemas/position.ts'
import type { ConclusionForm, TapeForm } from '../../../schemas/record-forms.ts'
import type { TimedTopic, Topic } from '../../../schemas/topics.ts'
import { newestEpoch } from '../../engine/exchange/exchange-record.ts'
import type { LogReader } from '../../ports/log.ts'

type Value = Uint8Array
/** A record's place in its topic's order; null if it has none. */
export type Measure = (value: Value) => number | null

/** Maximum number of records without a time that a search skips. */
const SILENT_MAX = 64
const ONE = { recordsMax: SILENT_MAX, bytesMax: 1 }

/** Unix seconds. */
export const rawTime: Measure = (value) => {
  const read = rawRecordCodec.decode(value)
  return read.ok && read.value.body.type === 'frame' ? read.value.body.blockTime : null
}
export const tapeTime =
  ({ codec }: TapeForm): Measure =>
  (value) => {
    const read = codec.decode(value)
    return read.ok && read.value.type === 'batch' ? read.value.time : null
  }
const conclusionTime =
  ({ codec }: ConclusionForm): Measure =>
  (value) => {
    const read = codec.decode(value)
    // Records of a rebuild are out of order: they stay until the records after them are deleted.
    return read.ok && read.value.body.type !== 'revision' ? read.value.at : null
  }
/** Slots, because a dead letter has no time. */
export const deadLetterSlot: Measure = (value) => {
  const read = deadLetterCodec.decode(value)
  return read.ok && read.value.revision === 0 ? (numberIn(read.value.position) ?? null) : null
}
export const tapeSlot =
  ({ codec }: TapeForm): Measure =>
  (value) => {
    const read = codec.decode(value)
    return read.ok && read.value.type === 'batch' ? read.value.number : null
  }

/** The slot of the first frame of a corrected position. */
const correctionSlot = (form: TapeForm): Measure => {
  const slotOf = tapeSlot(form)
  return (value) => {
    const read = correctionCodec.decode(value)
    if (!read.ok) return null
    for (const bytes of [...read.value.after, ...read.value.before]) {
      const slot = slotOf(bytes)
      if (slot !== null) return slot
    }
    return null
  }
}

/** Start time of the copy that the record belongs to. */
const baseTime: Measure = (value) => {
  const read = baseCodec.decode(value)
  return read.ok ? read.value.time : null
}

/** The newest epoch in a record. */
const exchangeEpoch: Measure = (value) => {
  const read = exchangeCodec.decode(value)
  return (read.ok ? newestEpoch(read.value) : undefined) ?? null
}

/** The measure of the first record from `offset` on that has one; null if none of the next `SILENT_MAX` records has. */
export const measureAt = async (
  log: LogReader,
  topic: Topic,
  partition: number,
  offset: number,
  measure: Measure,
): Promise<number | null> => {
  for (let at = offset, steps = 0; steps < SILENT_MAX; steps++) {
    const [record] = await log.read(topic, partition, at, ONE)
    if (record === undefined) return null
    const found = record.value === null ? null : measure(record.value)
    if (found !== null) return found
    at = record.offset + 1
  }
  return null
}

/** First offset whose record is not below `least` or has no measure, else the end. By linear search: for topics without strict order. */
export const firstInTurn = async (log: LogReader, topic: Topic, partition: number, least: number, measure: Measure): Promise<number> => {
  for (let at = log.start(topic, partition); ; ) {
    const [record] = await log.read(topic, partition, at, ONE)
    const found = record?.value == null ? null : measure(record.value)
    if (record === undefined || found === null || found >= least) return at
    at = record.offset + 1
  }
}

/** First offset whose record is not below `least`, by binary search; at most the newest record. */
export const firstFrom = async (log: LogReader, topic: Topic, partition: number, least: number, measure: Measure): Promise<number> => {
  let low = log.start(topic, partition)
  let high = Math.max(low, log.end(topic, partition) - 1)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await measureAt(log, topic, partition, middle, measure)
    if (found === null || found >= least) high = middle
    else low = middle + 1
  }
  return low
}

type Forms = Pick<ChainDefinition, 'tape' | 'conclusions'>
interface Age {
  readonly by: 'time' | 'slot' | 'epoch'
  readonly measure: Measure
}

/** How to measure the age of records, by topic. */
export const agesOf = ({ tape, conclusions }: Forms): ((topic: TimedTopic) => Age) => {
  const ages = new Map<string, Age>([
    ['raw', { by: 'time', measure: rawTime }],
    [tape.schema, { by: 'time', measure: tapeTime(tape) }],
    [conclusions.schema, { by: 'time', measure: conclusionTime(conclusions) }],
    ['base', { by: 'time', measure: baseTime }],
    ['exchange', { by: 'epoch', measure: exchangeEpoch }],
    ['dead-letter', { by: 'slot', measure: deadLetterSlot }],
    ['tape-correction', { by: 'slot', measure: correctionSlot(tape) }],
  ])
  return ({ name, schema }) => {
    const age = ages.get(schema)
    assert(age !== undefined, `records of ${name} have an age`)
    return age
  }
}
