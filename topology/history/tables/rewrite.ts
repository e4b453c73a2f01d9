// Rewrites parts of an older layout, one day of one table at a time, while rows come in: new parts have the current codecs and
// indexes.
import { EngineError } from '../../../schemas/errors.ts'
import type { Notice } from '../../ports/notice.ts'
import { pause } from '../../waiting/waiting.ts'
import type { HistoryClient } from '../client.ts'

/** The newest file of deploy/clickhouse that changes how parts are written. */
const LAYOUT = 16
const REPORT_MS = 60_000
/**
 * Tables that a migration copied. Inserts into them that were in progress at that time have ended after SETTLED_MS, because no client waits
 * longer for an insert.
 */
const LEFT_OVER = /_weeks$/
const SETTLED_MS = 120_000
/** Settings for a copy with minimal memory (deploy/clickhouse/016-layout.sql). */
const COPY_SETTINGS = [
  'max_threads = 1, max_insert_threads = 1, max_block_size = 65536',
  'min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 33554432, max_partitions_per_insert_block = 2000',
].join(', ')

interface Due {
  readonly table: string
  readonly partition: string
  readonly bytes: number
}

/** Newest days first, as they are queried most. Parts written since the layout was applied already have it. */
const partitionsDue = ({ database, rows }: Pick<HistoryClient, 'database' | 'rows'>): Promise<readonly Due[]> =>
  rows<Due>(
    `SELECT table, partition_id AS partition, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND database = {database:String}
       AND table IN (SELECT table FROM system.data_skipping_indices WHERE database = {database:String})
       AND modification_time < (SELECT toDateTime(min(applied_at)) FROM ${database}.schema_migrations WHERE number = ${LAYOUT})
     GROUP BY table, partition ORDER BY partition DESC, table`,
    { database },
  )

/**
 * Resolves when every part has the newest layout, when `signal` is aborted between two parts, or when ClickHouse fails: then it emits a
 * notice, and the next start continues. Merges one day at a time; ClickHouse replaces a part by its copy atomically.
 */
export const rewriteParts = async (
  client: Pick<HistoryClient, 'database' | 'rows' | 'command'>,
  signal: AbortSignal,
  notice: Notice,
): Promise<void> => {
  try {
    await dropLeftOvers(client, signal)
    const due = await partitionsDue(client)
    if (due.length > 0) await rewriteAll(client, due, signal, notice)
  } catch (failure) {
    if (!(failure instanceof EngineError)) throw failure
    if (!signal.aborted) notice('history_rewrite_stopped', { reason: failure.message })
  }
}

const dropLeftOvers = async (
  { database, rows, command }: Pick<HistoryClient, 'database' | 'rows' | 'command'>,
  signal: AbortSignal,
): Promise<void> => {
  const tables = await rows<{ name: string }>('SELECT name FROM system.tables WHERE database = {database:String}', { database })
  const left = tables.map(({ name }) => name).filter((name) => LEFT_OVER.test(name))
  if (left.length > 0) await pause(SETTLED_MS, signal)
  for (const name of left) {
    if (signal.aborted) return
    const table = name.replace(LEFT_OVER, '_log')
    await command(`INSERT INTO ${database}.${table} SELECT * FROM ${database}.${name} SETTINGS ${COPY_SETTINGS}`)
    await command(`DROP TABLE IF EXISTS ${database}.${name}`)
  }
}

const rewriteAll = async (
  { database, command }: Pick<HistoryClient, 'database' | 'command'>,
  due: readonly Due[],
  signal: AbortSignal,
  notice: Notice,
): Promise<void> => {
  const megabytes = Math.round(due.reduce((sum, { bytes }) => sum + Number(bytes), 0) / 1_000_000)
  notice('history_rewrite_began', { partitions: due.length, megabytes })
  let reportedMs = performance.now()
  for (const [done, { table, partition }] of due.entries()) {
    if (signal.aborted) return
    if (performance.now() - reportedMs > REPORT_MS) {
      notice('history_rewrites', { done, of: due.length })
      reportedMs = performance.now()
    }
    await command(`OPTIMIZE TABLE ${database}.${table} PARTITION ID '${partition}' FINAL`)
  }
  notice('history_rewritten', { partitions: due.length })
}
