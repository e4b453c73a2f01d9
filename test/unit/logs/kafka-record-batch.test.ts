// Our produce requests, read back by kafkajs' own decoder.
import fc from 'fast-check'
import { type Batch, bytesOf, decodeProduced, encodeProduce } from '../../../topology/logs/kafka/wire/record-batch.ts'

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
        const read = await decode(encodeProduce(NAME, batches, now, 30_000))
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
    expect(decodeProduced(answer)).toEqual([
      { topicName: 'a topic', partition: 3, errorCode: 0, firstOffset: 9_000_000_000 },
      { topicName: 'a topic', partition: 4, errorCode: 47, firstOffset: -1 },
    ])
  })
})
