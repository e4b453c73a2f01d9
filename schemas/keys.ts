// Keys and signatures: latin1 text of their bytes in memory; base58 or hex, as their chain prints them, in inputs and outputs.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { decodeBase58, encodeBase58 } from './base58.ts'
import { asBuffer } from './bytes.ts'
import { assert } from './errors.ts'

declare const brand: unique symbol
/** A mint, wallet, pool or program: the bytes of the chain's address as latin1 text, one character per byte. */
export type Key = string & { readonly [brand]: 'Key' }
/** As latin1 text: the first signature of a Solana transaction (64 bytes), or the hash of an EVM transaction (32 bytes). */
export type Signature = string & { readonly [brand]: 'Signature' }

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

/** A key from its 32 bytes. @throws RangeError when there are not exactly 32; callers slice them from a fixed layout */
export const keyOf = (bytes: Uint8Array): Key => {
  if (bytes.length !== KEY_BYTES) throw new RangeError(`a key has ${KEY_BYTES} bytes, got ${bytes.length}`)
  return latin1(bytes) as Key
}
/** A signature from its 64 bytes. @throws RangeError when there are not exactly 64 */
export const signatureOf = (bytes: Uint8Array): Signature => {
  if (bytes.length !== SIGNATURE_BYTES) throw new RangeError(`a signature has ${SIGNATURE_BYTES} bytes, got ${bytes.length}`)
  return latin1(bytes) as Signature
}

/** Parses a base58 address of 32 bytes; undefined for anything else. */
export const parseKey = (text: string): Key | undefined => {
  if (text.length < 32 || text.length > 44) return undefined
  const bytes = decodeBase58(text)
  return bytes?.length === KEY_BYTES ? (latin1(bytes) as Key) : undefined
}
/** Parses a base58 signature of 64 bytes; undefined for anything else. */
export const parseSignature = (text: string): Signature | undefined => {
  if (text.length < 64 || text.length > 88) return undefined
  const bytes = decodeBase58(text)
  return bytes?.length === SIGNATURE_BYTES ? (latin1(bytes) as Signature) : undefined
}
/** The smallest and the largest base58 text of 64 bytes that begin with another byte than 0. Texts of one length sort like their bytes. */
const SIGNATURE_TEXT_MIN = encodeBase58(`\u0001${'\0'.repeat(SIGNATURE_BYTES - 1)}`)
const SIGNATURE_TEXT_MAX = encodeBase58('\u00ff'.repeat(SIGNATURE_BYTES))
const NO_ZERO_FIRST = /^[2-9A-HJ-NP-Za-km-z][1-9A-HJ-NP-Za-km-z]+$/
/**
 * True only for text that `parseSignature` accepts, without decoding it. False for a signature that begins with a zero byte (one in 256).
 */
export const isSignatureText = (text: string): boolean =>
  NO_ZERO_FIRST.test(text) &&
  (text.length === SIGNATURE_TEXT_MAX.length
    ? text <= SIGNATURE_TEXT_MAX
    : text.length === SIGNATURE_TEXT_MIN.length && text >= SIGNATURE_TEXT_MIN)
/** A constant in the source code, from base58. @throws if it is mistyped */
export const mustKey = (text: string): Key => {
  const key = parseKey(text)
  if (key === undefined) throw new Error(`not a base58 key: ${text}`)
  return key
}

/** A signature from text that `isSignatureText` has accepted. */
export const mustSignature = (text: string): Signature => {
  const signature = parseSignature(text)
  assert(signature !== undefined, `not a base58 signature: ${text}`)
  return signature
}

/** Base58 of a key or signature. For inputs and outputs only, never per event in a fold. */
export const toBase58 = (text: Key | Signature): string => encodeBase58(text)
export const toBytes = (text: Key | Signature): Buffer => Buffer.from(text, 'latin1')

/** A chain's text form of keys. No two forms have the same number of bytes, so a key determines its form. */
export interface KeyForm {
  readonly bytes: number
  print(key: Key): string
  /** Undefined for anything else. */
  parse(text: string): Key | undefined
}
export const BASE58_KEYS: KeyForm = { bytes: KEY_BYTES, print: toBase58, parse: parseKey }
const HEX = /^0x[0-9a-f]{40}$/i

/** A letter is a capital if the digit at its place in the hash of the text is 8 or more (EIP-55). */
const checksummed = (key: Key): string => {
  const text = toBytes(key).toString('hex')
  const digest = keccak_256(Buffer.from(text, 'latin1'))
  let whole = '0x'
  for (let i = 0; i < text.length; i++) {
    const digit = ((digest[i >> 1] as number) >> (i % 2 === 0 ? 4 : 0)) & 0xf
    const letter = text.charAt(i)
    whole += digit >= 8 ? letter.toUpperCase() : letter
  }
  return whole
}
/** Size of the cache of printed addresses: hashing one takes 15 µs, and the same addresses are printed again and again. */
const PRINTED_MAX = 50_000
const printed = new Map<Key, string>()

const printHex = (key: Key): string => {
  let text = printed.get(key)
  if (text !== undefined) return text
  text = checksummed(key)
  if (printed.size >= PRINTED_MAX) printed.clear()
  printed.set(key, text)
  return text
}
/** Printed with the checksum of EIP-55, parsed in any letter case: a wrong checksum is accepted. */
export const HEX_KEYS: KeyForm = {
  bytes: 20,
  print: printHex,
  parse: (text) => (HEX.test(text) ? (latin1(Buffer.from(text.slice(2), 'hex')) as Key) : undefined),
}
/** The key of a text in the source code, in either form. @throws for text that is not a key */
export const keyOfText = (text: string): Key => HEX_KEYS.parse(text) ?? mustKey(text)
/** A constant in the source code, from hex. @throws if it is mistyped */
export const mustHexKey = (text: string): Key => {
  const key = HEX_KEYS.parse(text)
  if (key === undefined) throw new Error(`not an address: ${text}`)
  return key
}
/** The text form of a key for people. For outputs only, never per event in a fold. */
export const keyText = (key: Key): string => (key.length === HEX_KEYS.bytes ? HEX_KEYS : BASE58_KEYS).print(key)

/** The text form of a signature or transaction hash for people. */
export const signatureText = (signature: Signature): string =>
  signature.length === SIGNATURE_BYTES ? toBase58(signature) : `0x${toBytes(signature).toString('hex')}`

/** Compares texts by character code. Keys are thus ordered by their bytes; also used for names. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const latin1 = (bytes: Uint8Array): string => asBuffer(bytes).toString('latin1')
