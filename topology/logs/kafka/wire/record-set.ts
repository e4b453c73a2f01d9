// Records as they lie in the log: batches of them, emptied ones too, read where they stand in the answer to a fetch, without a copy.
import { gunzipSync } from 'node:zlib'
import { Scanner } from './wire-format.ts'

export interface RawRecord {
  readonly offset: number
  readonly key: Buffer | null
  readonly value: Buffer | null
}
/** What was written together. Compaction may have left nothing of it. */
export interface RawBatch {
  readonly firstOffset: number
  /** Of the batch as it was written. */
  readonly lastOffset: number
  readonly producerId: bigint
  readonly isInTransaction: boolean
  /** Says how a transaction ended; its one record is no data. */
  readonly isControl: boolean
  readonly records: readonly RawRecord[]
}

/** First offset and length stand before the part that the length counts. */
const HEAD_BYTES = 12
const MAGIC = 2
const COMPRESSION = 7
const [PLAIN, GZIP] = [0, 1]
const IN_TRANSACTION = 16
const CONTROL = 32

/** Whole batches; a last one that was cut off is left out. @throws where they are packed in a way that is not known here. */
export const readRecordSet = (bytes: Buffer): RawBatch[] => {
  const batches: RawBatch[] = []
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const end = at + HEAD_BYTES + bytes.readInt32BE(at + 8)
    if (end > bytes.length) break
    batches.push(readBatch(bytes, at, end))
    at = end
  }
  return batches
}

const readBatch = (bytes: Buffer, start: number, end: number): RawBatch => {
  const scan = new Scanner(bytes, start)
  const firstOffset = scan.int64()
  // Its length and who led the partition.
  scan.skip(8)
  const magic = scan.int8()
  if (magic !== MAGIC) throw unknownPacking(`record format ${magic}`)
  // Checksum: the broker made it anew of what it took.
  scan.skip(4)
  const attributes = scan.int16()
  const lastOffset = firstOffset + scan.int32()
  // Times of the first and the newest record.
  scan.skip(16)
  const producerId = scan.bigInt64()
  // Epoch and number within the producer's records.
  scan.skip(6)
  const count = scan.int32()
  const packing = attributes & COMPRESSION
  if (packing > GZIP) throw unknownPacking(`compression ${packing}`)
  const packed = packing === PLAIN ? scan : new Scanner(gunzipSync(bytes.subarray(scan.at, end)), 0)
  const records: RawRecord[] = []
  for (let left = count; left > 0; left--) records.push(readRecord(packed, firstOffset))
  const [isInTransaction, isControl] = [(attributes & IN_TRANSACTION) !== 0, (attributes & CONTROL) !== 0]
  return { firstOffset, lastOffset, producerId, isInTransaction, isControl, records }
}

const readRecord = (scan: Scanner, firstOffset: number): RawRecord => {
  const bytes = scan.varint()
  const end = scan.at + bytes
  // Attributes, which no broker sets, and the time.
  scan.skip(1)
  scan.skipVarint()
  const offset = firstOffset + scan.varint()
  const key = scan.bytes(scan.varint())
  const value = scan.bytes(scan.varint())
  // Headers are nobody's here.
  scan.at = end
  return { offset, key, value }
}

/** A name under which it is a refusal: the same bytes come again. */
const unknownPacking = (what: string): Error =>
  Object.assign(new Error(`${what} is not read here: set compression.type of the topic to uncompressed or gzip`), {
    name: 'KafkaJSNotImplemented',
  })
