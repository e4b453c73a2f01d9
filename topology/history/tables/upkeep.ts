// Work on a history that takes minutes on one of a year: its tables are brought to this version, and old parts to the newest layout.
import type { Notice } from '../../ports/notice.ts'
import { createHistoryClient, type HistoryClient } from '../client.ts'
import type { HistoryTarget } from '../target.ts'
import { migrate, type Progress, type Schema } from './migrate.ts'
import { rewriteParts } from './rewrite.ts'

/** One statement: a copy of a table of some years, or a merge of a day. */
const STATEMENT_MS_MAX = 3 * 3_600_000

const withPatience = async <T>(target: HistoryTarget, work: (client: HistoryClient) => Promise<T>): Promise<T> => {
  const client = createHistoryClient(target, STATEMENT_MS_MAX)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** @throws EngineError for a server that is too old, a history of another version, and a statement that is refused */
export const migrateAt = (target: HistoryTarget, schema?: Schema, progress?: Progress): Promise<void> =>
  withPatience(target, async (client) => {
    await client.checkVersion()
    await migrate(client, schema, progress)
  })

/** See rewriteParts. */
export const rewriteAt = (target: HistoryTarget, signal: AbortSignal, notice: Notice): Promise<void> =>
  withPatience(target, (client) => rewriteParts(client, signal, notice))
