// Wallets and program addresses, compared with Solana's library.
import { PublicKey } from '@solana/web3.js'
import { isWallet, programAddressOf } from '../../../../processors/chains/solana/wallet-key.ts'
import { type Key, keyOf, toBytes } from '../../../../schemas/keys.ts'
import { randomOf } from '../../../bench/synthetic-tape.ts'

const P = 2n ** 255n - 19n
const random = randomOf(1)
const drawn = (): Uint8Array => Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256))
/** The key with this y, and an odd x if `isOdd`. */
const withY = (y: bigint, isOdd: boolean): Uint8Array =>
  Buffer.from((y | (isOdd ? 1n << 255n : 0n)).toString(16).padStart(64, '0'), 'hex').reverse()

describe('a key', () => {
  test('is a wallet exactly if it is a point of the curve', () => {
    const keys = Array.from({ length: 1_000 }, drawn)
    const found = keys.map((bytes) => isWallet(keyOf(bytes)))
    expect(found).toEqual(keys.map((bytes) => PublicKey.isOnCurve(bytes)))
    expect(found.filter((is) => is).length).toBeGreaterThan(400)
    expect(found.filter((is) => !is).length).toBeGreaterThan(400)
  })

  test.each([0n, 1n, 2n, 3n, P - 2n, P - 1n, P, P + 1n, 2n ** 255n - 1n, 1n << 32n, 1n << 254n])('with the edge value %s of y too', (y) => {
    for (const isOdd of [false, true]) {
      const bytes = withY(y, isOdd)
      expect([isOdd, isWallet(keyOf(bytes))]).toEqual([isOdd, PublicKey.isOnCurve(bytes)])
    }
  })

  test('of another length is no wallet', () => {
    for (const length of [0, 20, 31, 33]) expect(isWallet(Buffer.alloc(length, 1).toString('latin1') as Key)).toBe(false)
  })
})

test('the address that a program derives from seeds is that of the library', () => {
  for (let n = 0; n < 50; n++) {
    const [program, seed, other] = [keyOf(drawn()), drawn(), drawn()]
    const [address] = PublicKey.findProgramAddressSync([seed, other], new PublicKey(toBytes(program)))
    expect(programAddressOf(program, [seed, other])).toBe(keyOf(address.toBytes()))
  }
})
