// Seeded random numbers: the same seed and the same calls give the same numbers on every machine. Not for secrets.

const TWO_32 = 0x1_0000_0000
const WARM_UP_ROUNDS = 12

/** The small fast counter generator (sfc32, PractRand): 128 bits of state; its counter guarantees a period of at least 2^32. */
export class Seeded {
  #a: number
  #b: number
  #c: number
  #counter = 1

  /** `seed` is a whole number from 0 to 2^53 - 1. Different pairs of seed and stream give unrelated sequences. */
  constructor(seed: number, stream = 0) {
    this.#a = seed | 0
    this.#b = Math.floor(seed / TWO_32) | 0
    this.#c = stream | 0
    for (let round = 0; round < WARM_UP_ROUNDS; round++) this.u32()
  }
  /** An integer from 0 to 2^32 - 1. */
  u32(): number {
    const sum = (this.#a + this.#b + this.#counter++) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return sum >>> 0
  }
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    return this.u32() / TWO_32
  }
  /** An integer from 0 to `count` - 1; for a count of a million, probabilities differ by at most 2^-12. */
  int(count: number): number {
    return Math.floor(this.next() * count)
  }
}
