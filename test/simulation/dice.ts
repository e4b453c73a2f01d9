// Chance with a seed: the same seed gives the same run.
import { randomOf } from '../bench/synthetic-tape.ts'

/** FNV-1a of a text, to draw from a name rather than from a place in a stream. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** What the stream of `start` gives at its `nth` place, from 0 to below 1. */
export const shareAt = (start: number, nth: number): number => randomOf(start + Math.imul(nth + 1, 0x9e3779b1))()

export class Dice {
  readonly #random: () => number

  /** `name` tells the streams of one seed apart. */
  constructor(seed: number, name: string) {
    this.#random = randomOf(hashOf(`${seed} ${name}`))
  }
  /** From 0 to below 1. */
  share(): number {
    return this.#random()
  }
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1))
  }
  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)] as T
  }
}
