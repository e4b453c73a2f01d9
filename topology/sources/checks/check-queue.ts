// Queues blocks for comparison with a second source in the background: no block is delayed by its check.
import type { Notice } from '../../ports/notice.ts'
import { unchecked, type Verdict } from './verdicts.ts'

const LATE = 'not checked: the second source did not have the block in time'
const AWAY = 'not checked: the second source is away'

/** A block to check. Its verdict also covers the numbers from `from` up to it. */
export interface CheckedBlock {
  readonly from: number
  readonly number: number
  readonly hash: string
}

export interface CheckQueueOptions<Block> {
  /** The name of a block's number in notices. */
  readonly unit: 'slot' | 'block'
  /** Batches checked concurrently. While the second source is unreachable, only one is sent. */
  readonly atOnceMax: number
  /** Blocks per batch; they have consecutive numbers. */
  readonly batchMax: number
  /** Limit of blocks being checked or waiting. */
  readonly checksMax: number
  readonly notice: Notice
  /** One verdict per block; undefined if the second source did not have them in time. Never rejects. */
  readonly check: (batch: readonly Block[], isAway: boolean, stop: AbortSignal) => Promise<readonly Verdict[] | undefined>
}

interface Waiting<Block> {
  readonly block: Block
  readonly stop: AbortSignal
}

export class CheckQueue<Block extends CheckedBlock> {
  readonly #options: CheckQueueOptions<Block>
  readonly #running = new Set<Promise<void>>()
  #checking = 0
  #waiting: Waiting<Block>[] = []
  #settled: Verdict[] = []
  #isAway = false

  constructor(options: CheckQueueOptions<Block>) {
    this.#options = options
  }
  /** Starts a check in the background; `settled` returns its verdict later. */
  begin(block: Block, stop: AbortSignal): void {
    const { checksMax } = this.#options
    const checks = this.#checking + this.#waiting.length
    const busy = `not checked: ${checksMax} blocks waited for the second source`
    const reason = this.#isAway && checks > 0 ? AWAY : checks >= checksMax ? busy : undefined
    if (reason !== undefined) {
      this.#settled.push(unchecked(block, reason))
      return
    }
    this.#waiting.push({ block, stop })
    this.#next()
  }
  /** Verdicts since the last call, in no particular order. */
  settled(): readonly Verdict[] {
    const settled = this.#settled
    this.#settled = []
    return settled
  }
  /** Resolves when no check is in progress. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #next(): void {
    while (this.#running.size < this.#options.atOnceMax) {
      const [first] = this.#waiting
      if (first === undefined) return
      const batch = this.#takeBatch()
      this.#checking += batch.length
      const running = this.#run(batch, first.stop).finally(() => {
        this.#checking -= batch.length
        this.#running.delete(running)
        this.#next()
      })
      this.#running.add(running)
    }
  }
  #takeBatch(): readonly Block[] {
    const { batchMax } = this.#options
    const breaks = this.#waiting.findIndex(({ block }, n) => n > 0 && block.from !== (this.#waiting[n - 1]?.block.number ?? 0) + 1)
    return this.#waiting.splice(0, Math.min(batchMax, breaks < 0 ? batchMax : breaks)).map(({ block }) => block)
  }
  async #run(batch: readonly Block[], stop: AbortSignal): Promise<void> {
    const verdicts = await this.#options.check(batch, this.#isAway, stop)
    if (!stop.aborted) this.#tell(verdicts === undefined, batch[0]?.number ?? 0)
    this.#settled.push(...(verdicts ?? batch.map((block) => unchecked(block, LATE))))
  }
  /** Emits a notice when checks start to fail, and when they work again. */
  #tell(isAway: boolean, number: number): void {
    const { notice, unit } = this.#options
    if (isAway === this.#isAway) return
    this.#isAway = isAway
    if (isAway) for (const { block } of this.#waiting.splice(0)) this.#settled.push(unchecked(block, AWAY))
    notice(isAway ? 'second_source_away' : 'second_source_checks_again', { [unit]: number })
  }
}
