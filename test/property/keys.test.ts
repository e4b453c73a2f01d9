// Keys, signatures and addresses: bytes and text are two forms of one value (an address in any letter case), and all other text is refused.
import fc from 'fast-check'
import { checksumAddress } from 'viem'
import {
  HEX_KEYS,
  type Key,
  keyOf,
  keyOfText,
  keyText,
  mustHexKey,
  mustKey,
  parseKey,
  parseSignature,
  type Signature,
  signatureOf,
  toBase58,
  toBytes,
} from '../../schemas/keys.ts'

const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    fc.uint8Array({ minLength: length, maxLength: length }),
    fc.nat(length).map((zeros) => new Uint8Array(length).fill(255, zeros)),
  )

test('keys survive a round trip through bytes and through base58', () => {
  fc.assert(
    fc.property(bytes(32), (raw) => {
      const key = keyOf(raw)
      expect(key).toHaveLength(32)
      expect(new Uint8Array(toBytes(key))).toEqual(raw)
      expect(parseKey(toBase58(key))).toBe(key)
      expect(mustKey(toBase58(key))).toBe(key)
    }),
  )
})

test('a key of either chain survives a round trip through its text, and other text is refused', () => {
  fc.assert(
    fc.property(fc.oneof(bytes(32), bytes(HEX_KEYS.bytes)), (raw) => {
      const key = Buffer.from(raw).toString('latin1') as Key
      expect(keyOfText(keyText(key))).toBe(key)
    }),
  )
  expect(() => keyOfText('0x12')).toThrow('not a base58 key: 0x12')
})

test('signatures survive a round trip through bytes and through base58', () => {
  fc.assert(
    fc.property(bytes(64), (raw) => {
      const signature = signatureOf(raw)
      expect(new Uint8Array(toBytes(signature))).toEqual(raw)
      expect(parseSignature(toBase58(signature))).toBe(signature)
    }),
  )
})

test('a key is read from the middle of a buffer', () => {
  const buffer = Buffer.concat([Buffer.alloc(5, 1), Buffer.alloc(32, 2), Buffer.alloc(5, 3)])
  expect(toBytes(keyOf(buffer.subarray(5, 37)))).toEqual(Buffer.alloc(32, 2))
  expect(toBytes(keyOf(new Uint8Array(buffer).subarray(5, 37)))).toEqual(Buffer.alloc(32, 2))
})

test('the zero key equals the system program', () => {
  expect(parseKey('1'.repeat(32))).toBe('\0'.repeat(32) as Key)
})

test('a wrong number of bytes throws', () => {
  for (const length of [0, 31, 33, 64]) expect(() => keyOf(new Uint8Array(length))).toThrow(`got ${length}`)
  for (const length of [0, 32, 63, 65]) expect(() => signatureOf(new Uint8Array(length))).toThrow(`got ${length}`)
})

test('text that is not base58 of the right length is not a key', () => {
  const good = toBase58('k'.repeat(32) as Key)
  const wrong = [
    '',
    '1'.repeat(31),
    '1'.repeat(33),
    `${good}1`,
    `0${good.slice(1)}`,
    ` ${good}`,
    `${good}\n`,
    'z'.repeat(44),
    '1'.repeat(1e6),
  ]
  for (const text of wrong) expect(parseKey(text)).toBeUndefined()
  expect(parseSignature(good)).toBeUndefined()
  expect(parseKey(toBase58('s'.repeat(64) as Signature))).toBeUndefined()
  expect(() => mustKey(`${good}1`)).toThrow('not a base58 key')
})

test('addresses print with their checksum and are read in any letter case, with or without a valid checksum', () =>
  fc.assert(
    fc.property(bytes(20), fc.infiniteStream(fc.boolean()), (raw, cases) => {
      const hex = `0x${Buffer.from(raw).toString('hex')}` as const
      const key = mustHexKey(hex)
      expect(HEX_KEYS.print(key)).toBe(checksumAddress(hex))
      const mixed = [...hex.slice(2)].map((letter) => (cases.next().value ? letter.toUpperCase() : letter)).join('')
      expect(HEX_KEYS.parse(`0x${mixed}`)).toBe(key)
    }),
  ))

test('text that is not an address of 20 bytes is not a key', () => {
  const good = `0x${'a1'.repeat(20)}`
  for (const text of ['', good.slice(2), good.slice(0, -1), `${good}0`, ` ${good}`, `${good}\n`, `0x${'g1'.repeat(20)}`]) {
    expect(HEX_KEYS.parse(text)).toBeUndefined()
    expect(() => mustHexKey(text)).toThrow('not an address')
  }
})
