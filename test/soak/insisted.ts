// Statements of a soak that fills an engine to its limits: merges of what was written before share its memory.
import { EngineError } from '../../schemas/errors.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { retry } from '../../topology/waiting/retry.ts'

/** Retries what fails for the moment, for two minutes. */
export const insisted = (client: Pick<HistoryClient, 'command'>, sql: string): Promise<void> =>
  retry(() => client.command(sql), {
    firstMs: 500,
    forMs: 120_000,
    isPassing: (failure) => failure instanceof EngineError && failure.retriable,
  })
