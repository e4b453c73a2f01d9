// Statements of a soak that fills an engine to its limits: merges of what was written before share its memory.
import { EngineError } from '../../schemas/errors.ts'
import type { HistoryClient } from '../../topology/history/client.ts'

const RETRY_MS = 500
const RETRIES_MS_MAX = 120_000

/** Retries what fails for the moment, for two minutes. */
export const insisted = async (client: Pick<HistoryClient, 'command'>, sql: string): Promise<void> => {
  for (const until = performance.now() + RETRIES_MS_MAX; ; ) {
    try {
      return await client.command(sql)
    } catch (failure) {
      if (!(failure instanceof EngineError && failure.retriable) || performance.now() >= until) throw failure
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
