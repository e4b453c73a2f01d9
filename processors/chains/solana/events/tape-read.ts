// Fast reads of event bytes, straight to the tape's numbers.
import { type BadData, bad, type Parsed } from '../../../../schemas/errors.ts'
import type { Key, Signature } from '../../../../schemas/keys.ts'
import type { FrameTransaction, TapeEvent } from '../../../../schemas/types.ts'
import type { FoundEvent } from './found.ts'

const TWO_32 = 0x1_0000_0000

/** A u64; inexact above 2^53, where `checkAmounts` refuses it. */
export const readU64 = (bytes: Buffer, at: number): number => bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * TWO_32
/** An i64; inexact beyond 2^53, where `checkAmounts` refuses it. */
export const readI64 = (bytes: Buffer, at: number): number => bytes.readUInt32LE(at) + bytes.readInt32LE(at + 4) * TWO_32
/** An i128; inexact beyond 2^53, where `checkAmounts` refuses it. */
export const readI128 = (bytes: Buffer, at: number): number => {
  const high = Number(bytes.readBigInt64LE(at + 8))
  // Small negative numbers are near 2^64 in their low half, where a number is not exact: the sign is taken out of it first.
  const sign = high < 0 ? 1 : 0
  return (high + sign) * TWO_32 * TWO_32 + (bytes.readUInt32LE(at + 4) - sign * TWO_32) * TWO_32 + bytes.readUInt32LE(at)
}
/** A key. The caller has checked that its bytes are there. */
export const readKey = (bytes: Buffer, at: number): Key => bytes.toString('latin1', at, at + 32) as Key

/** True for 1, false for 0, bad data for anything else. */
export const badBool = (bytes: Buffer, at: number, name: string): BadData | undefined => {
  const byte = bytes.readUInt8(at)
  return byte > 1 ? bad('bad_bool', `${name} is ${byte}, neither 0 nor 1`) : undefined
}

/** End of a string whose length stands at `at`; undefined where even the length is not whole. */
export const endOfString = (bytes: Buffer, at: number, name: string): number | undefined | BadData => {
  if (at + 4 > bytes.length) return undefined
  const end = at + 4 + bytes.readUInt32LE(at)
  return end > bytes.length ? bad('bad_string_length', `${name} ends ${end - bytes.length} bytes past the end of the event`) : end
}

/** Place of an event on the tape. */
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

/** The tape's amounts are numbers: an event with one that a number cannot hold exactly is bad data. */
export const checkAmounts = <Event extends TapeEvent>(event: Event): Parsed<Event> => {
  for (const [name, value] of Object.entries(event)) {
    if (typeof value === 'number' && !Number.isSafeInteger(value))
      return bad('amount_too_large', `${event.type}.${name} is ${value}, beyond 2^53`)
  }
  return { ok: true, value: event }
}
