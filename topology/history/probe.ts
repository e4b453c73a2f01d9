// Whether something answers, asked seldom: many may want to know, one asks.
import { pause } from '../waiting/waiting.ts'

export interface ProbeLimits {
  /** An answer is given again for so long. */
  readonly keepMs: number
  /** Whoever does not answer within this time does not answer. */
  readonly waitMs: number
}

export class Probe {
  readonly #ask: () => Promise<unknown>
  readonly #limits: ProbeLimits
  #answer: Promise<boolean> | null = null
  #until = 0

  /** `ask` may be refused for any reason of the world. */
  constructor(ask: () => Promise<unknown>, limits: ProbeLimits) {
    this.#ask = ask
    this.#limits = limits
  }
  /** True when it answers now, or did a moment ago. Never rejects. */
  answers(): Promise<boolean> {
    if (this.#answer === null || performance.now() >= this.#until) {
      // Nobody asks a second time while the first is under way.
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
