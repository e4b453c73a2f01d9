// Extracts what a read_committed reader sees: no control records, no aborted transactions, values unwrapped.
import type { LogRecord } from '../../../ports/log.ts'
import type { Span } from '../reading/partition.ts'
import type { Wire } from '../registry/wire.ts'
import type { Fetched } from './fetch.ts'
import type { RawBatch, RawRecord } from './record-set.ts'

const EMPTY = Buffer.alloc(0)
/** Memory overhead of a record and of a run: bounds the memory of many small ones. */
const RECORD_BYTES = 120
const SPAN_BYTES = 400

/** Outcome of a transaction, from the key of its control record: a version, then the kind. */
export const endOfTransaction = ({ records }: RawBatch): 'aborted' | 'committed' => {
  const key = records[0]?.key ?? EMPTY
  return key.length >= 4 && key.readInt16BE(2) === 0 ? 'aborted' : 'committed'
}

/** Committed records. */
export const committedRecords = ({ batches, aborted, from }: Pick<Fetched, 'batches' | 'aborted' | 'from'>): readonly RawRecord[] => {
  const dead = new Set<bigint>()
  const entries = [...aborted].sort((a, b) => a.firstOffset - b.firstOffset)
  let next = 0
  const visible: RawRecord[] = []
  for (const batch of batches) {
    const { producerId, isInTransaction, isControl, lastOffset, records } = batch
    for (let entry = entries[next]; entry !== undefined && entry.firstOffset <= lastOffset; entry = entries[++next])
      dead.add(entry.producerId)
    if (isControl) {
      if (endOfTransaction(batch) === 'aborted') dead.delete(producerId)
    } else if (!(isInTransaction && dead.has(producerId))) for (const record of records) if (record.offset >= from) visible.push(record)
  }
  return visible
}

/** Next offset to fetch: past the last batch, even if compaction emptied it; one by one where compaction removed the batches at the end. */
export const nextOffset = ({ batches, from, lastStableOffset }: Pick<Fetched, 'batches' | 'from' | 'lastStableOffset'>): number => {
  const last = batches.at(-1)
  if (last !== undefined) return Math.max(from, last.lastOffset + 1)
  return lastStableOffset > from ? from + 1 : from
}

/** Queries the registry for unknown ids. @throws EngineError `registry_unreachable`. */
export const spanOf = async (fetched: Fetched, wire: Wire): Promise<Span> => {
  const records: LogRecord[] = []
  let bytes = SPAN_BYTES
  for (const { offset, key, value } of committedRecords(fetched)) {
    let unwrapped = value === null ? { value } : wire.unwrap(value)
    if (unwrapped instanceof Promise) unwrapped = await unwrapped
    records.push({ offset, key: key ?? EMPTY, ...unwrapped })
    bytes += RECORD_BYTES + (key?.length ?? 0) + (value?.length ?? 0)
  }
  return { from: fetched.from, next: nextOffset(fetched), records, bytes }
}
