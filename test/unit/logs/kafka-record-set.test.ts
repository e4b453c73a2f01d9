import { gzipSync } from 'node:zlib'
import { compress as compressZstd } from '@bokuweb/zstd-wasm'
import fc from 'fast-check'
import snappy from 'kafkajs-snappy'
import { compressFrameSync } from 'lz4-napi'
import { openZstd } from '../../../schemas/zstd.ts'
import { readRecordSet } from '../../../topology/logs/kafka/wire/record-set.ts'
import { at, batchOf } from '../../fixtures/record-batches.ts'

const RECORDS_AT = 61
const withAttributes = (batch: Buffer, attributes: number): Buffer => {
  const bytes = Buffer.from(batch)
  bytes.writeInt16BE(attributes, 21)
  return bytes
}
const repacked = (batch: Buffer, attributes: number, records: Buffer): Buffer => {
  const bytes = Buffer.concat([withAttributes(batch, attributes).subarray(0, RECORDS_AT), records])
  bytes.writeInt32BE(bytes.length - 12, 8)
  return bytes
}

const arbitraryRecord = fc.record({
  key: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  value: fc.option(
    fc.uint8Array({ maxLength: 20_000 }).map((bytes) => Buffer.from(bytes)),
    { nil: null },
  ),
})
const ONE = batchOf([{ key: Buffer.from('k'), value: Buffer.from('v') }])

/** By the number of the codec. */
const PACKS: readonly ((bytes: Buffer) => Uint8Array | Promise<Uint8Array>)[] = [
  (bytes) => bytes,
  gzipSync,
  (buffer) => snappy().compress({ buffer }),
  compressFrameSync,
  (bytes) => compressZstd(bytes),
]
/** As the Java client writes snappy: blocks, here one, behind a header of 16 bytes. */
const xerial = (block: Buffer): Buffer => {
  const head = Buffer.from('82534e4150505900000000010000000100000000', 'hex')
  head.writeUInt32BE(block.length, 16)
  return Buffer.concat([head, block])
}
/** The records of one of 3 MiB of zeros, from a pipe to `zstd --no-check` 1.5: their size is not stated. */
const ZSTD_OF_ZEROS = Buffer.from(
  'KLUv/QBopAAAUJSAgAMAAAACa4ACAO//IAHZggQCABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAHMAAAA=',
  'base64',
)

beforeAll(openZstd)

test('batches of our encoder are read back, at any offset, with each codec', async () => {
  const batches = fc.array(fc.array(arbitraryRecord, { minLength: 1, maxLength: 80 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(batches, fc.nat(2 ** 48), fc.nat(PACKS.length - 1), async (all, first, codec) => {
      let offset = first
      const written: Buffer[] = []
      for (const records of all) {
        const batch = at(offset, batchOf(records))
        offset += records.length
        written.push(repacked(batch, 16 + codec, Buffer.from((await PACKS[codec]?.(batch.subarray(RECORDS_AT))) ?? [])))
      }
      const read = await readRecordSet(Buffer.concat(written))
      expect(read.flatMap(({ records }) => records)).toEqual(all.flat().map((record, n) => ({ offset: first + n, ...record })))
      expect(read.every(({ producerId, isInTransaction, isControl }) => producerId === 7n && isInTransaction && !isControl)).toBe(true)
    }),
    { numRuns: 150 },
  )
})
test('a truncated set gives the complete batches and drops the rest', async () => {
  const whole = at(0, ONE)
  for (let bytes = 0; bytes < whole.length; bytes++)
    expect(await readRecordSet(Buffer.concat([whole, at(1, ONE).subarray(0, bytes)]))).toHaveLength(1)
})
test('a batch emptied by compaction keeps its offsets, whatever its codec', async () => {
  const empty = repacked(at(5, ONE), 20, Buffer.alloc(0))
  empty.writeInt32BE(9, 23)
  empty.writeInt32BE(0, 57)
  expect(await readRecordSet(empty)).toEqual([
    { firstOffset: 5, lastOffset: 14, producerId: 7n, epoch: 1, isInTransaction: true, isControl: false, records: [] },
  ])
})
test('snappy of the Java client, and zstd of unstated size, are unpacked', async () => {
  const framed = xerial(await snappy().compress({ buffer: ONE.subarray(RECORDS_AT) }))
  expect(await readRecordSet(repacked(ONE, 2, framed))).toEqual(await readRecordSet(withAttributes(ONE, 0)))
  const [read] = await readRecordSet(repacked(ONE, 4, ZSTD_OF_ZEROS))
  expect(read?.records.map(({ value }) => value?.equals(Buffer.alloc(3 * 1024 * 1024)))).toEqual([true])
})
test('packed bytes that are damaged reject', async () => {
  for (const codec of [1, 2, 3, 4]) await expect(readRecordSet(repacked(ONE, codec, Buffer.from('no records')))).rejects.toThrow()
})
test('a control marker is reported as one', async () => {
  expect((await readRecordSet(withAttributes(ONE, 48)))[0]).toMatchObject({ isControl: true, isInTransaction: true })
})
test('an unknown compression is refused with advice', async () => {
  await expect(readRecordSet(withAttributes(ONE, 21))).rejects.toThrow('compression 5 is not supported: set compression.type')
  const old = Buffer.from(ONE)
  old.writeInt8(1, 16)
  await expect(readRecordSet(old)).rejects.toThrow('record format 1 is not supported')
})
