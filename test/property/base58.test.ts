// The fast base58 reader and writer agree with the reference for any bytes and any text.
import bs58 from 'bs58'
import fc from 'fast-check'
import { decodeBase58, encodeBase58 } from '../../schemas/base58.ts'

test('any bytes survive a round trip through text, leading zeros included', () => {
  fc.assert(
    fc.property(fc.nat(5), fc.uint8Array({ maxLength: 420 }), (zeros, rest) => {
      const bytes = Buffer.concat([Buffer.alloc(zeros), rest])
      expect(decodeBase58(bs58.encode(bytes))?.equals(bytes)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test("the text of any bytes equals the reference's, leading zeros included", () => {
  const extremes = fc.uint8Array({ maxLength: 64 }).map((bytes) => bytes.map((byte) => (byte < 128 ? 0 : 255)))
  fc.assert(
    fc.property(fc.nat(5), fc.oneof(fc.uint8Array({ maxLength: 420 }), extremes), (zeros, rest) => {
      const bytes = Buffer.concat([Buffer.alloc(zeros), rest])
      expect(encodeBase58(bytes.toString('latin1'))).toBe(bs58.encode(bytes))
    }),
    { numRuns: 2_000 },
  )
})

test('any text is refused exactly where the reference refuses it, and otherwise read to the same bytes', () => {
  const near = fc.string({ unit: fc.constantFrom(...'123zZ9aAoO0lIé '), maxLength: 90 })
  fc.assert(
    fc.property(fc.oneof(near, fc.string({ maxLength: 50 })), (text) => {
      const reference = bs58.decodeUnsafe(text)
      expect(decodeBase58(text)?.toString('hex')).toBe(reference === undefined ? undefined : Buffer.from(reference).toString('hex'))
    }),
    { numRuns: 2_000 },
  )
  expect(decodeBase58('1'.repeat(16_385))).toBeUndefined()
})
