// Log keys sort in record order, and encoded values are read back.
import * as fc from 'fast-check'
import * as keys from '../../../topology/logs/lmdb/lmdb-keys.ts'

const partition = fc.record({ topic: fc.nat(65_535), partition: fc.nat(65_535) })
const offset = fc.maxSafeNat()

test('record keys sort by topic, then partition, then offset', () => {
  fc.assert(
    fc.property(partition, offset, partition, offset, (a, atA, b, atB) => {
      const numeric = a.topic - b.topic || a.partition - b.partition || atA - atB
      expect(Math.sign(Buffer.compare(keys.recordKey(a, atA), keys.recordKey(b, atB)))).toBe(Math.sign(numeric))
    }),
  )
})
test('offsets and bounds survive a round trip', () => {
  fc.assert(
    fc.property(partition, offset, offset, (at, start, end) => {
      expect(keys.offsetOfKey(keys.recordKey(at, start))).toBe(start)
      expect(keys.decodeOffset(keys.encodeOffset(end))).toBe(end)
      expect(keys.decodeBounds(keys.encodeBounds(start, end))).toEqual({ start, end })
    }),
  )
})
test('records survive a round trip, a null distinct from an empty value', () => {
  const bytes = fc.uint8Array({ maxLength: 300 })
  fc.assert(
    fc.property(bytes, fc.option(bytes), (key, value) => {
      const record = keys.decodeRecord(7, keys.encodeRecord(key, value))
      expect(Buffer.from(record.key).equals(key)).toBe(true)
      expect(record.value === null ? null : [...record.value]).toEqual(value === null ? null : [...value])
    }),
  )
})
test('a topic keeps its name and number', () => {
  expect(keys.topicOfKey(keys.topicKey('mint.changelog'))).toBe('mint.changelog')
  expect([0, 255, 256, 65_535].map((n) => keys.decodeNumber(keys.encodeNumber(n)))).toEqual([0, 255, 256, 65_535])
})
