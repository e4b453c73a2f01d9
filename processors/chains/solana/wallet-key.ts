// Distinguishes wallets from program addresses. Starts of programs do without Solana's library: loading it took a quarter of a
// thread's start, and it needs 0.15 ms for a key.
import { hash } from 'node:crypto'
import { assert } from '../../../schemas/errors.ts'
import { KEY_BYTES, type Key, keyOf, toBytes } from '../../../schemas/keys.ts'

/** The field of ed25519. */
const P = 2n ** 255n - 19n
/** The curve is y² - x² = 1 + D x² y², so that x² = (y² - 1) / (D y² + 1). */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** True for a point of the ed25519 curve: somebody may have its private key. Takes about 0.03 ms. */
export const isWallet = (key: Key): boolean => {
  const bytes = toBytes(key)
  if (bytes.length !== KEY_BYTES) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const words = [0, 8, 16, 24].map((at) => view.getBigUint64(at, true)) as [bigint, bigint, bigint, bigint]
  const y = words[0] | (words[1] << 64n) | (words[2] << 128n) | (BigInt.asUintN(63, words[3]) << 192n)
  if (y >= P) return false
  const square = (y * y) % P
  // A product is a square exactly if the quotient is one.
  const product = ((square - 1n + P) * (((D * square) % P) + 1n)) % P
  const isNegative = words[3] >> 63n === 1n
  return product === 0n ? !isNegative : isSquare(product)
}

/** True if a number from 1 to P - 1 is a square modulo P: its Jacobi symbol is 1. Five times as fast as a power. */
const isSquare = (number: bigint): boolean => {
  let [top, bottom, isOne] = [number, P, true]
  while (top !== 0n) {
    const zeros = trailingZeros(top)
    top >>= BigInt(zeros)
    const rest = Number(BigInt.asUintN(3, bottom))
    if (zeros % 2 === 1 && (rest === 3 || rest === 5)) isOne = !isOne
    if (top === 1n) return isOne
    if (rest % 4 === 3 && BigInt.asUintN(2, top) === 3n) isOne = !isOne
    ;[top, bottom] = [bottom % top, top]
  }
  return false
}

const trailingZeros = (number: bigint): number => {
  const low = Number(BigInt.asUintN(32, number))
  return low === 0 ? 32 + trailingZeros(number >> 32n) : 31 - Math.clz32(low & -low)
}

const PROGRAM_ADDRESS = Buffer.from('ProgramDerivedAddress')
const BUMP_MAX = 255

/** The address that a program derives from these seeds: the first of their hashes with a bump that is no wallet. */
export const programAddressOf = (program: Key, seeds: readonly Uint8Array[]): Key => {
  for (let bump = BUMP_MAX; bump >= 0; bump--) {
    const address = keyOf(hash('sha256', Buffer.concat([...seeds, Buffer.of(bump), toBytes(program), PROGRAM_ADDRESS]), 'buffer'))
    if (!isWallet(address)) return address
  }
  assert(false, 'half of all hashes are no wallets')
}
