// The retry policy of the project: exponential backoff, a limit by attempts or time, and a stop signal.
import { isRetriable } from '../../schemas/errors.ts'
import type { Commit, TaskOwner } from '../ports/log.ts'
import { pause } from './waiting.ts'

/** Delays between attempts. */
export interface Delays {
  readonly firstMs: number
  /** Each delay is this many times the previous one; default 2. */
  readonly factor?: number
  /** The maximum delay; default `firstMs`. */
  readonly maxMs?: number
}

/** The delays of one series of attempts. */
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
  /** Call after a success: restarts with the first delay. */
  reset(): void {
    this.nextMs = this.#delays.firstMs
  }
}

export interface RetryPolicy extends Delays {
  /** Limit of attempts, and time after which a failure is not retried any more; unlimited by default. */
  readonly triesMax?: number
  readonly forMs?: number
  /** False: the failure is thrown. `tries` counts the attempts so far. */
  readonly isPassing: (failure: unknown, tries: number) => boolean
  /** Called with each failure that is retried, before the delay. */
  readonly failed?: (failure: unknown) => void
}

/** Runs `action` until it succeeds, passing the number of attempts so far. Throws a failure that is not passing or reaches the limit. */
export const retry = <Value>(action: (tries: number) => Promise<Value>, policy: RetryPolicy): Promise<Value> =>
  tried(action, policy, undefined) as Promise<Value>

/** Like `retry`; once `stop` fires, resolves with undefined and stops retrying. */
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
  /** Retries after the first attempt. */
  readonly commitRetriesMax: number
  readonly commitRetryMs: number
  /** Replaces `commitRetriesMax` while the log is unreachable. */
  readonly awayRetriesMax: number
}

type Committing = Pick<TaskOwner, 'commit'>

/** Commits, with retries. Throws failures that are not retriable, exceed the limit, or occur while `isStopping`. */
export const retryCommit = (owner: Committing, commit: Commit, limits: CommitRetries, isStopping: () => boolean): Promise<void> =>
  retry(() => owner.commit(commit), {
    firstMs: limits.commitRetryMs,
    isPassing: (failure, tries) =>
      isRetriable(failure) &&
      !isStopping() &&
      tries <= (failure.code === 'log_unreachable' ? limits.awayRetriesMax : limits.commitRetriesMax),
  })
