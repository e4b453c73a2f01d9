// Checks that the server has what CLICKHOUSE_CLUSTER needs, and that a history was created with the same setting.
import { EngineError } from '../../../schemas/errors.ts'
import type { HistoryClient } from '../client.ts'

const MACROS = ['shard', 'replica']

type Asks = Pick<HistoryClient, 'database' | 'rows' | 'cluster'>

/** @throws EngineError `history_cluster` for a missing cluster or macro, and for a history created with another CLICKHOUSE_CLUSTER */
export const refuseOtherCluster = async (client: Asks): Promise<void> => {
  await refuseForm(client)
  if (client.cluster !== undefined) await refuseServer(client, client.cluster)
}

/** A history on a cluster consists of Distributed tables, which name it. */
const refuseForm = async ({ database, rows, cluster }: Asks): Promise<void> => {
  const [made] = await rows<{ engine: string }>(
    "SELECT engine_full AS engine FROM system.tables WHERE database = {database:String} AND name = 'schema_migrations'",
    { database },
  )
  if (made === undefined) return
  const madeOn = /^Distributed\('(\w+)'/.exec(made.engine)?.[1]
  if (madeOn === cluster) return
  const found = madeOn === undefined ? 'without CLICKHOUSE_CLUSTER' : `with CLICKHOUSE_CLUSTER=${madeOn}`
  const ways = 'set it as before, or set CLICKHOUSE_DATABASE to a new name (a new history is filled from what the log still has)'
  const facts = { database, found: madeOn ?? '', expected: cluster ?? '' }
  throw clusterError(`the history ${database} was created ${found}: ${ways}`, facts)
}

const refuseServer = async ({ rows }: Asks, cluster: string): Promise<void> => {
  const [found] = await rows<{ n: number }>('SELECT count() AS n FROM system.clusters WHERE cluster = {cluster:String}', { cluster })
  if (found?.n === 0)
    throw clusterError(`the server knows no cluster ${cluster}: correct CLICKHOUSE_CLUSTER, or add it to remote_servers of every server`, {
      cluster,
    })
  const macros = await rows<{ macro: string }>('SELECT macro FROM system.macros')
  const missing = MACROS.filter((name) => !macros.some(({ macro }) => macro === name))
  if (missing.length > 0)
    throw clusterError(`the server has no macro ${missing.join(' and ')}: add it to macros of every server`, { cluster })
}

const clusterError = (message: string, facts: Readonly<Record<string, string>>): EngineError =>
  new EngineError('history_cluster', message, { retriable: true, facts })
