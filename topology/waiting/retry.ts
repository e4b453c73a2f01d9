// Failures of the world that pass by themselves: tried again at the edge, with a limit.
import { EngineError } from '../../schemas/errors.ts'

export interface RetryLimits {
  /** Tries after the first. */
  readonly commitRetriesMax: number
  readonly commitRetryMs: number
  /** Where nobody answers, this often instead. */
  readonly awayRetriesMax: number
}

/** Runs `action` until it succeeds. What is not retriable, what outlasts the limit, and what fails while `isStopping` is thrown. */
export const retried = async (action: () => Promise<void>, limits: RetryLimits, isStopping: () => boolean): Promise<void> => {
  for (let retries = 0; ; retries++) {
    try {
      return await action()
    } catch (failure) {
      if (!(failure instanceof EngineError && failure.retriable) || isStopping()) throw failure
      if (retries >= (failure.code === 'log_unreachable' ? limits.awayRetriesMax : limits.commitRetriesMax)) throw failure
      await new Promise((resolve) => setTimeout(resolve, limits.commitRetryMs))
    }
  }
}
