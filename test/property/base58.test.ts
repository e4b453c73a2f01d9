// The fast reader and writer of base58 say what the reference says, of any bytes and any text.
import bs58 from 'bs58'
import fc from 'fast-check'
import { decodeBase58, encodeBase58 } from '../../schemas/base58.ts'

test('given the text of any bytes, then they come back, leading zeros too', () => {
  fc.assert(
    fc.property(fc.nat(5), fc.uint8Array({ maxLength: 420 }), (zeros, rest) => {
      const bytes = Buffer.concat([Buffer.alloc(zeros), rest])
      expect(decodeBase58(bs58.encode(bytes))?.equals(bytes)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('given any bytes, then their text is that of the reference, leading zeros too', () => {
  const extremes = fc.uint8Array({ maxLength: 64 }).map((bytes) => bytes.map((byte) => (byte < 128 ? 0 : 255)))
  fc.assert(
    fc.property(fc.nat(5), fc.oneof(fc.uint8Array({ maxLength: 420 }), extremes), (zeros, rest) => {
      const bytes = Buffer.concat([Buffer.alloc(zeros), rest])
      expect(encodeBase58(bytes.toString('latin1'))).toBe(bs58.encode(bytes))
    }),
    { numRuns: 2_000 },
  )
})

test('given any text, then it is refused where the reference refuses it, and read alike where not', () => {
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
