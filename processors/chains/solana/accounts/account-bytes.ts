// Reads keys and booleans of accounts by offset. Callers check lengths first.
import type { Key } from '../../../../schemas/keys.ts'
import { keyOf } from '../../../../schemas/keys.ts'
import { ZERO_KEY } from '../programs.ts'

export const KEY_BYTES = 32

export const keyAt = (data: Buffer, offset: number): Key => keyOf(data.subarray(offset, offset + KEY_BYTES))
/** Null for a zero key. */
export const keyOrNullAt = (data: Buffer, offset: number): Key | null => {
  const key = keyAt(data, offset)
  return key === ZERO_KEY ? null : key
}
/** Undefined for a byte that is neither 0 nor 1. */
export const boolAt = (data: Buffer, offset: number): boolean | undefined => {
  const byte = data[offset]
  return byte === 0 || byte === 1 ? byte === 1 : undefined
}
