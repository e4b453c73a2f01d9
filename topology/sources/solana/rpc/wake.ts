// Decides when to check for a new slot: at the node's notification if it sends any, else by time.
import { createSolanaRpcSubscriptions } from '@solana/kit'
import type { Notice } from '../../../ports/notice.ts'
import { Backoff } from '../../../waiting/retry.ts'
import { pause } from '../../../waiting/waiting.ts'

/** A slot takes 400 ms. */
const POLL_MS = 400
/** With notifications, polling only covers lost ones. */
const POLL_NOTIFIED_MS = 2_000
const DELAYS = { firstMs: 500, maxMs: 30_000 }
/** A subscription silent for this long (about 25 slots) is reopened. */
const SILENT_MS_MAX = 10_000

export interface Wake {
  /** Resolves at the next notification, or when a poll is due. */
  wait(stop: AbortSignal): Promise<void>
}

/** By time only. */
export const clockWake = (pollMs = POLL_MS): Wake => ({ wait: (stop) => pause(pollMs, stop) })

/** Subscribes to slots until `stop`, and again whenever the subscription ends. */
export class SlotWake implements Wake {
  readonly #url: string
  readonly #notice: Notice
  readonly #stop: AbortSignal
  #isNotified = false
  #isDue = false
  #woken = new AbortController()
  #tellFirst: () => void = () => {}
  readonly #first = new Promise<void>((resolve) => {
    this.#tellFirst = resolve
  })

  /** `url` is ws(s) and may contain a key. */
  constructor(url: string, notice: Notice, stop: AbortSignal) {
    this.#url = url
    this.#notice = notice
    this.#stop = stop
    void this.#follow()
  }
  /** Resolves at the first notification. */
  notified(): Promise<void> {
    return this.#first
  }
  async wait(stop: AbortSignal): Promise<void> {
    if (!this.#isDue) await pause(this.#isNotified ? POLL_NOTIFIED_MS : POLL_MS, AbortSignal.any([stop, this.#woken.signal]))
    this.#isDue = false
    if (this.#woken.signal.aborted) this.#woken = new AbortController()
  }

  async #follow(): Promise<void> {
    const backoff = new Backoff(DELAYS)
    while (!this.#stop.aborted) {
      const ended = new AbortController()
      const notifications = await this.#listen(AbortSignal.any([this.#stop, ended.signal]), ended).catch(() => 0)
      if (this.#isNotified && !this.#stop.aborted) this.#notice('chain_slots_not_told', {})
      this.#isNotified = false
      if (notifications > 0) backoff.reset()
      await backoff.wait(this.#stop)
    }
  }
  /** Runs until the subscription ends; resolves to the number of notified slots. */
  async #listen(until: AbortSignal, ended: AbortController): Promise<number> {
    let notifications = 0
    let timer = setTimeout(() => ended.abort(), SILENT_MS_MAX)
    try {
      const slots = await createSolanaRpcSubscriptions(this.#url).slotNotifications().subscribe({ abortSignal: until })
      for await (const _slot of slots) {
        notifications++
        clearTimeout(timer)
        timer = setTimeout(() => ended.abort(), SILENT_MS_MAX)
        this.#isNotified = true
        this.#isDue = true
        this.#tellFirst()
        this.#woken.abort()
      }
    } catch {
      // Polling continues meanwhile; the error is not logged, because its message may contain the URL.
    } finally {
      clearTimeout(timer)
      ended.abort()
    }
    return notifications
  }
}
