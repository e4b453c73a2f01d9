// Which history this is, and which log fills it. Offsets belong to one history, so that an emptied or another one is filled from the
// start; a history belongs to one log, because the rows of two make every figure wrong.
import { randomBytes } from 'node:crypto'
import { EngineError, hasCode } from '../../schemas/errors.ts'
import type { TapeForm } from '../../schemas/record-forms.ts'
import type { Topics } from '../../schemas/topics.ts'
import type { HistoryClient } from '../history/client.ts'
import type { HistoryTables } from '../history/rows/history-tables.ts'
import type { Log, LogReader, TaskOwner } from '../ports/log.ts'
import { retry } from '../waiting/retry.ts'
import { measureAt, rawTime, tapeTime } from './retention/log-times.ts'

type Reads = Pick<HistoryClient, 'database' | 'rows'>
type Logs = Pick<HistoryTables, 'logs'>

/** Under which the sink of a history keeps its offsets in the log. @throws EngineError */
export const sinkOwnerOf = async (client: Reads, { owner, progress }: Pick<HistoryTables, 'owner' | 'progress'>): Promise<string> =>
  `${owner}-${await historyIdOf(client, progress.name)}`

/** Made by ClickHouse with the table that says how far the sink is; kept over restarts, backups and upgrades. @throws EngineError */
const historyIdOf = async ({ database, rows }: Reads, table: string): Promise<string> => {
  const [row] = await rows<{ uuid: string }>(
    'SELECT toString(uuid) AS uuid FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { database, table },
  )
  if (row === undefined) throw new EngineError('history_query', `the history ${database} has no tables of the sink: it was not migrated`)
  return row.uuid
}

/** Whose input is the id of the log: it goes with the log into backups, and every process of a log on Kafka reads the same. */
export const LOG_ID_OWNER = 'log'
const ID = 'id'
const ID_BYTES = 6
const TAKE_TRIES_MAX = 20

/** Twelve hexadecimal digits, of what `LOG_ID_OWNER` has committed; undefined for a log that has none yet. */
export const logIdIn = (inputs: ReadonlyMap<string, number>): string | undefined =>
  inputs
    .get(ID)
    ?.toString(16)
    .padStart(2 * ID_BYTES, '0')

/** The log's own id, made by whoever asks first. */
export const logIdOf = (log: Pick<Log, 'own'>): Promise<string> => {
  const once = async (): Promise<string> => {
    const owner = await log.own(LOG_ID_OWNER)
    try {
      return logIdIn(owner.committed()) ?? (await nameLog(owner))
    } finally {
      await owner.release()
    }
  }
  // Another process may make it at the same time.
  return retry(once, { firstMs: 0, triesMax: TAKE_TRIES_MAX, isPassing: (failure) => hasCode(failure, 'fenced') })
}

const nameLog = async (owner: TaskOwner): Promise<string> => {
  const inputs = new Map([[ID, randomBytes(ID_BYTES).readUIntBE(0, ID_BYTES)]])
  await owner.commit({ outputs: [], inputs })
  return logIdIn(inputs) as string
}

/** A log as its history knows it. */
export interface FillingLog {
  readonly log: string
  /** In the words of meta.source; empty where that is not known. */
  readonly source: string
}

/** The log that fills a history; undefined before the first rows of one with an id. @throws EngineError */
export const fillingLog = async ({ database, rows }: Reads, { logs }: Logs): Promise<FillingLog | undefined> => {
  const named = 'SELECT name FROM system.tables WHERE database = {database:String} AND name = {table:String}'
  // One that an older program has made, and that is only read now.
  if ((await rows(named, { database, table: logs.name })).length === 0) return undefined
  return (await rows<FillingLog>(`SELECT log, source FROM ${database}.${logs.name} FINAL ORDER BY began_at DESC LIMIT 1`))[0]
}

/** @param mine id of a log, if it has one. @throws EngineError `history_of_another` where another log fills the history */
export const refuseHistoryOfAnother = async (client: Reads, tables: Logs, mine: string | undefined): Promise<void> => {
  const filling = await fillingLog(client, tables)
  if (filling !== undefined && filling.log !== mine) throw historyOfAnother(client.database, filling, mine ?? 'without an id yet')
}

export const historyOfAnother = (database: string, { log, source }: FillingLog, mine: string): EngineError =>
  new EngineError(
    'history_of_another',
    `the history ${database} is filled by another log (${log}${source === '' ? '' : `, ${source}`}), not by this one (${mine}). Set CLICKHOUSE_DATABASE to a new ` +
      'name for a history of its own (with the embedded engine, move the history folder of the data directory away); or, where the other log is ' +
      'gone for good, start once with --adopt-history: its rows stay, and windows begin with this log',
    { facts: { database, found: log, expected: mine } },
  )

/** Since when a log fills a history, unix seconds; undefined where it never did under its id. @throws EngineError */
export const sinceOf = async ({ database, rows }: Reads, { logs }: Logs, log: string): Promise<number | undefined> =>
  (
    await rows<{ since: number }>(`SELECT toUnixTimestamp(since) AS since FROM ${database}.${logs.name} FINAL WHERE log = {log:String}`, {
      log,
    })
  )[0]?.since

/** When the oldest frame is from that a log still has, unix seconds; 0 where it has none yet. */
export const beginningOf = async (log: LogReader, { raw, tape }: Pick<Topics, 'raw' | 'tape'>, form: TapeForm): Promise<number> =>
  (await measureAt(log, tape, 0, log.start(tape, 0), tapeTime(form))) ?? (await measureAt(log, raw, 0, log.start(raw, 0), rawTime)) ?? 0
