// The demo's chain of curves as a node has it: blocks of 100 ms, and branches that get orphaned. A function of its options.
import { createHash } from 'node:crypto'
import { BLOCKS_PER_SECOND } from '../../../processors/curve/thresholds.ts'
import { Random } from '../random.ts'

/** Number of the first block: about where the real chain was at the demo's start. */
export const FIRST_BLOCK = 62_000_000
const BLOCK_MS = 1_000 / BLOCKS_PER_SECOND
const DEPTH_MAX = 20

export interface ChainOptions {
  readonly seed: number
  /** Time of the first block, unix milliseconds, a whole second. */
  readonly startMs: number
  readonly forksPerHour: number
}

/** The block after `head` orphans the `depth` newest blocks: `head` and those before it. */
interface Fork {
  readonly head: number
  readonly depth: number
}

export class DemoChain {
  readonly #options: ChainOptions
  /** There is one fork in each interval of this many blocks; 0: no forks. */
  readonly #blocksPerFork: number
  readonly #depthMax: number

  constructor(options: ChainOptions) {
    this.#options = options
    this.#blocksPerFork = options.forksPerHour === 0 ? 0 : Math.round((3_600 * BLOCKS_PER_SECOND) / options.forksPerHour)
    this.#depthMax = Math.min(DEPTH_MAX, this.#blocksPerFork - 1)
  }
  /** The newest block at a time of the stream, unix milliseconds. */
  numberAt(streamMs: number): number {
    return FIRST_BLOCK + Math.floor((streamMs - this.#options.startMs) / BLOCK_MS)
  }
  msOf(number: number): number {
    return this.#options.startMs + (number - FIRST_BLOCK) * BLOCK_MS
  }
  /** Unix seconds. */
  timeOf(number: number): number {
    return Math.floor(this.msOf(number) / 1_000)
  }
  /** True if the block lies on a branch that will be orphaned; `head` is the newest block now. */
  isDying(number: number, head: number): boolean {
    return this.#forkOver(number, head) !== null
  }
  /** For a block on such a branch: true if its transactions are those of the canonical branch. */
  hasContent(number: number, head: number): boolean {
    const fork = this.#forkOver(number, head)
    return fork === null || number <= fork.head - (fork.depth >> 1)
  }
  hashOf(number: number, head: number): string {
    const { seed, startMs } = this.#options
    const branch = this.#forkOver(number, head) === null ? 'lives' : 'dies'
    return `0x${createHash('sha256').update(`${seed} ${startMs} ${number} ${branch}`).digest('hex')}`
  }

  #forkOver(number: number, head: number): Fork | null {
    if (this.#depthMax < 1) return null
    const fork = this.#forkIn(Math.floor((number - FIRST_BLOCK) / this.#blocksPerFork))
    return head <= fork.head && number <= fork.head && number > fork.head - fork.depth ? fork : null
  }
  /** Each fork lies completely within its interval. */
  #forkIn(stretch: number): Fork {
    const dice = new Random(this.#options.seed, 7_919 + stretch)
    const depth = 1 + dice.int(this.#depthMax)
    const head = FIRST_BLOCK + stretch * this.#blocksPerFork + depth + dice.int(this.#blocksPerFork - depth)
    return { head, depth }
  }
}
