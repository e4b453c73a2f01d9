// Decodes record batches, including emptied ones, from a fetch answer; those that are not compressed without copying.
import { unpacked } from './unpacking.ts'
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
const PLAIN = 0
const IN_TRANSACTION = 16
const CONTROL = 32

/** Complete batches; a truncated last one is omitted. @throws on a format or compression that is not supported. */
export const readRecordSet = async (bytes: Buffer): Promise<RawBatch[]> => {
  const batches: RawBatch[] = []
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const end = at + HEAD_BYTES + bytes.readInt32BE(at + 8)
    if (end > bytes.length) break
    batches.push(await readBatch(bytes, at, end))
    at = end
  }
  return batches
}

const readBatch = async (bytes: Buffer, start: number, end: number): Promise<RawBatch> => {
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
  const codec = attributes & COMPRESSION
  // A batch emptied by compaction keeps its codec, but has nothing packed.
  const plain = codec === PLAIN || count === 0 ? scan : new Scanner(await unpackedOf(codec, bytes.subarray(scan.at, end)), 0)
  const records: RawRecord[] = []
  for (let left = count; left > 0; left--) records.push(readRecord(plain, firstOffset))
  const [isInTransaction, isControl] = [(attributes & IN_TRANSACTION) !== 0, (attributes & CONTROL) !== 0]
  return { firstOffset, lastOffset, producerId, epoch, isInTransaction, isControl, records }
}

/** @throws on a codec that is not known, and on records that it does not unpack */
const unpackedOf = async (codec: number, packed: Buffer): Promise<Buffer> => {
  const bytes = await unpacked(codec, packed)
  if (bytes === undefined) throw unknownPacking(`compression ${codec}`)
  return bytes
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
  Object.assign(new Error(`${what} is not supported: set compression.type of the topic to producer`), { name: 'KafkaJSNotImplemented' })
