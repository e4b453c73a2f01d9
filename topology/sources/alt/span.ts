// The number of blocks per log request, adapted to the node. Pure.

/** Public nodes accepted 1,400 blocks in one request. */
export const SPAN_BLOCKS_MAX = 1_000
/** Nodes return at most 10,000 logs; some truncate silently. */
export const LOGS_MAX = 9_900
/** Growth after a success: slow, so that a node with a smaller limit refuses one request in eight. */
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
  /** From a block up to `target`, or to the limit of one request. */
  range(from: number, target: number): Range {
    return { from, to: Math.min(target, from + this.#blocks - 1) }
  }
  /** The range was too large, or the node is failing. */
  failed(range: Range): void {
    this.#blocks = Math.max(1, Math.floor(Math.min(this.#blocks, sizeOf(range)) / 2))
  }
  /** A success with a smaller range than the limit changes nothing. */
  held(range: Range): void {
    if (sizeOf(range) >= this.#blocks) this.#blocks = Math.min(SPAN_BLOCKS_MAX, Math.ceil(this.#blocks * GROWTH))
  }
}
