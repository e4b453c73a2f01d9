// Fast reads of fields at known offsets, in the number types of the tape.
import { type Amount, amountOf, LONG_MAX } from '../../../../schemas/amount.ts'
import { type BadData, bad, type Parsed } from '../../../../schemas/errors.ts'
import type { Key, Signature } from '../../../../schemas/keys.ts'
import type { FrameTransaction, TapeEvent } from '../../../../schemas/types.ts'
import type { FoundEvent } from './found.ts'

const TWO_32 = 0x1_0000_0000

/** A u64; inexact above 2^53. */
const readU64 = (bytes: Buffer, at: number): number => bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * TWO_32
/** An i64; inexact beyond 2^53, where `checkAmounts` refuses it. */
export const readI64 = (bytes: Buffer, at: number): number => bytes.readUInt32LE(at) + bytes.readInt32LE(at + 4) * TWO_32
/** A u64 as an amount. */
export const readAmount = (bytes: Buffer, at: number): Amount => {
  const value = readU64(bytes, at)
  return value <= LONG_MAX ? value : bytes.readBigUInt64LE(at)
}
/** An i128 as an amount. */
export const readI128 = (bytes: Buffer, at: number): Amount => {
  const isU64 = bytes.readUInt32LE(at + 8) === 0 && bytes.readUInt32LE(at + 12) === 0
  return isU64 ? readAmount(bytes, at) : amountOf((bytes.readBigInt64LE(at + 8) << 64n) | bytes.readBigUInt64LE(at))
}
/** A key. The caller has checked the length. */
export const readKey = (bytes: Buffer, at: number): Key => bytes.toString('latin1', at, at + 32) as Key

/** Bad data unless the byte is 0 or 1. */
export const badBool = (bytes: Buffer, at: number, name: string): BadData | undefined => {
  const byte = bytes.readUInt8(at)
  return byte > 1 ? bad('bad_bool', `${name} is ${byte}, neither 0 nor 1`) : undefined
}

/** End of a string whose length is at `at`; undefined where even the length is cut off. */
export const endOfString = (bytes: Buffer, at: number, name: string): number | undefined | BadData => {
  if (at + 4 > bytes.length) return undefined
  const end = at + 4 + bytes.readUInt32LE(at)
  return end > bytes.length ? bad('bad_string_length', `${name} ends ${end - bytes.length} bytes past the end of the event`) : end
}

/** The event's position within its slot, and the transaction's signature. */
export interface EventHead {
  readonly tx: number
  readonly outer: number
  readonly inner: number
  readonly signature: Signature
}

export const headOf = (found: FoundEvent, tx: FrameTransaction): EventHead => ({
  tx: tx.index,
  outer: found.outer,
  inner: found.inner,
  signature: tx.signature,
})

/** The event; bad data (amount_too_large) where a number is beyond 2^53 and so inexact. Amounts beyond it are bigint and pass. */
export const checkAmounts = <Event extends TapeEvent>(event: Event): Parsed<Event> => {
  for (const [name, value] of Object.entries(event)) {
    if (typeof value === 'number' && !Number.isSafeInteger(value))
      return bad('amount_too_large', `${event.type}.${name} is ${value}, beyond 2^53`)
  }
  return { ok: true, value: event }
}
