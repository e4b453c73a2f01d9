// Parses transactions in wire form: legacy, version 0 (lookup tables) and version 1 (SIMD-0385: the counts of all instructions precede
// their data, and the signatures come last).
import { bad, good, type Parsed } from '../../../../schemas/errors.ts'
import { type Key, keyOf, type Signature, signatureOf } from '../../../../schemas/keys.ts'
import type { SourceInstruction } from '../source-transaction.ts'

/** The content of a transaction in wire form, which does not contain the keys of lookup tables. */
export interface WireTransaction {
  readonly signature: Signature
  /** -1 legacy, else 0 or 1. */
  readonly version: number
  readonly signers: number
  readonly staticKeys: readonly Key[]
  readonly instructions: readonly SourceInstruction[]
}

/** Maximum bytes of a version 1 transaction; older ones have 1232. */
const WIRE_BYTES_MAX = 4096
const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
const VERSION_FLAG = 0x80
const V1_FIRST_BYTE = 0x81

/** Reads forward. After the first read past the end, `ok` is false and every read returns zero or no bytes. */
class Reader {
  readonly #bytes: Buffer
  #at = 0
  ok = true

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }
  take(size: number): Buffer {
    const end = this.#at + size
    if (!this.ok || end > this.#bytes.length) {
      this.ok = false
      return Buffer.alloc(0)
    }
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
  u8(): number {
    return this.take(1)[0] ?? 0
  }
  u16(): number {
    const [low = 0, high = 0] = this.take(2)
    return low + high * 256
  }
  /** Compact-u16: 7 bits a byte, at most three bytes. */
  compact(): number {
    let value = 0
    for (let i = 0; i < 3; i++) {
      const byte = this.u8()
      value |= (byte & 0x7f) << (7 * i)
      if (byte < 0x80) return value
    }
    this.ok = false
    return 0
  }
  /** Reads `count` values, or fewer where the bytes end: a count is not trusted, so nothing is allocated for it beforehand. */
  list<T>(count: number, read: () => T): T[] {
    const values: T[] = []
    for (let i = 0; i < count && this.ok; i++) {
      const value = read()
      if (this.ok) values.push(value)
    }
    return values
  }
  keys(count: number): Key[] {
    return this.list(count, () => this.take(KEY_BYTES)).map(keyOf)
  }
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }
  peek(): number {
    return this.#bytes[this.#at] ?? 0
  }
}

/** True where every program and account index is within the transaction's keys, including those of its lookup tables. */
const indexesFit = (instructions: readonly SourceInstruction[], keyCount: number): boolean =>
  instructions.every(({ program, accounts }) => program < keyCount && accounts.every((account) => account < keyCount))

const readLegacyOrV0 = (reader: Reader): { readonly tx: WireTransaction; readonly keyCount: number } | undefined => {
  const signatures = reader.list(reader.compact(), () => reader.take(SIGNATURE_BYTES))
  const isVersioned = reader.peek() >= VERSION_FLAG
  const version = isVersioned ? reader.u8() - VERSION_FLAG : -1
  const [signers = 0] = reader.take(3)
  const staticKeys = reader.keys(reader.compact())
  reader.take(KEY_BYTES) // The recent blockhash.
  const instructions = reader.list(reader.compact(), () => ({
    program: reader.u8(),
    accounts: reader.take(reader.compact()),
    data: reader.take(reader.compact()),
  }))
  const lookups = isVersioned
    ? reader.list(
        reader.compact(),
        () => reader.take(KEY_BYTES) && reader.take(reader.compact()).length + reader.take(reader.compact()).length,
      )
    : []
  const [signature] = signatures
  if (version > 0 || signature === undefined || !reader.ok) return undefined
  const keyCount = lookups.reduce((sum, count) => sum + count, staticKeys.length)
  return { tx: { signature: signatureOf(signature), version, signers, staticKeys, instructions }, keyCount }
}

const bitCount = (mask: number): number => (mask === 0 ? 0 : (mask & 1) + bitCount(mask >>> 1))

const readV1 = (reader: Reader): { readonly tx: WireTransaction; readonly keyCount: number } | undefined => {
  reader.u8()
  const [signers = 0] = reader.take(3)
  const mask = reader.u16() + reader.u16() * 0x1_0000
  reader.take(KEY_BYTES) // The recent blockhash.
  const instructionCount = reader.u8()
  const staticKeys = reader.keys(reader.u8())
  reader.take(4 * bitCount(mask)) // Fee and limits, 4 bytes for each bit of the mask.
  const heads = reader.list(instructionCount, () => ({ program: reader.u8(), accounts: reader.u8(), data: reader.u16() }))
  const instructions = heads.map(({ program, accounts, data }) => ({ program, accounts: reader.take(accounts), data: reader.take(data) }))
  const [signature] = reader.list(signers, () => reader.take(SIGNATURE_BYTES))
  if (signature === undefined || !reader.ok) return undefined
  return { tx: { signature: signatureOf(signature), version: 1, signers, staticKeys, instructions }, keyCount: staticKeys.length }
}

/** Parses bytes that are one transaction. Bad data (bad_transaction) where it is truncated, has bytes left, or has an unknown version. */
export const readWire = (bytes: Buffer): Parsed<WireTransaction> => {
  if (bytes.length > WIRE_BYTES_MAX)
    return bad('bad_transaction', `the transaction has ${bytes.length} bytes, at most ${WIRE_BYTES_MAX} are allowed`)
  const reader = new Reader(bytes)
  const read = reader.peek() === V1_FIRST_BYTE ? readV1(reader) : readLegacyOrV0(reader)
  if (read === undefined || !reader.isAtEnd) return bad('bad_transaction', `${bytes.length} bytes are not a transaction of a known version`)
  if (!indexesFit(read.tx.instructions, read.keyCount))
    return bad('bad_transaction', 'an instruction names a key that the transaction does not have')
  return good(read.tx)
}
