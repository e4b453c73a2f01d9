// The exact sum of the squares of many amounts. One bigint multiplication per amount took a third of the time of a walk over holders.
import type { Amount } from '../../../schemas/amount.ts'

const DIGIT_BITS = 18
const DIGIT = 2 ** DIGIT_BITS
const HIGH = DIGIT * DIGIT
/** A product of two digits has at most 36 bits, so that sums of this many products are exact as numbers. */
const TERMS_MAX = 2 ** 16

/** Amounts that are numbers are split into three digits of 18 bits, and the products of the digits are added up as numbers. */
export class SquareSum {
  #beyond = 0n
  #terms = 0
  #hh = 0
  #hm = 0
  #hl = 0
  #mm = 0
  #ml = 0
  #ll = 0

  /** `amount` is not negative. */
  add(amount: Amount): void {
    if (typeof amount === 'bigint' || this.#terms === TERMS_MAX) {
      this.#beyond += BigInt(amount) * BigInt(amount)
      return
    }
    const high = Math.floor(amount / HIGH)
    const rest = amount - high * HIGH
    const middle = Math.floor(rest / DIGIT)
    const low = rest - middle * DIGIT
    this.#terms += 1
    this.#hh += high * high
    this.#hm += high * middle
    this.#hl += high * low
    this.#mm += middle * middle
    this.#ml += middle * low
    this.#ll += low * low
  }
  get value(): bigint {
    const digits = [2 * this.#hm, 2 * this.#hl + this.#mm, 2 * this.#ml, this.#ll]
    return digits.reduce((sum, digit) => (sum << BigInt(DIGIT_BITS)) + BigInt(digit), BigInt(this.#hh)) + this.#beyond
  }
}
