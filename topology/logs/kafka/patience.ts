// Tries again what the world let fail, with limits, and says when brokers are away and when they are back.
import { AssertionError, EngineError, isRetriable } from '../../../schemas/errors.ts'
import { retry } from '../../waiting/retry.ts'
import { isMissing, isRefusal, refused, unreachable } from './failures.ts'

const DELAYS = { firstMs: 10, maxMs: 1_000 }
/** A topic that brokers do not know is being made, or they have just begun; after this it is gone. */
const MISSING_MS_MAX = 60_000
/** Told when nothing succeeded for so long: a leader that moves, or a topic that is just made, is back sooner. */
const TOLD_MS = 2_000
/** Errors of the language are bugs, here or in kafkajs. */
const BUGS = new Set(['TypeError', 'ReferenceError', 'SyntaxError'])

export class Patience {
  /** Set when the log closes: then nothing is waited for any more. */
  isClosing = false
  /** After this nothing is waited for any more. */
  #endsAt = Number.POSITIVE_INFINITY
  #tries = 0
  readonly #brokers: readonly string[]
  /** Tells the operator. */
  readonly notice: (message: string) => void
  /** First failure since something succeeded, ms; undefined when all is well. */
  #failingSince: number | undefined
  #isTold = false
  #trouble: { readonly reason: string; readonly sinceMs: number } | null = null

  constructor(brokers: readonly string[], notice: (message: string) => void) {
    this.#brokers = brokers
    this.notice = notice
  }
  /**
   * Runs `action` until it succeeds, `mend` before each further try.
   * @throws EngineError: its own, `log_refused`, or after `msMax` a retriable `log_unreachable`.
   */
  persist<Value>(what: string, msMax: number, action: () => Promise<Value>, mend?: () => Promise<void>): Promise<Value> {
    let missingSince = Number.POSITIVE_INFINITY
    const once = async (tries: number): Promise<Value> => {
      if (tries > 0 && !this.isOver) await mend?.()
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
  /** Whether a failure that was judged may pass, and nobody wants to stop. */
  isWaitedFor(failure: unknown): boolean {
    return isRetriable(failure) && !this.isOver
  }
  /** True when nothing is waited for any more. */
  get isOver(): boolean {
    return this.isClosing || performance.now() >= this.#endsAt
  }
  /** Somebody wants to stop: what fails is tried again for so long only. */
  hurry(ms: number): void {
    this.#endsAt = Math.min(this.#endsAt, performance.now() + ms)
  }
  /** Grows with every try that failed. */
  get tries(): number {
    return this.#tries
  }
  /** What a failure is; a bug is thrown on. */
  judge(what: string, thrown: unknown): EngineError {
    if (thrown instanceof AssertionError || BUGS.has((thrown as Error | null)?.name ?? '')) throw thrown
    const failure =
      thrown instanceof EngineError ? thrown : isRefusal(thrown) ? refused(what, thrown) : unreachable(this.#brokers, what, thrown)
    this.#tries++
    if (failure.retriable && !this.isClosing) this.#failed(failure)
    return failure
  }
  /** What was told and is not over; `sinceMs` is unix ms. */
  get trouble(): { readonly reason: string; readonly sinceMs: number } | null {
    return this.#trouble
  }
  worked(): void {
    if (this.#isTold) this.notice('brokers and registry answer again')
    this.#isTold = false
    this.#trouble = null
    this.#failingSince = undefined
  }
  #failed(failure: EngineError): void {
    this.#failingSince ??= performance.now()
    if (this.#isTold || performance.now() - this.#failingSince < TOLD_MS) return
    this.#isTold = true
    this.#trouble = { reason: failure.message, sinceMs: Date.now() - (performance.now() - this.#failingSince) }
    this.notice(`${failure.message}; trying on`)
  }
}
