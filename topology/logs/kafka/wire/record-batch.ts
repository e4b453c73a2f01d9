// Encodes batches of records, written into the buffer of a produce request.
//
// kafkajs' own encoder allocates a zeroed buffer per record and computes the checksum byte by byte (figures: raw-request.ts).
import { crc32c } from '@node-rs/crc32'
import type { Writer } from './wire-format.ts'

/** A record to send. */
export interface Outgoing {
  readonly topicName: string
  readonly partition: number
  readonly key: Buffer
  /** Written before the value; not written if the value is null. */
  readonly head: Buffer
  readonly value: Uint8Array | null
}

/** Length, attributes, time, offset, two lengths, count of headers. */
const RECORD_HEAD_BYTES_MAX = 5 + 1 + 1 + 5 + 5 + 5 + 1

/** Upper bound of a record's size in a batch. */
export const bytesOf = ({ key, head, value }: Outgoing): number =>
  RECORD_HEAD_BYTES_MAX + key.length + (value === null ? 0 : head.length + value.length)

/** Records of one partition, in order. */
export interface Batch {
  readonly topicName: string
  readonly partition: number
  readonly records: readonly Outgoing[]
  /** Upper bound of the records' size. */
  readonly bytes: number
  /** The producer's sequence number of the first record in this partition. */
  readonly sequence: number
}

/** Identifies the producer. */
export interface ProducerName {
  /** Empty: it writes without transactions. */
  readonly transactionalId: string
  readonly producerId: bigint
  readonly epoch: number
}

/** Of a producer whose batches the brokers neither count nor decide. */
export const NO_PRODUCER: ProducerName = { transactionalId: '', producerId: -1n, epoch: -1 }
export const NO_SEQUENCE = -1

export const BATCH_HEAD_BYTES = 61
/** Offsets in a batch's head: end of the length field, and end of the checksum. */
const LENGTH_END = 12
const CHECKSUM_END = 21
const MAGIC = 2
const IN_TRANSACTION = 16

/** Size of the varint of a non-negative number. */
const lengthBytes = (value: number): number => (value < 0x40 ? 1 : value < 0x2000 ? 2 : value < 0x100000 ? 3 : value < 0x8000000 ? 4 : 5)

const NO_VALUE = 1

const writeRecord = (writer: Writer, { key, head, value }: Outgoing, offset: number): void => {
  const size = value === null ? 0 : head.length + value.length
  const valueBytes = value === null ? 1 : lengthBytes(size) + size
  writer.length(3 + lengthBytes(offset) + lengthBytes(key.length) + key.length + valueBytes)
  // No attributes, and a timestamp delta of 0.
  writer.int16(0)
  writer.length(offset)
  writer.length(key.length)
  writer.bytes(key)
  if (value === null) writer.buffer[writer.at++] = NO_VALUE
  else {
    writer.length(size)
    writer.bytes(head)
    writer.bytes(value)
  }
  // No headers.
  writer.buffer[writer.at++] = 0
}

export const writeBatch = (
  writer: Writer,
  { records, sequence }: Batch,
  { transactionalId, producerId, epoch }: ProducerName,
  now: bigint,
): void => {
  const start = writer.at
  writer.at += CHECKSUM_END
  writer.int16(transactionalId === '' ? 0 : IN_TRANSACTION)
  writer.int32(records.length - 1)
  writer.int64(now)
  writer.int64(now)
  writer.int64(producerId)
  writer.int16(epoch)
  writer.int32(sequence)
  writer.int32(records.length)
  for (let i = 0; i < records.length; i++) writeRecord(writer, records[i] as Outgoing, i)
  const { buffer, at: end } = writer
  writer.at = start
  writer.int64(0n)
  writer.int32(end - start - LENGTH_END)
  writer.int32(0)
  buffer[writer.at++] = MAGIC
  buffer.writeUInt32BE(crc32c(buffer.subarray(start + CHECKSUM_END, end)), writer.at)
  writer.at = end
}
