// Key layout of the lmdb log: one ordered map, in which a kind byte, the topic's number, the partition and the offset make each partition
// a range.
import { assert } from '../../../schemas/errors.ts'
import type { LogRecord } from '../../ports/log.ts'

/**
 * kind | key after it                   | value
 * 0    | -                              | the format and shape of the directory, JSON
 * 1    | topic u16 partition u16 offset | a record: flags u8, key length u16, key, value
 * 2    | topic u16 partition u16 key    | compacted topics: offset of the key's newest record
 * 3    | topic u16 partition u16 offset | compacted topics: key that was removed at this offset
 * 4    | topic u16 partition u16        | start and end of the partition
 * 5    | owner's id                     | its input offsets, JSON pairs
 * 6    | topic's name                   | its number u16
 * Integers are big-endian, offsets 8 bytes, so that byte order equals numeric order.
 */
/** Kind 0 is SHAPE_KEY. */
const KIND = { record: 1, newest: 2, tombstone: 3, bounds: 4, inputs: 5, topic: 6 } as const

const IS_TOMBSTONE = 1
const RECORD_HEAD_BYTES = 3
const PARTITION_HEAD_BYTES = 5

/** Identifies a partition: the topic's number in this directory, and the partition. */
export interface StoredPartition {
  readonly topic: number
  readonly partition: number
}

const head = (kind: number, { topic, partition }: StoredPartition, tailBytes: number): Buffer => {
  const key = Buffer.allocUnsafe(PARTITION_HEAD_BYTES + tailBytes)
  key[0] = kind
  key[1] = topic >>> 8
  key[2] = topic
  key[3] = partition >>> 8
  key[4] = partition
  return key
}
const writeOffset = (into: Buffer, at: number, offset: number): Buffer => {
  into.writeUInt32BE(Math.floor(offset / 2 ** 32), at)
  into.writeUInt32BE(offset >>> 0, at + 4)
  return into
}
/** Byte by byte: a view per key costs more than the read. */
const readOffset = (from: Uint8Array, at: number): number => {
  let offset = 0
  for (let i = at; i < at + 8; i++) offset = offset * 256 + (from[i] as number)
  return offset
}
const named = (kind: number, name: string): Buffer => Buffer.concat([Buffer.of(kind), Buffer.from(name, 'utf8')])

export const recordKey = (partition: StoredPartition, offset: number): Buffer =>
  writeOffset(head(KIND.record, partition, 8), PARTITION_HEAD_BYTES, offset)
export const tombstoneKey = (partition: StoredPartition, offset: number): Buffer =>
  writeOffset(head(KIND.tombstone, partition, 8), PARTITION_HEAD_BYTES, offset)
export const boundsKey = (partition: StoredPartition): Buffer => head(KIND.bounds, partition, 0)
export const inputsKey = (id: string): Buffer => named(KIND.inputs, id)
export const topicKey = (name: string): Buffer => named(KIND.topic, name)
/** Key range of the topics' numbers. */
export const TOPIC_KEYS = { start: Buffer.of(KIND.topic), end: Buffer.of(KIND.topic + 1) } as const
export const topicOfKey = (key: Uint8Array): string => Buffer.from(key).toString('utf8', 1)

export const newestKey = (partition: StoredPartition, key: Uint8Array): Buffer => {
  const whole = head(KIND.newest, partition, key.length)
  whole.set(key, PARTITION_HEAD_BYTES)
  return whole
}
/** The offset in a record's or a tombstone's key. */
export const offsetOfKey = (key: Uint8Array): number => readOffset(key, PARTITION_HEAD_BYTES)

export const encodeOffset = (offset: number): Buffer => writeOffset(Buffer.allocUnsafe(8), 0, offset)
export const decodeOffset = (value: Uint8Array): number => readOffset(value, 0)
export const encodeBounds = (start: number, end: number): Buffer => writeOffset(writeOffset(Buffer.allocUnsafe(16), 0, start), 8, end)
export const decodeBounds = (value: Uint8Array): { start: number; end: number } => ({
  start: readOffset(value, 0),
  end: readOffset(value, 8),
})
export const encodeNumber = (number: number): Buffer => Buffer.of(number >>> 8, number & 0xff)
export const decodeNumber = (value: Uint8Array): number => ((value[0] ?? 0) << 8) | (value[1] ?? 0)

/** `room` allocates the bytes to write to. */
export const encodeRecord = (key: Uint8Array, value: Uint8Array | null, room: (bytes: number) => Buffer = Buffer.allocUnsafe): Buffer => {
  const whole = room(RECORD_HEAD_BYTES + key.length + (value?.length ?? 0))
  whole[0] = value === null ? IS_TOMBSTONE : 0
  whole.writeUInt16BE(key.length, 1)
  whole.set(key, RECORD_HEAD_BYTES)
  if (value !== null) whole.set(value, RECORD_HEAD_BYTES + key.length)
  return whole
}
/** `whole` must be the caller's own copy: key and value are slices of it. */
export const decodeRecord = (offset: number, whole: Uint8Array): LogRecord => {
  assert(whole.length >= RECORD_HEAD_BYTES, `the record at ${offset} has ${whole.length} bytes`)
  const keyEnd = RECORD_HEAD_BYTES + (((whole[1] ?? 0) << 8) | (whole[2] ?? 0))
  return { offset, key: whole.subarray(RECORD_HEAD_BYTES, keyEnd), value: whole[0] === IS_TOMBSTONE ? null : whole.subarray(keyEnd) }
}
