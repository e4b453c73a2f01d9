// Retry policy for brokers and registry, with limits; reports when they are unreachable and when they are back.
import { AssertionError, EngineError, isRetriable } from '../../../schemas/errors.ts'
import { retry } from '../../waiting/retry.ts'
import { isMissing, isRefusal, refused, unreachable } from './failures.ts'

const DELAYS = { firstMs: 10, maxMs: 1_000 }
/** An unknown topic may be in creation, or the brokers may have just started; after this long it is treated as deleted. */
const MISSING_MS_MAX = 60_000
/** Report only after this long without success: a leader change or a topic in creation is over sooner. */
const REPORT_AFTER_MS = 2_000
/** Language errors are bugs, here or in kafkajs. */
const BUGS = new Set(['TypeError', 'ReferenceError', 'SyntaxError'])

export class BrokerRetries {
  /** Set when the log closes: nothing is retried from then on. */
  isClosing = false
  /** Nothing is retried after this time. */
  #endsAt = Number.POSITIVE_INFINITY
  #tries = 0
  readonly #brokers: readonly string[]
  /** Reports to the operator. */
  readonly notice: (message: string) => void
  /** First failure since the last success, ms; undefined if all is well. */
  #failingSince: number | undefined
  #isReported = false
  #trouble: { readonly reason: string; readonly sinceMs: number } | null = null

  constructor(brokers: readonly string[], notice: (message: string) => void) {
    this.#brokers = brokers
    this.notice = notice
  }
  /**
   * Runs `action` until it succeeds, with `repair` before each retry.
   * @throws EngineError: that of `action`, `log_refused`, or after `msMax` a retriable `log_unreachable`.
   */
  untilDone<Value>(what: string, msMax: number, action: () => Promise<Value>, repair?: () => Promise<void>): Promise<Value> {
    let missingSince = Number.POSITIVE_INFINITY
    const once = async (tries: number): Promise<Value> => {
      if (tries > 0 && !this.isOver) await repair?.()
      try {
        const value = await action()
        this.worked()
        return value
      } catch (thrown) {
        missingSince = isMissing(thrown) ? Math.min(missingSince, performance.now()) : Number.POSITIVE_INFINITY
        throw this.judge(what, thrown)
      }
    }
    const isPassing = (failure: unknown): boolean => this.isWaitedFor(failure) && performance.now() < missingSince + MISSING_MS_MAX
    return retry(once, { ...DELAYS, forMs: msMax, isPassing })
  }
  /** True if a classified failure is retriable and no stop is requested. */
  isWaitedFor(failure: unknown): boolean {
    return isRetriable(failure) && !this.isOver
  }
  /** True if nothing is retried any more. */
  get isOver(): boolean {
    return this.isClosing || performance.now() >= this.#endsAt
  }
  /** A stop is requested: failures are retried for this long only. */
  hurry(ms: number): void {
    this.#endsAt = Math.min(this.#endsAt, performance.now() + ms)
  }
  /** A takeover, whose requests may take long one after the other on slow brokers, has got further. */
  advanced(): void {
    this.#tries++
  }
  /** Counts failed attempts, and the steps of takeovers. */
  get tries(): number {
    return this.#tries
  }
  /** Classifies a failure; rethrows bugs. */
  judge(what: string, thrown: unknown): EngineError {
    if (thrown instanceof AssertionError || BUGS.has((thrown as Error | null)?.name ?? '')) throw thrown
    const failure =
      thrown instanceof EngineError ? thrown : isRefusal(thrown) ? refused(what, thrown) : unreachable(this.#brokers, what, thrown)
    this.#tries++
    if (failure.retriable && !this.isClosing) this.#failed(failure)
    return failure
  }
  /** The reported problem that is not over yet; `sinceMs` is unix ms. */
  get trouble(): { readonly reason: string; readonly sinceMs: number } | null {
    return this.#trouble
  }
  worked(): void {
    if (this.#isReported) this.notice('brokers and registry are reachable again')
    this.#isReported = false
    this.#trouble = null
    this.#failingSince = undefined
  }
  #failed(failure: EngineError): void {
    this.#failingSince ??= performance.now()
    if (this.#isReported || performance.now() - this.#failingSince < REPORT_AFTER_MS) return
    this.#isReported = true
    this.#trouble = { reason: failure.message, sinceMs: Date.now() - (performance.now() - this.#failingSince) }
    this.notice(`${failure.message}; retrying`)
  }
}
