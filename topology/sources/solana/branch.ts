// Our branch of the chain, as far back as a fork may reach: frame numbers and hashes only.
import { assert } from '../../../schemas/errors.ts'
import type { SlotHead } from './feed.ts'

/** Limit of frames: about 200 seconds, six times as long as the chain needs for finality. */
export const BRANCH_FRAMES_MAX = 512

/** Frames in order; the newest is the head. */
export class Branch {
  #frames: SlotHead[] = []

  get head(): SlotHead | null {
    return this.#frames.at(-1) ?? null
  }
  get oldest(): SlotHead | null {
    return this.#frames[0] ?? null
  }
  has(hash: string): boolean {
    return this.#frames.findLast((frame) => frame.hash === hash) !== undefined
  }
  hasNumber(number: number): boolean {
    return this.#frames.findLast((frame) => frame.number <= number)?.number === number
  }
  find(hash: string): SlotHead | undefined {
    return this.#frames.findLast((frame) => frame.hash === hash)
  }
  /** The newest frame at or below this number. */
  newestUpTo(number: number): SlotHead | undefined {
    return this.#frames.findLast((frame) => frame.number <= number)
  }
  push(frame: SlotHead): void {
    assert(frame.number > (this.head?.number ?? -1), `frame ${frame.number} does not come after ${this.head?.number}`)
    this.#frames.push({ number: frame.number, hash: frame.hash })
    if (this.#frames.length > BRANCH_FRAMES_MAX) this.#frames.shift()
  }
  /** Drops every frame after this one. */
  cutTo({ hash }: SlotHead): void {
    const index = this.#frames.findLastIndex((frame) => frame.hash === hash)
    assert(index >= 0, `there is no frame ${hash} to roll back to`)
    this.#frames = this.#frames.slice(0, index + 1)
  }
}
