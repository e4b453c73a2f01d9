// Seeded randomness: the same seed gives the same run.
import { randomOf } from '../bench/synthetic-tape.ts'

/** FNV-1a of a text, to draw by name rather than by index of a stream. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** The `nth` value of the stream of `start`, in [0, 1). */
export const shareAt = (start: number, nth: number): number => randomOf(start + Math.imul(nth + 1, 0x9e3779b1))()

export class Dice {
  readonly #random: () => number

  /** `name` separates the streams of one seed. */
  constructor(seed: number, name: string) {
    this.#random = randomOf(hashOf(`${seed} ${name}`))
  }
  /** In [0, 1). */
  share(): number {
    return this.#random()
  }
  /** An integer from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1))
  }
  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)] as T
  }
}
