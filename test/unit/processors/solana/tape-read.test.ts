// Reading of integers of 64 and of 128 bits; pools have reserves of 128 bits, which may be negative.
import fc from 'fast-check'
import { readAmount, readI128 } from '../../../../processors/chains/solana/events/tape-read.ts'
import { amountOf } from '../../../../schemas/amount.ts'

const bytesOf = (n: bigint): Buffer => {
  const bytes = Buffer.alloc(18, 0xee)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, n), 1)
  bytes.writeBigInt64LE(n >> 64n, 9)
  return bytes
}

test('every integer is read exactly', () =>
  fc.assert(fc.property(fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n), (n) => expect(readI128(bytesOf(n), 1)).toBe(amountOf(n)))))
test.each([
  0n,
  -1n,
  2n ** 53n - 2n,
  2n ** 53n - 1n,
  -(2n ** 52n),
  -(2n ** 52n) - 1n,
  2n ** 64n - 1n,
  2n ** 64n,
  -(2n ** 64n),
  -(2n ** 127n),
])('%i is read exactly', (n) => {
  expect(readI128(bytesOf(n), 1)).toBe(amountOf(n))
  if (n >= 0n && n < 2n ** 64n) expect(readAmount(bytesOf(n), 1)).toBe(amountOf(n))
})
