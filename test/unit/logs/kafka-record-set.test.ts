import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
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

test('batches of our encoder are read back, at any offset, plain or gzipped', () => {
  const batches = fc.array(fc.array(arbitraryRecord, { minLength: 1, maxLength: 80 }), { maxLength: 5 })
  fc.assert(
    fc.property(batches, fc.nat(2 ** 48), fc.boolean(), (all, first, isPacked) => {
      let offset = first
      const written = all.map((records) => {
        const batch = at(offset, batchOf(records))
        offset += records.length
        return isPacked ? repacked(batch, 17, gzipSync(batch.subarray(RECORDS_AT))) : batch
      })
      const read = readRecordSet(Buffer.concat(written))
      expect(read.flatMap(({ records }) => records)).toEqual(all.flat().map((record, n) => ({ offset: first + n, ...record })))
      expect(read.every(({ producerId, isInTransaction, isControl }) => producerId === 7n && isInTransaction && !isControl)).toBe(true)
    }),
    { numRuns: 60 },
  )
})
test('a truncated set gives the complete batches and drops the rest', () => {
  const whole = at(0, ONE)
  for (let bytes = 0; bytes < whole.length; bytes++)
    expect(readRecordSet(Buffer.concat([whole, at(1, ONE).subarray(0, bytes)]))).toHaveLength(1)
})
test('a batch emptied by compaction keeps its offsets', () => {
  const empty = repacked(at(5, ONE), 16, Buffer.alloc(0))
  empty.writeInt32BE(9, 23)
  empty.writeInt32BE(0, 57)
  expect(readRecordSet(empty)).toEqual([
    { firstOffset: 5, lastOffset: 14, producerId: 7n, epoch: 1, isInTransaction: true, isControl: false, records: [] },
  ])
})
test('a control marker is reported as one', () => {
  expect(readRecordSet(withAttributes(ONE, 48))[0]).toMatchObject({ isControl: true, isInTransaction: true })
})
test('an unknown compression is refused with advice', () => {
  expect(() => readRecordSet(withAttributes(ONE, 20))).toThrow('compression 4 is not supported: set compression.type')
  const old = Buffer.from(ONE)
  old.writeInt8(1, 16)
  expect(() => readRecordSet(old)).toThrow('record format 1 is not supported')
})
