// Sequences of raw records, by which their copies are continued.
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { LogReader, LogRecord } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'

/** Capture's number of a record, and whether it is an anchor, which has the number of the next record. */
export interface RawPlace {
  readonly sequence: number
  readonly isAnchor: boolean
}

/** Undefined for invalid bytes. */
export const rawPlaceOf = ({ value }: Pick<LogRecord, 'value'>): RawPlace | undefined => {
  const read = value === null ? undefined : rawRecordCodec.decode(value)
  return read?.ok === true ? { sequence: read.value.sequence, isAnchor: read.value.body.type === 'anchor' } : undefined
}

const TAIL_RECORDS = 64

/** Place of the newest readable record; undefined if there is none. */
export const newestRawPlace = async (log: LogReader, raw: Topics['raw']): Promise<RawPlace | undefined> => {
  const [start, end] = [log.start(raw, 0), log.end(raw, 0)]
  for (let count = TAIL_RECORDS; ; count *= 4) {
    const from = Math.max(start, end - count)
    let newest: RawPlace | undefined
    for await (const record of recordsOf(log, raw, 0, { from, to: end })) newest = rawPlaceOf(record) ?? newest
    if (newest !== undefined || from === start) return newest
  }
}
