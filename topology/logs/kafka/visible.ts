// From what lies in the log to what a reader sees: no control records, nothing of aborted transactions, values unwrapped.
import type { LogRecord } from '../../ports/log.ts'
import type { Fetched, RawRecord } from './fetch.ts'
import type { Span } from './partition.ts'
import type { Wire } from './wire.ts'

const EMPTY = Buffer.alloc(0)
/** What a record and a run cost beside their bytes: bounds the memory of many small ones. */
const RECORD_BYTES = 120
const SPAN_BYTES = 400

/** How a transaction ended, from the key of its control record: a version, then the kind. */
export const endOfTransaction = ({ key }: RawRecord): 'aborted' | 'committed' =>
  key !== null && key.length >= 4 && key.readInt16BE(2) === 0 ? 'aborted' : 'committed'

/** Records that are decided to be there. */
export const visibleRecords = ({ records, aborted, from }: Pick<Fetched, 'records' | 'aborted' | 'from'>): readonly RawRecord[] => {
  const dead = new Set<string>()
  const entries = [...aborted].sort((a, b) => Number(a.firstOffset) - Number(b.firstOffset))
  let next = 0
  const visible: RawRecord[] = []
  for (const record of records) {
    const offset = Number(record.offset)
    for (let entry = entries[next]; entry !== undefined && Number(entry.firstOffset) <= offset; entry = entries[++next])
      dead.add(entry.producerId)
    const { producerId, inTransaction } = record.batchContext
    if (record.isControlRecord) {
      if (endOfTransaction(record) === 'aborted') dead.delete(producerId)
    } else if (offset >= from && !(inTransaction && dead.has(producerId))) visible.push(record)
  }
  return visible
}

/** Where to go on: past the last batch, also where compaction took its last records. */
export const nextOffset = ({ records, from, stableEnd }: Pick<Fetched, 'records' | 'from' | 'stableEnd'>): number => {
  const last = records.at(-1)?.batchContext
  if (last !== undefined) return Math.max(from, Number(last.firstOffset) + last.lastOffsetDelta + 1)
  // A batch of which compaction left nothing is not shown at all.
  return stableEnd > from ? from + 1 : from
}

/** Asks the registry for ids that are new. @throws EngineError `registry_unreachable`. */
export const spanOf = async (fetched: Fetched, wire: Wire): Promise<Span> => {
  const records: LogRecord[] = []
  let bytes = SPAN_BYTES
  for (const { offset, key, value } of visibleRecords(fetched)) {
    let unwrapped = value === null ? { value } : wire.unwrap(value)
    if (unwrapped instanceof Promise) unwrapped = await unwrapped
    records.push({ offset: Number(offset), key: key ?? EMPTY, ...unwrapped })
    bytes += RECORD_BYTES + (key?.length ?? 0) + (value?.length ?? 0)
  }
  return { from: fetched.from, next: nextOffset(fetched), records, bytes }
}
