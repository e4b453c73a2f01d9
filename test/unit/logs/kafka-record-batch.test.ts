// mintfold's produce requests, read back by the decoder of kafkajs.
import fc from 'fast-check'
import { PRODUCE, PRODUCE_ADDING } from '../../../topology/logs/kafka/wire/produce.ts'
import { type Batch, bytesOf } from '../../../topology/logs/kafka/wire/record-batch.ts'
import { Scanner } from '../../../topology/logs/kafka/wire/wire-format.ts'

interface Decoded {
  readonly partition: number
  readonly records: {
    readonly producerId: string
    readonly producerEpoch: number
    readonly firstSequence: number
    readonly lastOffsetDelta: number
    readonly inTransaction: boolean
    readonly maxTimestamp: string
    readonly records: readonly { readonly offset: string; readonly key: Buffer | null; readonly value: Buffer | null }[]
  }
}
type Decoder = {
  readInt16(): number
  readInt32(): number
  readString(): string
  readInt64(): { toString(): string }
  slice(n: number): Decoder
  forward(n: number): void
  buffer: Buffer
  offset: number
}
const DecoderOf = require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => Decoder
const crcOf = require('kafkajs/src/protocol/recordBatch/crc32C') as (encoder: Buffer) => number
const decodeBatch = require('kafkajs/src/protocol/recordBatch/v0/decoder') as (decoder: Decoder) => Promise<Decoded['records']>

const NAME = { transactionalId: 'an id', producerId: 4_000_000_000_123n, epoch: 7 }
const HEAD_BYTES = 12

const HEAD = Buffer.from('head ')
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const decode = async (request: Buffer): Promise<Map<string, Decoded>> => {
  const decoder = new DecoderOf(request)
  expect([decoder.readString(), decoder.readInt16(), decoder.readInt32()]).toEqual([NAME.transactionalId, -1, 30_000])
  const batches = new Map<string, Decoded>()
  for (let topics = decoder.readInt32(); topics > 0; topics--) {
    const topic = decoder.readString()
    for (let partitions = decoder.readInt32(); partitions > 0; partitions--) {
      const partition = decoder.readInt32()
      const bytes = decoder.readInt32()
      const batch = request.subarray(decoder.offset, decoder.offset + bytes)
      expect(batch.readInt32BE(8)).toBe(bytes - HEAD_BYTES)
      expect(batch.readUInt32BE(17)).toBe(crcOf(batch.subarray(21)) >>> 0)
      const body = new DecoderOf(batch)
      body.forward(8 + 4 + 4 + 1)
      batches.set(`${topic}/${partition}`, { partition, records: await decodeBatch(new DecoderOf(batch)) })
      decoder.forward(bytes)
    }
  }
  expect(decoder.offset).toBe(request.length)
  return batches
}

/** The batches of the older request in hex, by `topic/partition`. */
const batchesOf = (request: Buffer): ReadonlyMap<string, string> => {
  const scan = new Scanner(request, 0)
  scan.string()
  scan.skip(6)
  const read = () => {
    const topic = scan.string()
    return scan.list(() => [`${topic}/${scan.int32()}`, hex(scan.bytes(scan.int32()) ?? HEAD)] as const)
  }
  return new Map(scan.list(read).flat())
}
/** The same of the newer request, whose bytes are all read. */
const batchesAdding = (request: Buffer): ReadonlyMap<string, string> => {
  const scan = new Scanner(request, 1)
  expect([scan.compactString(), scan.int16(), scan.int32()]).toEqual([NAME.transactionalId, -1, 30_000])
  const batches = scan.compactList(() => {
    const topic = scan.compactString()
    return scan.compactList(() => [`${topic}/${scan.int32()}`, hex(scan.bytes(scan.length() - 1) ?? HEAD)] as const)
  })
  expect([...scan.tags(), scan.at]).toEqual([request.length])
  return new Map(batches.flat())
}

describe('a produce request', () => {
  test('of any records is read back by kafkajs, with its checksum', async () => {
    const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))
    const record = fc.record({ key: bytes(80), value: fc.option(fc.oneof(bytes(10), bytes(9_000))) })
    const batch = fc.record({ records: fc.array(record, { minLength: 1, maxLength: 80 }), sequence: fc.nat(0x7fffffff) })
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 4 }), fc.nat(2 ** 42), async (given, now) => {
        const batches = given.map(({ records, sequence }, i): Batch => {
          const [topicName, partition] = [`topic ${i % 2}`, i]
          const outgoing = records.map((at) => ({ topicName, partition, head: HEAD, ...at }))
          const size = outgoing.reduce((sum, at) => sum + bytesOf(at), 0)
          return { topicName, partition, sequence, bytes: size, records: outgoing }
        })
        const request = PRODUCE.encode(NAME, batches, now, 30_000)
        const read = await decode(request)
        expect(batchesAdding(PRODUCE_ADDING.encode(NAME, batches, now, 30_000))).toEqual(batchesOf(request))
        expect(read.size).toBe(batches.length)
        for (const { topicName, partition, records, sequence } of batches) {
          const found = read.get(`${topicName}/${partition}`)?.records
          expect(found).toMatchObject({
            ...{ producerId: String(NAME.producerId), producerEpoch: NAME.epoch, firstSequence: sequence },
            ...{ lastOffsetDelta: records.length - 1, inTransaction: true, maxTimestamp: String(now) },
          })
          expect(found?.records.map(({ key, value }) => [hex(key ?? HEAD), value && hex(value)])).toEqual(
            records.map(({ key, head, value }) => [hex(key), value === null ? null : hex(head) + hex(value)]),
          )
        }
      }),
      { numRuns: 50 },
    )
  })
  test('has an answer with the offset of each batch, or its error', () => {
    const name = Buffer.from('a topic')
    const answer = Buffer.alloc(4 + 2 + name.length + 4 + 2 * 22 + 4)
    let at = answer.writeInt32BE(1)
    at = answer.writeInt16BE(name.length, at)
    at += name.copy(answer, at)
    at = answer.writeInt32BE(2, at)
    for (const [partition, error, offset] of [
      [3, 0, 9_000_000_000n],
      [4, 47, -1n],
    ] as const) {
      at = answer.writeInt16BE(error, answer.writeInt32BE(partition, at))
      at = answer.writeBigInt64BE(-1n, answer.writeBigInt64BE(offset, at))
    }
    expect(PRODUCE.decode(answer)).toEqual([
      { topicName: 'a topic', partition: 3, errorCode: 0, firstOffset: 9_000_000_000 },
      { topicName: 'a topic', partition: 4, errorCode: 47, firstOffset: -1 },
    ])
  })
  test('of the newer version has an answer with the same fields; its tags are skipped', () => {
    const text = (value: string): number[] => [value.length + 1, ...Buffer.from(value)]
    const int64 = (value: bigint): number[] => [...Buffer.from(value.toString(16).padStart(16, '0'), 'hex')]
    const placed = (partition: number, error: number, offset: bigint): number[] => [
      ...[0, 0, 0, partition, 0, error, ...int64(offset), ...int64(0n), ...int64(0n)],
      // One bad record with its message, the message of the batch, and the tag of the current leader.
      ...[2, 0, 0, 0, 1, ...text('bad'), 0, ...text('why'), 1, 0, 2, 9, 9],
    ]
    const answer = Buffer.from([0, 2, ...text('a topic'), 3, ...placed(3, 0, 9_000_000_000n), ...placed(4, 51, 7n), 0, 0, 0, 0, 0, 0])
    expect(PRODUCE_ADDING.decode(answer)).toEqual([
      { topicName: 'a topic', partition: 3, errorCode: 0, firstOffset: 9_000_000_000 },
      { topicName: 'a topic', partition: 4, errorCode: 51, firstOffset: 7 },
    ])
  })
})
