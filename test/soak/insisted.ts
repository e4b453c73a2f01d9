// Statements of a soak that fills an engine to its limits: merges of what was written before share its memory.
import { EngineError } from '../../schemas/errors.ts'
import type { HistoryClient } from '../../topology/history/client.ts'

const RETRY_MS = 500

/** What the world refuses for a moment is asked again, without an end. */
export const insisted = async (client: Pick<HistoryClient, 'command'>, sql: string): Promise<void> => {
  for (;;) {
    try {
      return await client.command(sql)
    } catch (failure) {
      if (!(failure instanceof EngineError && failure.retriable)) throw failure
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
