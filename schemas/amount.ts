// Amounts in base units, exact up to 256 bits. A value that avsc can encode as an Avro long without rounding is a number, any other is a
// bigint: each value has one form only.
import { assert } from './errors.ts'

/** A number if and only if `isLong` is true, else a bigint. Compare with `<` and `>`; calculate with `add` and `subtract`. */
export type Amount = number | bigint

/** A record whose amounts are all numbers. */
export type InLong<Row> = { [Field in keyof Row]: Exclude<Row[Field], bigint> }

/** The largest number that avsc writes as long. */
export const LONG_MAX = Number.MAX_SAFE_INTEGER - 1
/** avsc encodes a negative number -n as 2n - 1, which must not be rounded. */
const LONG_MIN = -(2 ** 52)
/** The smallest magnitude with more than 256 bits. */
const BEYOND = 1n << 256n
/** A sign and 256 bits. */
const BYTES_MAX = 33

const isLong = (value: Amount): boolean => value >= LONG_MIN && value <= LONG_MAX

/** The canonical form of an integer. */
export const amountOf = (value: bigint): Amount => (isLong(value) ? Number(value) : value)

/** Sums are capped at 256 bits: circular trades can exceed that. */
const within256Bits = (value: bigint): Amount => amountOf(value >= BEYOND ? BEYOND - 1n : value <= -BEYOND ? 1n - BEYOND : value)

/** Exact, capped at 256 bits. Uses no bigints where both operands and the sum are numbers. */
export const add = (a: Amount, b: Amount): Amount => {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (sum >= LONG_MIN && sum <= LONG_MAX) return sum
  }
  return within256Bits(BigInt(a) + BigInt(b))
}
/** Like `add`. */
export const subtract = (a: Amount, b: Amount): Amount => {
  if (typeof a === 'number' && typeof b === 'number') {
    const rest = a - b
    if (rest >= LONG_MIN && rest <= LONG_MAX) return rest
  }
  return within256Bits(BigInt(a) - BigInt(b))
}

/** Exact, for comparisons only: the result may have another form than an amount. `factor`: a whole number from 1. */
export const times = (a: Amount, factor: number): number | bigint =>
  typeof a === 'number' && Math.abs(a) <= Number.MAX_SAFE_INTEGER / factor ? a * factor : BigInt(a) * BigInt(factor)
/** Below 0 where `a` is less, above where it is more. */
export const compareAmounts = (a: Amount, b: Amount): number => (a < b ? -1 : a > b ? 1 : 0)
export const lesserOf = (a: Amount, b: Amount): Amount => (a < b ? a : b)
export const greaterOf = (a: Amount, b: Amount): Amount => (a > b ? a : b)

/** A number with this many digits is always exact. */
const EXACT_DIGITS = 15
const INTEGER = /^-?\d{1,78}$/
/**
 * Parses decimal digits with an optional minus; undefined for text that is not an integer of up to 256 bits. Not a validator: up to 15
 * characters it also accepts the other integers that `Number` does, such as '', '1e3' and '0x10'.
 */
export const amountOfDigits = (digits: string): Amount | undefined => {
  if (digits.length <= EXACT_DIGITS) {
    const value = Number(digits)
    return Number.isInteger(value) && isLong(value) ? value : undefined
  }
  const value = INTEGER.test(digits) ? BigInt(digits) : BEYOND
  return isWithin256Bits(value) ? amountOf(value) : undefined
}
/** For JSON: decimal text for a bigint, else the number. */
export const printAmount = (value: Amount): number | string => (typeof value === 'bigint' ? String(value) : value)

/** The nearest integer of this many bits, including the sign. */
export const clipped = (value: bigint, bits: number): bigint => {
  const max = (1n << BigInt(bits - 1)) - 1n
  return value > max ? max : value < -max ? -max - 1n : value
}

/** True for an integer that the schemas' amounts can hold. */
export const isWithin256Bits = (value: bigint): boolean => value < BEYOND && value > -BEYOND

/** Avro's decimal of scale 0: two's complement, big-endian, as few bytes as hold it. @throws (a bug) beyond 256 bits */
export const amountBytes = (value: bigint): Buffer => {
  assert(isWithin256Bits(value), `${value} has more than 256 bits`)
  const magnitude = value < 0n ? -value - 1n : value
  const size = (magnitude.toString(2).length >> 3) + 1
  const hex = BigInt.asUintN(size * 8, value).toString(16)
  return Buffer.from(hex.padStart(size * 2, '0'), 'hex')
}

/** @throws RangeError for bytes that are not an integer of up to 256 bits */
export const amountFromBytes = (bytes: Uint8Array): Amount => {
  const { length } = bytes
  if (length === 0 || length > BYTES_MAX) throw new RangeError(`an amount has 1 to ${BYTES_MAX} bytes, not ${length}`)
  const value = BigInt.asIntN(length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
  if (!isWithin256Bits(value)) throw new RangeError('an amount has at most 256 bits')
  return amountOf(value)
}
