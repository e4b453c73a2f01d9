// Decides when to poll for new blocks: at once when the node announces one, else by time.
import type { Notice } from '../../ports/notice.ts'
import { Backoff } from '../../waiting/retry.ts'
import { pause } from '../../waiting/waiting.ts'
import type { BlockHead, EvmNode } from './node.ts'

/** Poll interval without announcements. */
export const POLL_MS = 250
/** Polling by time resumes after this long without an announcement: ten blocks. */
const QUIET_MS_MAX = 1_000
/** A subscription that is silent for this long is reopened. */
const SILENT_MS_MAX = 10_000
const REOPEN = { firstMs: 100, maxMs: 10_000 }

export class HeadWake {
  readonly #node: EvmNode
  readonly #notice: Notice
  readonly #silentMsMax: number
  #announced: BlockHead | null = null
  #heardAtMs = Number.NEGATIVE_INFINITY
  #isAnnouncing = false
  #woken = new AbortController()

  /** `silentMsMax` defaults to the limit of this file; tests pass less. */
  constructor(node: EvmNode, notice: Notice, silentMsMax = SILENT_MS_MAX) {
    this.#node = node
    this.#notice = notice
    this.#silentMsMax = silentMsMax
  }
  /** Subscribes until `stop`, and again whenever the subscription ends or falls silent. Does nothing if the node has no subscriptions. */
  async follow(stop: AbortSignal): Promise<void> {
    const { heads } = this.#node
    if (heads === null) return
    const backoff = new Backoff(REOPEN)
    while (!stop.aborted) {
      const hasHeard = await this.#listen(heads, stop)
      if (this.#isAnnouncing && !stop.aborted) this.#notice('chain_heads_not_announced', {})
      this.#isAnnouncing = false
      if (hasHeard) backoff.reset()
      await backoff.wait(stop)
    }
  }
  /** The newest announcement since the last call. */
  take(): BlockHead | null {
    const announced = this.#announced
    this.#announced = null
    return announced
  }
  /** Resolves at the next announcement, or when a poll is due. */
  async wait(stop: AbortSignal): Promise<void> {
    if (this.#announced === null) {
      const quietInMs = this.#heardAtMs + QUIET_MS_MAX - performance.now()
      await pause(Math.max(POLL_MS, quietInMs), AbortSignal.any([stop, this.#woken.signal]))
    }
    if (this.#woken.signal.aborted) this.#woken = new AbortController()
  }

  /** Runs until the subscription ends; true if it announced something. Errors are swallowed: their messages may contain the URL. */
  async #listen(heads: NonNullable<EvmNode['heads']>, stop: AbortSignal): Promise<boolean> {
    const silent = new AbortController()
    let timer = setTimeout(() => silent.abort(), this.#silentMsMax)
    let hasHeard = false
    const told = (head: BlockHead): void => {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), this.#silentMsMax)
      hasHeard = true
      this.#isAnnouncing = true
      this.#heardAtMs = performance.now()
      this.#announced = head
      this.#woken.abort()
    }
    await heads(told, AbortSignal.any([stop, silent.signal])).catch(() => {})
    clearTimeout(timer)
    return hasHeard
  }
}
