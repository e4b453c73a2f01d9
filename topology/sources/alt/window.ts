// The newest blocks of our branch, as far back as a fork may reach. Pure.
import { assert } from '../../../schemas/errors.ts'

/** Blocks kept at least behind the head: 204 s at 100 ms each. A fork below all kept blocks is refused as a break of finality. */
export const WINDOW_BLOCKS = 2_048

/** A block of our branch. */
export interface OwnBlock {
  readonly number: number
  readonly hash: string
  /** Unix seconds. */
  readonly time: number
  /** True if it has a frame on the log. Other blocks are quiet: the next frame includes them. */
  readonly isFrame: boolean
}

/**
 * Blocks in ascending order, linked by hash. After a restart only blocks with frames are known, which suffices: the hash of such a block
 * covers the quiet blocks below it, and a rollback ends at a frame anyway.
 */
export class Window {
  readonly #blocks: OwnBlock[]

  constructor(blocks: readonly OwnBlock[] = []) {
    this.#blocks = [...blocks]
  }
  /** The newest block. */
  get head(): OwnBlock | null {
    return this.#blocks.at(-1) ?? null
  }
  /** The newest block with a frame. */
  get tip(): OwnBlock | null {
    return this.#blocks.findLast(({ isFrame }) => isFrame) ?? null
  }
  /** Ascending. */
  get blocks(): readonly OwnBlock[] {
    return this.#blocks
  }
  find(number: number): OwnBlock | undefined {
    let [low, high] = [0, this.#blocks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#blocks[middle]?.number ?? 0) < number) low = middle + 1
      else high = middle
    }
    const found = this.#blocks[low]
    return found?.number === number ? found : undefined
  }
  has({ number, hash }: { readonly number: number; readonly hash: string }): boolean {
    return this.find(number)?.hash === hash
  }
  /** The newest block with a frame at or below this number. */
  frameUpTo(number: number): OwnBlock | undefined {
    return this.#blocks.findLast((block) => block.isFrame && block.number <= number)
  }
  push(block: OwnBlock): void {
    const { head } = this
    assert(block.number > (head?.number ?? -1), `block ${block.number} does not come after ${head?.number}`)
    this.#blocks.push(block)
    // Trimmed in batches: a search and a shift at every block would pass over the whole list.
    if (this.#blocks.length <= 2 * WINDOW_BLOCKS) return
    const oldestKept = this.frameUpTo(block.number - WINDOW_BLOCKS)
    if (oldestKept !== undefined)
      this.#blocks.splice(
        0,
        this.#blocks.findIndex(({ number }) => number >= oldestKept.number),
      )
  }
  /** Our branch up to this block, which has a frame. */
  upTo({ hash }: OwnBlock): Window {
    const index = this.#blocks.findLastIndex((block) => block.hash === hash)
    assert(this.#blocks[index]?.isFrame, `there is no frame ${hash} to roll back to`)
    return new Window(this.#blocks.slice(0, index + 1))
  }
}
