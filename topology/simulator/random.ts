// Seeded chance: the demo's only source of it. The same seed and the same calls give the same numbers on every machine.
import type { Key, Signature } from '../../schemas/keys.ts'

const TWO_32 = 0x1_0000_0000
const WARM_UP_ROUNDS = 12
const words = new Uint32Array(16)
const scratch = Buffer.from(words.buffer)

/** The small fast counter generator (sfc32): 128 bits of state, its counter promises a period of at least 2^32. Not for secrets. */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1
  #spareNormal: number | undefined

  /** Different pairs give streams that have nothing in common. */
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
  /** From 0 up to, not including, 1. */
  next(): number {
    return this.u32() / TWO_32
  }
  chance(probability: number): boolean {
    return this.next() < probability
  }
  /** An integer from 0 to `count` - 1. */
  int(count: number): number {
    return Math.floor(this.next() * count)
  }
  between(low: number, high: number): number {
    return low + (high - low) * this.next()
  }
  pick<Item>(items: readonly Item[]): Item {
    return items[this.int(items.length)] as Item
  }
  normal(): number {
    const spare = this.#spareNormal
    if (spare !== undefined) {
      this.#spareNormal = undefined
      return spare
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()))
    const angle = 2 * Math.PI * this.next()
    this.#spareNormal = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }
  logNormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal())
  }
  logUniform(low: number, high: number): number {
    return low * (high / low) ** this.next()
  }
  /** Waiting time of a Poisson process of so many events a unit. */
  wait(rate: number): number {
    return -Math.log(1 - this.next()) / rate
  }
  /** An index below `count`, small ones more often: of density i^-exponent, exponent below 1. */
  zipf(count: number, exponent: number): number {
    return Math.min(count - 1, Math.floor(count * this.next() ** (1 / (1 - exponent))))
  }
  key(): Key {
    return this.#text(32) as Key
  }
  signature(): Signature {
    return this.#text(64) as Signature
  }
  #text(bytes: number): string {
    for (let at = 0; at < bytes / 4; at++) words[at] = this.u32()
    return scratch.toString('latin1', 0, bytes)
  }
}
