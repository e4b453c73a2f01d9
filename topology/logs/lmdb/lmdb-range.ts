// Reads records of one partition from its key range.

import type { Rows } from '../../data-dir/data-dir-lock.ts'
import type { LogRecord, ReadLimits } from '../../ports/log.ts'
import { decodeRecord, offsetOfKey, recordKey, type StoredPartition } from './lmdb-keys.ts'

/** From `offset` up to `end`, oldest first, within the limits; returns at least one record if there is one. */
export const recordsIn = (
  rows: Pick<Rows, 'getRange'>,
  partition: StoredPartition,
  offset: number,
  end: number,
  { recordsMax, bytesMax }: ReadLimits,
): LogRecord[] => {
  const out: LogRecord[] = []
  let bytes = 0
  for (const { key, value } of rows.getRange({ start: recordKey(partition, offset), end: recordKey(partition, end), limit: recordsMax })) {
    if (out.length > 0 && bytes >= bytesMax) break
    const record = decodeRecord(offsetOfKey(key), value)
    out.push(record)
    bytes += record.key.length + (record.value?.length ?? 0)
  }
  return out
}
