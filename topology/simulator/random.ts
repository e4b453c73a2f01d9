// The seeded random numbers of the demo, its only source of randomness. The same seed and calls give the same numbers on every machine.
import { Seeded } from '../../processors/seeded.ts'
import type { Key, Signature } from '../../schemas/keys.ts'

const words = new Uint32Array(16)
const scratch = Buffer.from(words.buffer)

/** Distributions used by the demo. */
export class Random extends Seeded {
  #spareNormal: number | undefined

  chance(probability: number): boolean {
    return this.next() < probability
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
  /** Waiting time of a Poisson process with this many events per unit. */
  wait(rate: number): number {
    return -Math.log(1 - this.next()) / rate
  }
  /** An index below `count`, small ones more often: density i^-exponent, exponent below 1. */
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
