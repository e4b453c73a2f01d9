// Rounds of reading, one after the other. A round with a transient failure is retried until it succeeds.
import { type EngineError, isRetriable } from '../../schemas/errors.ts'
import type { Notice } from '../ports/notice.ts'
import { retryUntil } from '../waiting/retry.ts'
import { within } from '../waiting/waiting.ts'

const DELAYS = { firstMs: 100, maxMs: 5_000 }
/** `stop` waits at most this long for a running round, which may be waiting for an unreachable broker. */
const STOP_MS_MAX = 1_000

export interface Trouble {
  readonly reason: string
  /** Since when, unix ms. */
  readonly sinceMs: number
}

export interface RoundsOptions {
  /** Name of the reader, for notices. */
  readonly name: string
  readonly notice: Notice
  /** Unix milliseconds. */
  readonly wall: () => number
}

export class Rounds {
  /** Never resolves; rejects with a failure that no retry can fix. */
  readonly failed: Promise<never>
  readonly #options: RoundsOptions
  readonly #round: () => Promise<void>
  readonly #stopping = new AbortController()
  #newest: Promise<void> = Promise.resolve()
  #isAsked = false
  #trouble: Trouble | null = null
  #fail: (failure: unknown) => void = () => {}

  constructor(options: RoundsOptions, round: () => Promise<void>) {
    this.#options = options
    this.#round = round
    this.failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.failed.catch(() => {})
  }
  /** Resolves when a round that begins after the call has succeeded, or at `stop`. Waiting calls share a round. */
  ask(): Promise<void> {
    if (this.#isAsked) return this.#newest
    this.#isAsked = true
    this.#newest = this.#newest.then(() => {
      this.#isAsked = false
      return this.#insist()
    })
    this.#newest.catch(() => {})
    return this.#newest
  }
  /** Resolves when every requested round has succeeded, or at `stop`. */
  idle(): Promise<void> {
    return this.#newest
  }
  async stop(): Promise<void> {
    this.#stopping.abort()
    await within(this.#newest, STOP_MS_MAX)
  }
  /** Why the current round does not succeed; null if there is no problem. */
  get trouble(): Trouble | null {
    return this.#trouble
  }

  async #insist(): Promise<void> {
    const { signal } = this.#stopping
    try {
      await retryUntil(signal, () => this.#round().then(() => this.#recovered()), {
        ...DELAYS,
        isPassing: (failure) => signal.aborted || isRetriable(failure),
        failed: (failure) => this.#troubled(failure as EngineError),
      })
    } catch (failure) {
      this.#fail(failure)
      throw failure
    }
  }
  #troubled({ message: reason }: EngineError): void {
    const { name, notice, wall } = this.#options
    if (this.#trouble === null) notice('view_waits', { view: name, reason })
    this.#trouble = { reason, sinceMs: this.#trouble?.sinceMs ?? wall() }
  }
  #recovered(): void {
    const { name, notice, wall } = this.#options
    const trouble = this.#trouble
    this.#trouble = null
    if (trouble !== null) notice('view_goes_on', { view: name, seconds: Math.round((wall() - trouble.sinceMs) / 1_000) })
  }
}
