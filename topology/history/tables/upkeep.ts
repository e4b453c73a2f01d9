// Long-running work on a history (minutes for one of a year): migrating its tables, and rewriting old parts to the newest layout.
import type { Notice } from '../../ports/notice.ts'
import { createHistoryClient, type HistoryClient } from '../client.ts'
import type { HistoryTarget } from '../target.ts'
import { type MigrationProgress, migrate, type Schema } from './migrate.ts'
import { rewriteParts } from './rewrite.ts'

/** Limit of one statement: a copy of a table of some years, or a merge of a day. */
const STATEMENT_MS_MAX = 3 * 3_600_000

const withRetries = async <T>(target: HistoryTarget, work: (client: HistoryClient) => Promise<T>): Promise<T> => {
  const client = createHistoryClient(target, STATEMENT_MS_MAX)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** @throws EngineError for a server that is too old, a history of another version, and a failed statement */
export const migrateAt = (target: HistoryTarget, schema?: Schema, progress?: MigrationProgress): Promise<void> =>
  withRetries(target, async (client) => {
    await client.checkVersion()
    await migrate(client, schema, progress)
  })

/** See rewriteParts. */
export const rewriteAt = (target: HistoryTarget, signal: AbortSignal, notice: Notice): Promise<void> =>
  withRetries(target, (client) => rewriteParts(client, signal, notice))
