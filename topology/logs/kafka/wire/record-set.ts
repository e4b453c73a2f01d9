// Decodes record batches, including emptied ones, from a fetch answer without copying.
import { gunzipSync } from 'node:zlib'
import { Scanner } from './wire-format.ts'

export interface RawRecord {
  readonly offset: number
  readonly key: Buffer | null
  readonly value: Buffer | null
}
/** Records written together. Compaction may have removed all of them. */
export interface RawBatch {
  readonly firstOffset: number
  /** Last offset of the batch as it was written. */
  readonly lastOffset: number
  readonly producerId: bigint
  readonly epoch: number
  readonly isInTransaction: boolean
  /** True for a marker that ends a transaction; its only record is no data. */
  readonly isControl: boolean
  readonly records: readonly RawRecord[]
}

/** First offset and length field, which the length does not count. */
const HEAD_BYTES = 12
const MAGIC = 2
const COMPRESSION = 7
const [PLAIN, GZIP] = [0, 1]
const IN_TRANSACTION = 16
const CONTROL = 32

/** Complete batches; a truncated last one is omitted. @throws on a format or compression that is not supported. */
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
  // Batch length and leader epoch.
  scan.skip(8)
  const magic = scan.int8()
  if (magic !== MAGIC) throw unknownPacking(`record format ${magic}`)
  // Checksum: the broker recomputed it for the records it accepted.
  scan.skip(4)
  const attributes = scan.int16()
  const lastOffset = firstOffset + scan.int32()
  // Timestamps of the first and the newest record.
  scan.skip(16)
  const producerId = scan.bigInt64()
  const epoch = scan.int16()
  // Sequence number.
  scan.skip(4)
  const count = scan.int32()
  const packing = attributes & COMPRESSION
  if (packing > GZIP) throw unknownPacking(`compression ${packing}`)
  const packed = packing === PLAIN ? scan : new Scanner(gunzipSync(bytes.subarray(scan.at, end)), 0)
  const records: RawRecord[] = []
  for (let left = count; left > 0; left--) records.push(readRecord(packed, firstOffset))
  const [isInTransaction, isControl] = [(attributes & IN_TRANSACTION) !== 0, (attributes & CONTROL) !== 0]
  return { firstOffset, lastOffset, producerId, epoch, isInTransaction, isControl, records }
}

const readRecord = (scan: Scanner, firstOffset: number): RawRecord => {
  const bytes = scan.varint()
  const end = scan.at + bytes
  // Attributes, which no broker sets, and the timestamp.
  scan.skip(1)
  scan.skipVarint()
  const offset = firstOffset + scan.varint()
  const key = scan.bytes(scan.varint())
  const value = scan.bytes(scan.varint())
  // Headers are not used.
  scan.at = end
  return { offset, key, value }
}

/** Named like a refusal, because a retry returns the same bytes. */
const unknownPacking = (what: string): Error =>
  Object.assign(new Error(`${what} is not supported: set compression.type of the topic to uncompressed or gzip`), {
    name: 'KafkaJSNotImplemented',
  })
