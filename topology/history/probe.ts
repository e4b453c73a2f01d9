// A cached availability check: many callers share one request.
import { pause } from '../waiting/waiting.ts'

export interface ProbeLimits {
  /** How long a result is reused. */
  readonly keepMs: number
  /** Timeout: no response within this time counts as unavailable. */
  readonly waitMs: number
}

export class Probe {
  readonly #ask: () => Promise<unknown>
  readonly #limits: ProbeLimits
  #answer: Promise<boolean> | null = null
  #until = 0

  /** `ask` may reject for any external reason. */
  constructor(ask: () => Promise<unknown>, limits: ProbeLimits) {
    this.#ask = ask
    this.#limits = limits
  }
  /** True if it responds now or did so recently. Never rejects. */
  answers(): Promise<boolean> {
    if (this.#answer === null || performance.now() >= this.#until) {
      // Concurrent callers share the pending request.
      this.#until = performance.now() + this.#limits.waitMs + this.#limits.keepMs
      this.#answer = this.#once()
    }
    return this.#answer
  }
  async #once(): Promise<boolean> {
    const enough = new AbortController()
    const asked = this.#ask().then(
      () => true,
      () => false,
    )
    const answered = await Promise.race([asked, pause(this.#limits.waitMs, enough.signal).then(() => false)])
    enough.abort()
    this.#until = performance.now() + this.#limits.keepMs
    return answered
  }
}
