// Retries for services that are killed, and for an engine that is filled to its limits: merges of earlier inserts share its memory.
import { EngineError } from '../../schemas/errors.ts'
import { retry } from '../../topology/waiting/retry.ts'

/** Retries temporary failures for two minutes. */
export const retried = <Value>(action: () => Promise<Value>): Promise<Value> =>
  retry(action, {
    firstMs: 100,
    forMs: 120_000,
    isPassing: (failure) => failure instanceof EngineError && failure.retriable,
  })
