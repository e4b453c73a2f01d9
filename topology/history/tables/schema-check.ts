// Checks that a history has what this program writes and reads: tables, columns, views, and working refreshes.
import type { Notice } from '../../ports/notice.ts'
import type { HistoryClient } from '../client.ts'
import { CURVE_TABLES } from '../rows/curve-tables.ts'
import { tablesIn } from '../rows/history-tables.ts'
import { MINT_TABLES } from '../rows/mint-tables.ts'
import { readSchema, type Schema } from './migrate.ts'
import { createdIn } from './statements.ts'

/** Every table that sinks write to. */
const STORED_TABLES = [MINT_TABLES, CURVE_TABLES].flatMap(tablesIn)

const WORDS_MAX = 200
const NAMED_MAX = 3

const RESTART = 'restart mintfold, which recreates views'
const ELSEWHERE = 'restore a backup, or set CLICKHOUSE_DATABASE to a new name: a new history is filled from what the log still has'

/** Faults as sentences with advice; empty if there is none. @throws EngineError if ClickHouse does not respond */
export const schemaTroubles = async (
  { database, rows }: Pick<HistoryClient, 'database' | 'rows'>,
  { migrations, views }: Schema = readSchema(),
): Promise<readonly string[]> => {
  const [tables, columns, failed] = await Promise.all([
    rows<{ name: string }>('SELECT name FROM system.tables WHERE database = {database:String}', { database }),
    rows<{ owner: string; name: string }>('SELECT table AS owner, name FROM system.columns WHERE database = {database:String}', {
      database,
    }),
    rows<{ view: string; words: string }>(
      `SELECT view, exception AS words FROM system.view_refreshes WHERE database = {database:String} AND exception NOT IN ('', 'cancelled') ORDER BY view`,
      { database },
    ),
  ])
  const there = new Set([...tables.map(({ name }) => name), ...columns.map(({ owner, name }) => `${owner}.${name}`)])
  const missing = (names: readonly string[]): readonly string[] => names.filter((name) => !there.has(name))
  const lacking = missing(migrations.flatMap(({ sql }) => createdIn(sql)))
  const lost = missing(views.flatMap(({ sql }) => createdIn(sql)))
  const fields = missing(
    STORED_TABLES.filter(({ name }) => there.has(name)).flatMap((table) => table.columns.map(({ name }) => `${table.name}.${name}`)),
  )
  // Leaves out failures at the start of the engine, which refreshes views before its database `system` exists, and then retries.
  const failures = failed.filter(({ words }) => !/Database `?system`? does not exist/.test(words))
  return [
    ...sentence('tables', lacking, ELSEWHERE),
    ...sentence('columns', fields, ELSEWHERE),
    ...sentence('views', lost, RESTART),
    ...failures.map(({ view, words }) => `the refresh of ${database}.${view} failed: ${withoutTrace(words).slice(0, WORDS_MAX)}; retrying`),
  ]
}

const withoutTrace = (words: string): string => words.replace(/,? Stack trace[\s\S]*/, '')

const sentence = (what: string, names: readonly string[], way: string): readonly string[] =>
  names.length === 0
    ? []
    : [
        `${names.length} ${what} of the history are missing (${names.slice(0, NAMED_MAX).join(', ')}${names.length > NAMED_MAX ? ', ...' : ''}): ${way}`,
      ]

/** Keeps the first fault of the latest check; emits a notice when the fault starts, changes or ends. */
export class SchemaWatch {
  readonly #notice: Notice
  /** Read at the first check: the files do not change while the process runs. */
  #schema: Schema | undefined
  #trouble: string | null = null

  constructor(notice: Notice) {
    this.#notice = notice
  }
  get trouble(): string | null {
    return this.#trouble
  }
  /** @throws EngineError if ClickHouse does not respond */
  async check(client: Pick<HistoryClient, 'database' | 'rows'>): Promise<void> {
    this.#schema ??= readSchema()
    const [trouble = null] = await schemaTroubles(client, this.#schema)
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    if (trouble === null) this.#notice('history_schema_whole', {})
    else this.#notice('history_schema', { reason: trouble })
  }
}
