// The history's tables, by numbered files of SQL: each applied once, in order, and written down with its checksum.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EngineError } from '../../schemas/errors.ts'
import type { HistoryClient } from './client.ts'
import { statementsOf } from './statements.ts'

/** What ships with the package. */
const SHIPPED = fileURLToPath(new URL('../../deploy/clickhouse/', import.meta.url))
const NAME = /^(\d{3})-[a-z0-9-]+\.sql$/
/** What a file says of one in whose place it is. */
const FORMER = /^-- Applied as well: ([0-9a-f]{64})\b/gm
const TABLE = 'schema_migrations'
/** The database that the files name; another one takes its place when the target says so. */
const WRITTEN_FOR = /\bmintfold\./g

export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  /** sha256 of the file, hex. */
  readonly checksum: string
  /** Of files in whose place it is: they made the same tables. */
  readonly former: readonly string[]
}

interface Applied {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** The files `NNN-name.sql` of a folder, by number, which is 1, 2, 3 and so on without a gap. */
export const readMigrations = (dir: string = SHIPPED): readonly Migration[] => {
  const names = readdirSync(dir).filter((name) => NAME.test(name))
  return names.sort().map((name, index) => {
    const number = Number(NAME.exec(name)?.[1])
    if (number !== index + 1) throw new Error(`${join(dir, name)}: number ${index + 1} is missing or there twice`)
    const sql = readFileSync(join(dir, name), 'utf8')
    const former = [...sql.matchAll(FORMER)].map(([, checksum]) => checksum as string)
    return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex'), former }
  })
}

/**
 * Brings a history to this program's version. ClickHouse has no transactions for tables: what stopped half way is run again from the
 * file's first statement, so each statement must bear that (IF NOT EXISTS). Two programs at once do the same and come to the same.
 * @throws EngineError `history_version` for a history of a newer or another program, before anything is changed.
 */
export const migrate = async (client: HistoryClient, migrations: readonly Migration[] = readMigrations()): Promise<void> => {
  const { database } = client
  const applied = (await isThere(client)) ? await appliedTo(client) : []
  refuseOthers(database, applied, migrations)
  const due = migrations.filter(({ number }) => !applied.some((other) => other.number === number))
  if (due.length === 0) return
  await client.command(`CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic`)
  await client.command(
    `CREATE TABLE IF NOT EXISTS ${database}.${TABLE} (number UInt32 COMMENT 'of the file of deploy/clickhouse', name String COMMENT 'of the file',
      checksum String COMMENT 'sha256 of the file, hex', applied_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'wall time')
      ENGINE = ReplacingMergeTree ORDER BY number COMMENT 'which files of deploy/clickhouse were applied'`,
  )
  for (const { number, name, sql, checksum } of due) {
    for (const statement of statementsOf(sql)) await client.command(statement.replace(WRITTEN_FOR, `${database}.`))
    await client.insert({
      table: TABLE,
      columns: ['number', 'name', 'checksum'],
      format: 'JSONCompactEachRow',
      body: Buffer.from(`${JSON.stringify([number, name, checksum])}\n`),
    })
  }
}

const isThere = async (client: HistoryClient): Promise<boolean> => {
  const sql = 'SELECT name FROM system.tables WHERE database = {database:String} AND name = {name:String}'
  return (await client.rows(sql, { database: client.database, name: TABLE })).length > 0
}

const appliedTo = (client: HistoryClient): Promise<readonly Applied[]> =>
  client.rows<Applied>(`SELECT number, name, checksum FROM ${client.database}.${TABLE} FINAL ORDER BY number`)

const WAYS =
  'Run the program version that wrote it; or set CLICKHOUSE_DATABASE to a new name (with the embedded engine, move the history folder of the data directory away): a new history is filled from what the log still holds.'

const isSame = (checksum: string, file: Migration | undefined): boolean =>
  file !== undefined && (file.checksum === checksum || file.former.includes(checksum))

const refuseOthers = (database: string, applied: readonly Applied[], known: readonly Migration[]): void => {
  const foreign = applied.find(({ number, checksum }) => !isSame(checksum, known[number - 1]))
  if (foreign === undefined) return
  const isNewer = foreign.number > known.length
  const what = isNewer
    ? `has version ${applied.at(-1)?.number}, this program has ${known.length}`
    : `was made by another program: its ${foreign.name} differs from this one's`
  throw new EngineError('history_version', `The history ${database} ${what}. ${WAYS}`, {
    facts: { database, found: applied.at(-1)?.number ?? 0, expected: known.length },
  })
}
