// Work on a log in steps: one whenever its topics have new records, until it is stopped.
import { isRetriable, messageOf } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Log } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import { retryUntil } from '../waiting/retry.ts'
import { pause } from '../waiting/waiting.ts'

const DELAYS = { firstMs: 100, maxMs: 5_000 }

export interface LoopOptions {
  /** Name of the work, for notices. */
  readonly name: string
  readonly log: Log
  readonly topics: readonly Topic[]
  readonly notice: Notice
  /** Minimum time between two steps that processed everything available, ms. */
  readonly restMs: number
  /** Processes what is available; true if there may be more right away. Retriable failures are retried. */
  step(): Promise<boolean>
}

export class LogLoop {
  readonly #options: LoopOptions
  readonly #stopping = new AbortController()
  /** True if records were committed since the last step began. */
  #hasNews = true
  #wake: () => void = () => {}
  #isIdle = false

  constructor(options: LoopOptions) {
    this.#options = options
  }
  /**
   * Runs until `stop`, even if that came before the call. Rejects with failures that are not retriable, `fenced` included, and with bugs.
   */
  async run(): Promise<void> {
    const { log, topics, restMs } = this.#options
    const { signal } = this.#stopping
    const unsubscribe = log.onCommit((news) => {
      if (!topics.some(({ name }) => news.has(name))) return
      this.#hasNews = true
      this.#wake()
    })
    try {
      while (!signal.aborted) {
        this.#hasNews = false
        if (await this.#stepped()) continue
        await this.#news()
        await pause(restMs, signal)
      }
    } finally {
      unsubscribe()
    }
  }
  stop(): void {
    this.#stopping.abort()
    this.#wake()
  }
  get isStopping(): boolean {
    return this.#stopping.signal.aborted
  }
  /** True while there is nothing to do. */
  get isIdle(): boolean {
    return this.#isIdle && !this.#hasNews
  }

  async #stepped(): Promise<boolean> {
    const { name, notice, step } = this.#options
    const failed = (failure: unknown): void => notice('odds_wait', { work: name, reason: messageOf(failure) })
    const { signal } = this.#stopping
    return (await retryUntil(signal, step, { ...DELAYS, isPassing: isRetriable, failed })) ?? false
  }
  async #news(): Promise<void> {
    if (this.#hasNews || this.isStopping) return
    this.#isIdle = true
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    this.#wake = () => {}
    this.#isIdle = false
  }
}
