// Queries the history of a running product from outside.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACCESS_FILE } from '../../topology/history/engine/access.ts'
import { historyDirOf } from '../../topology/history/engine/where.ts'
import { refreshView } from '../../topology/history/tables/refresh-view.ts'
import type { HistoryTarget } from '../../topology/history/target.ts'
import { computeResults } from '../../topology/history/wallets.ts'
import { REFRESHED } from '../../topology/sinks/refresh-views.ts'
import { answered } from './requests.ts'

const ASK_MS_MAX = 5_000
const READ_MS_MAX = 60_000
/**
 * Columns that depend on the wall clock (when a row was inserted, when a minute or span was computed and where the stream was then, when a
 * migration ran), and columns with ids of logs. All other columns follow from the chain.
 */
const OF_THE_WALL = [
  'received_at',
  'refreshed_at',
  'as_of',
  'told_to',
  'covered_at',
  'spans_at',
  'lost_at',
  'applied_at',
  'began_at',
  'log',
  'sink',
]
/** A round aggregates 50,000 rows or more. */
const ROUNDS_MAX = 1_000

/** The response of the data directory's engine to a query. @throws if no engine answers */
const textOf = async (dataDir: string, sql: string, msMax: number): Promise<string> => {
  const access = JSON.parse(readFileSync(join(historyDirOf(dataDir), ACCESS_FILE), 'utf8')) as HistoryTarget
  const headers = { 'x-clickhouse-user': access.username, 'x-clickhouse-key': access.password }
  const url = `${access.url}/?wait_end_of_query=1&output_format_json_quote_64bit_integers=0`
  const asked = fetch(url, { method: 'POST', body: sql, headers, signal: AbortSignal.timeout(msMax) })
  const read = asked.then(async (response) => ({ isWell: response.ok, text: await response.text() }))
  const { isWell, text } = await answered(read, msMax)
  if (!isWell) throw new Error(text)
  return text
}

/** Rows of a query. @throws if no engine answers */
export const rowsOf = async <Row>(dataDir: string, sql: string, msMax: number = READ_MS_MAX): Promise<Row[]> => {
  const text = await textOf(dataDir, `${sql} FORMAT JSONEachRow`, msMax)
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
}

/** The first row of a query; null if there is none or no engine answers. */
export const ask = async <Row>(dataDir: string, sql: string, msMax: number = ASK_MS_MAX): Promise<Row | null> => {
  try {
    return (await rowsOf<Row>(dataDir, sql, msMax))[0] ?? null
  } catch {
    return null
  }
}

/** Position of a history. */
export interface Reach {
  /** Newest tick (unix s) whose rows are all stored. */
  readonly upTo: number
  /** Slot of the newest tick that has a row. */
  readonly slot: number
  readonly tickAt: number
}

/** Null if no engine answers or no position is stored yet. */
export const reachOf = (dataDir: string, msMax: number = ASK_MS_MAX): Promise<Reach | null> =>
  ask<Reach>(
    dataDir,
    `SELECT (SELECT toUnixTimestamp(max(up_to)) FROM mintfold.progress) AS upTo, max(slot) AS slot, toUnixTimestamp(max(tick_at)) AS tickAt
     FROM mintfold.ticks_log`,
    msMax,
  )

/** Contents of the storage tables. */
export interface StoredRows {
  /** By table: its rows as text, one per key, sorted. */
  readonly rows: Readonly<Record<string, readonly string[]>>
  /** Number of duplicate rows that are not merged yet. */
  readonly again: number
}

/** Computes now what the engine computes each minute from stored rows; sums of wallets in as many rounds as needed. */
export const computeAll = async (dataDir: string): Promise<void> => {
  const client = {
    database: 'mintfold',
    command: async (sql: string) => void (await textOf(dataDir, sql, READ_MS_MAX)),
    rows: <Row>(sql: string) => rowsOf<Row>(dataDir, sql),
  }
  for (const view of REFRESHED) await refreshView(client, view)
  const behind = `SELECT (SELECT max(as_of) FROM mintfold.wallet_spans_log) < (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS isBehind`
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await refreshView(client, 'wallet_spans_refresh')
    const [is] = await rowsOf<{ isBehind: number }>(dataDir, behind)
    if (is?.isBehind !== 1) break
    if (round === ROUNDS_MAX - 1) throw new Error(`the sums of wallets are incomplete after ${ROUNDS_MAX} rounds`)
  }
  if (!(await computeResults(client))) throw new Error('the results of wallets are incomplete')
}

/** Conditions for rows with content. Rows of zero launches stay after forks: whether they exist depends on when they were computed. */
const WITH_CONTENT: Readonly<Record<string, string>> = {
  cohort_days_log: "n > 0 OR creator_kind = ''",
  odds_days_log: "n > 0 OR head = ''",
  odds_calls_log: 'launches + unresolved > 0',
}

/** Every row of every storage table that has content, without the wall-clock columns and those in `besides`. */
export const storedIn = async (dataDir: string, besides: readonly string[] = []): Promise<StoredRows> => {
  const left = [...OF_THE_WALL, ...besides].map((name) => `'${name}'`).join(', ')
  const tables = await rowsOf<{ stored: string; columns: string[] }>(
    dataDir,
    `SELECT table AS stored, groupArray(name) AS columns FROM (
       SELECT table, name FROM system.columns
       WHERE database = 'mintfold' AND default_kind != 'EPHEMERAL' AND NOT has([${left}], name)
         AND table IN (SELECT name FROM system.tables WHERE database = 'mintfold' AND engine = 'ReplacingMergeTree')
       ORDER BY table, position) GROUP BY stored ORDER BY stored`,
  )
  const rows: Record<string, readonly string[]> = {}
  let again = 0
  for (const { stored: name, columns } of tables) {
    const where = WITH_CONTENT[name] ?? 'true'
    const sql = `SELECT ${columns.join(', ')} FROM mintfold.${name} FINAL WHERE ${where} FORMAT JSONCompactEachRow`
    rows[name] = (await textOf(dataDir, sql, READ_MS_MAX)).split('\n').filter(Boolean).sort()
    const [stored] = await rowsOf<{ all: number }>(dataDir, `SELECT count() AS all FROM mintfold.${name} WHERE ${where}`)
    again += (stored?.all ?? 0) - (rows[name]?.length ?? 0)
  }
  return { rows, again }
}
