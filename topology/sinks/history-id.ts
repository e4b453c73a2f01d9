// The identity of a history, and the log that writes it. Offsets belong to one history, so an emptied or replaced history is filled from
// the start. A history belongs to one log, because rows of two logs would make every figure wrong.
import { randomBytes } from 'node:crypto'
import { EngineError, hasCode } from '../../schemas/errors.ts'
import type { TapeForm } from '../../schemas/record-forms.ts'
import type { Topics } from '../../schemas/topics.ts'
import type { HistoryClient } from '../history/client.ts'
import type { HistoryTables } from '../history/rows/history-tables.ts'
import type { Log, LogReader, TaskOwner } from '../ports/log.ts'
import { retry } from '../waiting/retry.ts'
import { measureAt, rawTime, tapeTime } from './retention/log-times.ts'

type Reads = Pick<HistoryClient, 'database' | 'rows' | 'cluster'>
type Logs = Pick<HistoryTables, 'logs'>

/** Owner name under which the sink of a history commits its offsets to the log. @throws EngineError */
export const sinkOwnerOf = async (client: Reads, { owner, progress }: Pick<HistoryTables, 'owner' | 'progress'>): Promise<string> =>
  `${owner}-${await historyIdOf(client, progress.name)}`

/**
 * The id that ClickHouse gave the progress table; it is kept over restarts, backups and upgrades. On a cluster, whose servers may have
 * different ids, the time at which the first migration was applied. @throws EngineError
 */
const historyIdOf = async ({ database, rows, cluster }: Reads, table: string): Promise<string> => {
  if (cluster !== undefined) {
    const sql = `SELECT toString(toUnixTimestamp64Milli(applied_at)) AS at FROM ${database}.schema_migrations FINAL WHERE number = 1`
    return `${cluster}-${(await rows<{ at: string }>(sql))[0]?.at}`
  }
  const [row] = await rows<{ uuid: string }>(
    'SELECT toString(uuid) AS uuid FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { database, table },
  )
  if (row === undefined) throw new EngineError('history_query', `the history ${database} has no tables of the sink: it was not migrated`)
  return row.uuid
}

/** The owner that stores the id of the log as an input offset: backups include it, and all processes on Kafka read the same id. */
export const LOG_ID_OWNER = 'log'
const ID = 'id'
const ID_BYTES = 6
const TAKE_TRIES_MAX = 20

/** Twelve hexadecimal digits, from the inputs committed by `LOG_ID_OWNER`; undefined if the log has no id yet. */
export const logIdIn = (inputs: ReadonlyMap<string, number>): string | undefined =>
  inputs
    .get(ID)
    ?.toString(16)
    .padStart(2 * ID_BYTES, '0')

/** The log's id; the first caller creates it. */
export const logIdOf = (log: Pick<Log, 'own'>): Promise<string> => {
  const once = async (): Promise<string> => {
    const owner = await log.own(LOG_ID_OWNER)
    try {
      return logIdIn(owner.committed()) ?? (await nameLog(owner))
    } finally {
      await owner.release()
    }
  }
  // Another process may create the id concurrently.
  return retry(once, { firstMs: 0, triesMax: TAKE_TRIES_MAX, isPassing: (failure) => hasCode(failure, 'fenced') })
}

const nameLog = async (owner: TaskOwner): Promise<string> => {
  const inputs = new Map([[ID, randomBytes(ID_BYTES).readUIntBE(0, ID_BYTES)]])
  await owner.commit({ outputs: [], inputs })
  return logIdIn(inputs) as string
}

/** The log that a history belongs to. */
export interface FillingLog {
  readonly log: string
  /** As in meta.source; empty if unknown. */
  readonly source: string
}

/** The log that writes a history; undefined before the first rows of a log with an id. @throws EngineError */
export const fillingLog = async ({ database, rows }: Reads, { logs }: Logs): Promise<FillingLog | undefined> => {
  const named = 'SELECT name FROM system.tables WHERE database = {database:String} AND name = {table:String}'
  // An older program, without this table, may have made the history, which is only read now.
  if ((await rows(named, { database, table: logs.name })).length === 0) return undefined
  return (await rows<FillingLog>(`SELECT log, source FROM ${database}.${logs.name} FINAL ORDER BY began_at DESC LIMIT 1`))[0]
}

/** @param ownId id of a log, if it has one. @throws EngineError `history_of_another` if another log writes the history */
export const refuseHistoryOfAnother = async (client: Reads, tables: Logs, ownId: string | undefined): Promise<void> => {
  const filling = await fillingLog(client, tables)
  if (filling !== undefined && filling.log !== ownId) throw historyOfAnother(client.database, filling, ownId ?? 'without an id yet')
}

export const historyOfAnother = (database: string, { log, source }: FillingLog, ownId: string): EngineError =>
  new EngineError(
    'history_of_another',
    `the history ${database} is written by another log (${log}${source === '' ? '' : `, ${source}`}), not by this one (${ownId}). Set CLICKHOUSE_DATABASE to a new ` +
      'name for a separate history (with the embedded engine, move the history folder of the data directory away); or, if the other log is ' +
      'gone permanently, start once with --adopt-history: its rows stay, and time windows start with this log',
    { facts: { database, found: log, expected: ownId } },
  )

/** Since when a log writes a history, unix seconds; undefined if it never did under its id. @throws EngineError */
export const sinceOf = async ({ database, rows }: Reads, { logs }: Logs, log: string): Promise<number | undefined> =>
  (
    await rows<{ since: number }>(`SELECT toUnixTimestamp(since) AS since FROM ${database}.${logs.name} FINAL WHERE log = {log:String}`, {
      log,
    })
  )[0]?.since

/** Time of the oldest frame that the log still has, unix seconds; 0 if it has none. */
export const beginningOf = async (log: LogReader, { raw, tape }: Pick<Topics, 'raw' | 'tape'>, form: TapeForm): Promise<number> =>
  (await measureAt(log, tape, 0, log.start(tape, 0), tapeTime(form))) ?? (await measureAt(log, raw, 0, log.start(raw, 0), rawTime)) ?? 0
