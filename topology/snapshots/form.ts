// Layout of a snapshot file: magic, length and JSON of the header, blocks of records, end. Numbers are big-endian.
//
// block: its length, then records: offset, length of the key, length of the value, key, value
// end: a block length of zero, the number of records, CRC-32 of everything before it
import { crc32 } from '@node-rs/crc32'
import * as z from 'zod'
import type { LogRecord } from '../ports/log.ts'

export const MAGIC: Buffer = Buffer.from('mintfold snapshot\n')
/** Increased when an older program would misread the file. */
export const FORMAT = 2
export const LENGTH_BYTES = 4
export const END_BYTES = 12
/** A block is written once it has this size; a larger record has a block of its own. */
export const BLOCK_BYTES: number = 256 * 1024
const ROW_HEAD_BYTES = 16

export const headerSchema = z.object({
  format: z.literal(FORMAT),
  topic: z.string(),
  partition: z.number(),
  identity: z.string(),
  schema: z.string(),
  next: z.number(),
  madeAtMs: z.number(),
})
export type SnapshotHeader = z.infer<typeof headerSchema>

const sized = (bytes: Uint8Array): Buffer => {
  const length = Buffer.allocUnsafe(LENGTH_BYTES)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

export const headBytes = (header: SnapshotHeader): Buffer => Buffer.concat([MAGIC, sized(Buffer.from(JSON.stringify(header)))])

export const endBytes = (records: number, crcBefore: number): Buffer => {
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32BE(records, 4)
  end.writeUInt32BE(crc32(end.subarray(0, 8), crcBefore), 8)
  return end
}

/** Collects records into blocks. */
export class BlockBuilder {
  #parts: Uint8Array[] = []
  #bytes = 0

  /** True when `take` is due. The record's bytes must not change until then. @throws if it is a tombstone */
  add({ offset, key, value }: LogRecord): boolean {
    if (value === null) throw new Error('a snapshot has no tombstones')
    const head = Buffer.allocUnsafe(ROW_HEAD_BYTES)
    head.writeBigUInt64BE(BigInt(offset))
    head.writeUInt32BE(key.length, 8)
    head.writeUInt32BE(value.length, 12)
    this.#parts.push(head, key, value)
    this.#bytes += ROW_HEAD_BYTES + key.length + value.length
    return this.#bytes >= BLOCK_BYTES
  }
  /** The block with its length; empty if nothing was added. */
  take(): Buffer {
    const block = Buffer.concat(this.#parts.splice(0), this.#bytes)
    this.#bytes = 0
    return block.length === 0 ? block : sized(block)
  }
}

/** Records of a block, as views of its bytes. */
export const recordsIn = (block: Buffer): LogRecord[] => {
  const records: LogRecord[] = []
  for (let at = 0; at < block.length; ) {
    const offset = Number(block.readBigUInt64BE(at))
    const keyAt = at + ROW_HEAD_BYTES
    const valueAt = keyAt + block.readUInt32BE(at + 8)
    at = valueAt + block.readUInt32BE(at + 12)
    records.push({ offset, key: block.subarray(keyAt, valueAt), value: block.subarray(valueAt, at) })
  }
  return records
}
