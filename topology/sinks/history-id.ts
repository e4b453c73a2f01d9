// Which history this is: offsets belong to one, so that an emptied or another one is filled from the start.
import { EngineError } from '../../schemas/errors.ts'
import type { HistoryClient } from '../history/client.ts'

/** Under which the sink of a history keeps its offsets in the log. @throws EngineError */
export const sinkOwnerOf = async (client: Pick<HistoryClient, 'database' | 'rows'>): Promise<string> =>
  `sink-clickhouse-${await historyIdOf(client)}`

/** Made by ClickHouse with the table that says how far the sink is; kept over restarts, backups and upgrades. @throws EngineError */
const historyIdOf = async ({ database, rows }: Pick<HistoryClient, 'database' | 'rows'>): Promise<string> => {
  const [row] = await rows<{ uuid: string }>(
    "SELECT toString(uuid) AS uuid FROM system.tables WHERE database = {database:String} AND name = 'progress_log'",
    { database },
  )
  if (row === undefined) throw new EngineError('history_query', `the history ${database} has no tables of the sink: it was not migrated`)
  return row.uuid
}
