// The one retry policy: delays that grow, a limit by tries or by what the caller knows, a stop.
import { isRetriable } from '../../schemas/errors.ts'
import type { Commit, TaskOwner } from '../ports/log.ts'
import { pause } from './waiting.ts'

/** Delays between tries. */
export interface Delays {
  readonly firstMs: number
  /** Each delay is this many times the one before; 2 where it is left out. */
  readonly factor?: number
  /** The greatest delay; `firstMs` where it is left out. */
  readonly maxMs?: number
}

/** The delays of one series of tries. */
export class Backoff {
  readonly #delays: Delays
  /** The next delay, ms. */
  nextMs: number

  constructor(delays: Delays) {
    this.#delays = delays
    this.nextMs = delays.firstMs
  }
  /** Resolves after the next delay, or as soon as `stop` fires. */
  wait(stop?: AbortSignal): Promise<void> {
    const { firstMs, factor = 2, maxMs = firstMs } = this.#delays
    const ms = this.nextMs
    this.nextMs = Math.min(ms * factor, maxMs)
    return pause(ms, stop)
  }
  /** Something succeeded: the next delay is the first one again. */
  reset(): void {
    this.nextMs = this.#delays.firstMs
  }
}

export interface RetryPolicy extends Delays {
  /** Tries in all, and the time after which none begins; without end where both are left out. */
  readonly triesMax?: number
  readonly forMs?: number
  /** False: the failure is thrown. `tries` counts those so far. */
  readonly isPassing: (failure: unknown, tries: number) => boolean
  /** Called with each failure that is retried, before the delay. */
  readonly failed?: (failure: unknown) => void
}

/** Runs `action` until it succeeds; it gets the number of tries so far. Throws the failure that is not passing or reaches the limit. */
export const retry = <Value>(action: (tries: number) => Promise<Value>, policy: RetryPolicy): Promise<Value> =>
  tried(action, policy, undefined) as Promise<Value>

/** As `retry`; resolves with undefined, and tries no more, once `stop` fires. */
export const retryUntil = <Value>(
  stop: AbortSignal,
  action: (tries: number) => Promise<Value>,
  policy: RetryPolicy,
): Promise<Value | undefined> => tried(action, policy, stop)

const tried = async <Value>(
  action: (tries: number) => Promise<Value>,
  policy: RetryPolicy,
  stop: AbortSignal | undefined,
): Promise<Value | undefined> => {
  const { triesMax = Number.POSITIVE_INFINITY, forMs = Number.POSITIVE_INFINITY, isPassing, failed } = policy
  const untilMs = performance.now() + forMs
  const backoff = new Backoff(policy)
  const isStopped = (): boolean => stop?.aborted === true
  for (let tries = 0; !isStopped(); await backoff.wait(stop)) {
    try {
      return await action(tries)
    } catch (failure) {
      if (!isPassing(failure, ++tries) || tries >= triesMax || performance.now() >= untilMs) throw failure
      if (!isStopped()) failed?.(failure)
    }
  }
  return undefined
}

export interface CommitRetries {
  /** Tries after the first. */
  readonly commitRetriesMax: number
  readonly commitRetryMs: number
  /** Where nobody answers, this often instead. */
  readonly awayRetriesMax: number
}

type Committing = Pick<TaskOwner, 'commit'>

/** Commits, and tries again until it succeeds. Throws what is not retriable, what outlasts the limit, and what fails while `isStopping`. */
export const retryCommit = (owner: Committing, commit: Commit, limits: CommitRetries, isStopping: () => boolean): Promise<void> =>
  retry(() => owner.commit(commit), {
    firstMs: limits.commitRetryMs,
    isPassing: (failure, tries) =>
      isRetriable(failure) &&
      !isStopping() &&
      tries <= (failure.code === 'log_unreachable' ? limits.awayRetriesMax : limits.commitRetriesMax),
  })
