// Produce requests of both versions of the transaction protocol: one batch of records per partition, written into one buffer.
import { grouped } from '../grouped.ts'
import type { Api } from './raw-request.ts'
import { BATCH_HEAD_BYTES, type Batch, type ProducerName, writeBatch } from './record-batch.ts'
import { COMPACT_HEAD_BYTES_MAX, Scanner, STRING_HEAD_BYTES, Writer } from './wire-format.ts'

/** Result of one batch. */
interface Placed {
  readonly topicName: string
  readonly partition: number
  /** Kafka's error code; 0 if it was written. */
  readonly errorCode: number
  readonly firstOffset: number
}

/** A version of the request. */
export interface ProduceFormat {
  readonly api: Api
  /** `batches`: at most one per partition. `now`: unix ms; `waitMsMax`: how long the leader waits for its replicas. */
  encode(name: ProducerName, batches: readonly Batch[], now: number, waitMsMax: number): Buffer
  decode(answer: Buffer): readonly Placed[]
}

const ALL_REPLICAS = -1
const LEADER_ONLY = 1
const NO_TEXT = -1
/** Per batch besides its name and records: partition, length of the batch, its head, counts. */
const AROUND_BYTES = 4 + 5 + BATCH_HEAD_BYTES + 6

const sizeOf = (batches: readonly Batch[], transactionalId: string): number =>
  batches.reduce(
    (size, { bytes, topicName }) => size + COMPACT_HEAD_BYTES_MAX + Buffer.byteLength(topicName) + AROUND_BYTES + bytes,
    COMPACT_HEAD_BYTES_MAX + STRING_HEAD_BYTES + Buffer.byteLength(transactionalId) + 16,
  )

/**
 * Version 3: the first with transactions, supported by every broker since 0.11. Partitions must be in the transaction already. Without a
 * transaction, only the leader has the records when it answers.
 */
export const PRODUCE: ProduceFormat = {
  api: { apiKey: 0, apiVersion: 3, apiName: 'Produce' },
  encode: (name, batches, now, waitMsMax) => {
    const topics = grouped(batches, ({ topicName }) => topicName)
    const writer = new Writer(sizeOf(batches, name.transactionalId))
    const isInTransaction = name.transactionalId !== ''
    if (isInTransaction) writer.string(name.transactionalId)
    else writer.int16(NO_TEXT)
    writer.int16(isInTransaction ? ALL_REPLICAS : LEADER_ONLY)
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
  },
  decode: (answer) => {
    const scan = new Scanner(answer, 0)
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
  },
}

/** Bytes of a batch's length field: the length is known only after the batch is written, so the field is as long as the largest needs. */
const LENGTH_BYTES = 4
const LENGTH_MAX = 2 ** (7 * LENGTH_BYTES) - 1

/** Version 12: the leader adds its partitions to the transaction, and fences by the epoch of each transaction (KIP-890). */
export const PRODUCE_ADDING: ProduceFormat = {
  api: { apiKey: 0, apiVersion: 12, apiName: 'Produce' },
  encode: (name, batches, now, waitMsMax) => {
    const topics = grouped(batches, ({ topicName }) => topicName)
    const writer = new Writer(sizeOf(batches, name.transactionalId))
    // Tags of the request's header.
    writer.noTags()
    writer.compactString(name.transactionalId)
    writer.int16(ALL_REPLICAS)
    writer.int32(waitMsMax)
    writer.unsigned(topics.size + 1)
    for (const [topicName, partitions] of topics) {
      writer.compactString(topicName)
      writer.unsigned(partitions.length + 1)
      for (const batch of partitions) {
        writer.int32(batch.partition)
        const start = writer.at
        writer.at += LENGTH_BYTES
        writeBatch(writer, batch, name, BigInt(now))
        writeLength(writer.buffer, start, writer.at - start - LENGTH_BYTES + 1)
        writer.noTags()
      }
      writer.noTags()
    }
    writer.noTags()
    return writer.buffer.subarray(0, writer.at)
  },
  decode: (answer) => {
    const scan = new Scanner(answer, 0)
    // Tags of the answer's header.
    for (const _ of scan.tags());
    const topics = scan.compactList(() => {
      const topicName = scan.compactString()
      return scan.compactList((): Placed => {
        const placed = { topicName, partition: scan.int32(), errorCode: scan.int16(), firstOffset: scan.int64() }
        // Log append time and start of the log.
        scan.skip(16)
        // Errors of single records, and the message of an error.
        scan.compactList(() => {
          scan.skip(4)
          scan.compactString()
        })
        scan.compactString()
        return placed
      })
    })
    return topics.flat()
  },
}

const writeLength = (buffer: Buffer, at: number, length: number): void => {
  if (length > LENGTH_MAX) throw new RangeError(`a batch of ${length} bytes is larger than ${LENGTH_MAX}`)
  for (let i = 0; i < LENGTH_BYTES; i++) buffer[at + i] = ((length >>> (7 * i)) & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80 : 0)
}
