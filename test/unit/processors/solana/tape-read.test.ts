// Integers of 128 bits, as pools have them for reserves that may be negative.
import fc from 'fast-check'
import { readI128 } from '../../../../processors/chains/solana/events/tape-read.ts'

const bytesOf = (n: bigint): Buffer => {
  const bytes = Buffer.alloc(18, 0xee)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, n), 1)
  bytes.writeBigInt64LE(n >> 64n, 9)
  return bytes
}

test('every integer that a number holds is read exactly', () =>
  fc.assert(fc.property(fc.maxSafeInteger(), (n) => expect(readI128(bytesOf(BigInt(n)), 1)).toBe(n))))
test.each([2n ** 64n, -(2n ** 64n), 3n * 2n ** 66n, -5n * 2n ** 80n, 2n ** 126n, -(2n ** 127n)])('%i is read too', (n) => {
  expect(readI128(bytesOf(n), 1)).toBe(Number(n))
})
