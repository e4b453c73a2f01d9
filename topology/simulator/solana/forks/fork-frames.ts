// Converts steps of a forking demo to raw records: frames with the chain's real bytes on any branch, reverts, finality.
import type { Finality, RawFrame, Revert } from '../../../../schemas/types.ts'
import type { CoinBook } from '../bytes/coins.ts'
import { frameSteps, inOneGo } from '../bytes.ts'
import type { DemoTransaction } from '../market-types.ts'
import type { DemoStep } from './forks.ts'

/** Each step must be either followed or encoded, once and in order: followed if an earlier start has sent it. */
export class ForkFrames {
  readonly #book: CoinBook
  readonly #isLost: (tx: DemoTransaction) => boolean
  #branch = 0
  #branchBook: CoinBook

  /** `book` tracks the canonical slots only; it must have applied every slot before the first step. */
  constructor(book: CoinBook, isLost: (tx: DemoTransaction) => boolean = () => false) {
    this.#book = book
    this.#isLost = isLost
    this.#branchBook = book
  }
  follow(step: DemoStep): void {
    if (step.type === 'slot') this.#bookOf(step.branch).follow(step.slot)
  }
  /** Like `frameSteps`, for any step. */
  *bodySteps(step: DemoStep): Generator<void, RawFrame | Revert | Finality, void> {
    if (step.type !== 'slot') return { ...step, chain: 'solana' }
    const frame = yield* frameSteps(step.slot, this.#bookOf(step.branch), this.#isLost)
    return { ...frame, status: 'processed' }
  }
  bodyOf(step: DemoStep): RawFrame | Revert | Finality {
    return inOneGo(this.bodySteps(step))
  }
  #bookOf(branch: number): CoinBook {
    if (branch !== this.#branch) this.#branchBook = branch === 0 ? this.#book : this.#book.branch()
    this.#branch = branch
    return this.#branchBook
  }
}
