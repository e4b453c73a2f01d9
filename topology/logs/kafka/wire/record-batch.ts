// Encodes a produce request: one batch of records per partition, written into one buffer.
//
// kafkajs' own encoder allocates a zeroed buffer per record and computes the checksum byte by byte (figures: raw-request.ts).
import { crc32c } from '@node-rs/crc32'
import { grouped } from '../grouped.ts'
import { Scanner, STRING_HEAD_BYTES, Writer } from './wire-format.ts'

/** A record to send. */
export interface Outgoing {
  readonly topicName: string
  readonly partition: number
  readonly key: Buffer
  /** Written before the value, if there is one. */
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
  readonly transactionalId: string
  readonly producerId: bigint
  readonly epoch: number
}

const ALL_REPLICAS = -1
const BATCH_HEAD_BYTES = 61
/** Offsets in a batch's head: end of the length field, and end of the checksum. */
const LENGTH_END = 12
const CHECKSUM_END = 21
const MAGIC = 2
const IN_TRANSACTION = 16

const sizeOf = (batches: readonly Batch[], transactionalId: string): number =>
  batches.reduce(
    (size, { bytes, topicName }) => size + STRING_HEAD_BYTES + Buffer.byteLength(topicName) + 12 + BATCH_HEAD_BYTES + bytes,
    STRING_HEAD_BYTES + Buffer.byteLength(transactionalId) + 10,
  )

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

const writeBatch = (writer: Writer, { records, sequence }: Batch, { producerId, epoch }: ProducerName, now: bigint): void => {
  const start = writer.at
  writer.at += CHECKSUM_END
  writer.int16(IN_TRANSACTION)
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

/** Version 3 of the request: the first with transactions, supported by every broker since 0.11. Batches have different partitions. */
export const PRODUCE = { apiKey: 0, apiVersion: 3, apiName: 'Produce' }

export const encodeProduce = (name: ProducerName, batches: readonly Batch[], now: number, waitMsMax: number): Buffer => {
  const topics = grouped(batches, ({ topicName }) => topicName)
  const writer = new Writer(sizeOf(batches, name.transactionalId))
  writer.string(name.transactionalId)
  writer.int16(ALL_REPLICAS)
  writer.int32(waitMsMax)
  writer.int32(topics.size)
  for (const [topicName, partitions] of topics) {
    writer.string(topicName)
    writer.int32(partitions.length)
    for (const batch of partitions) {
      writer.int32(batch.partition)
      const start = writer.at
      writer.int32(0)
      writeBatch(writer, batch, name, BigInt(now))
      writer.buffer.writeInt32BE(writer.at - start - 4, start)
    }
  }
  return writer.buffer.subarray(0, writer.at)
}

/** Result of one batch. */
export interface Placed {
  readonly topicName: string
  readonly partition: number
  /** Kafka's error code; 0 if it was written. */
  readonly errorCode: number
  readonly firstOffset: number
}

export const decodeProduced = (bytes: Buffer): readonly Placed[] => {
  const scan = new Scanner(bytes, 0)
  const topics = scan.list(() => {
    const topicName = scan.string()
    return scan.list((): Placed => {
      const placed = { topicName, partition: scan.int32(), errorCode: scan.int16(), firstOffset: scan.int64() }
      // Log append time.
      scan.skip(8)
      return placed
    })
  })
  return topics.flat()
}
