// How many blocks one question for logs covers. Pure.

/** Public nodes took 1,400 blocks of one question. */
export const SPAN_BLOCKS_MAX = 1_000
/** Nodes give 10,000 logs at most, some of them without a word that there were more. */
export const LOGS_MAX = 9_900
/** Growth after a range that held: slow, so that a node with a smaller limit refuses one range in eight. */
const GROWTH = 1.1

export interface Range {
  readonly from: number
  readonly to: number
}

export const sizeOf = ({ from, to }: Range): number => to - from + 1

export class Span {
  #blocks = SPAN_BLOCKS_MAX

  get blocks(): number {
    return this.#blocks
  }
  /** From a block up to `target`, or as far as one question goes. */
  range(from: number, target: number): Range {
    return { from, to: Math.min(target, from + this.#blocks - 1) }
  }
  /** The range was too large, or the node is in trouble. */
  failed(range: Range): void {
    this.#blocks = Math.max(1, Math.floor(Math.min(this.#blocks, sizeOf(range)) / 2))
  }
  /** A range that says nothing of larger ones changes nothing. */
  held(range: Range): void {
    if (sizeOf(range) >= this.#blocks) this.#blocks = Math.min(SPAN_BLOCKS_MAX, Math.ceil(this.#blocks * GROWTH))
  }
}
