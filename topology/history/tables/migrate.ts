// Migrates the history's tables with numbered SQL files: each is applied once, in order, and recorded with its checksum. Views are in
// separate files: each is applied again whenever it differs from the one applied last.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EngineError } from '../../../schemas/errors.ts'
import type { HistoryClient } from '../client.ts'
import { refuseOtherCluster } from './cluster-check.ts'
import { createdIn, statementsOf } from './statements.ts'

/** The SQL files shipped with the package. */
const SHIPPED = fileURLToPath(new URL('../../../deploy/clickhouse/', import.meta.url))
const VIEWS = 'views'
const NAME = /^(\d{3})-[a-z0-9-]+\.sql$/
/** In a file: the checksum of a former file that it replaces. */
const FORMER = /^-- Applied as well: ([0-9a-f]{64})\b/gm
/** A statement after this comment runs only if the query's `n` is not 0: for steps that must not run twice. */
const CONDITION = /^-- while: (.+)$/m
const TABLE = 'schema_migrations'
const VIEWS_TABLE = 'schema_views'
/** The database name in the files; replaced by the target's. */
const WRITTEN_FOR = /\bmintfold\./g
const LITERAL = /'mintfold'/g

export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  /** sha256 of the file, hex. */
  readonly checksum: string
  /** Checksums of former files that it replaces: they created the same tables. */
  readonly former: readonly string[]
}

/** Statements that recreate views. */
export interface ViewFile {
  readonly name: string
  readonly sql: string
  /** sha256 of the file, hex. */
  readonly checksum: string
}

export interface Schema {
  readonly migrations: readonly Migration[]
  readonly views: readonly ViewFile[]
}

/** Called before each statement, which may take long. */
export type MigrationProgress = (file: string, statement: number, of: number) => void

interface Applied {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

const checksumOf = (sql: string): string => createHash('sha256').update(sql).digest('hex')

/** The files `NNN-name.sql` of a folder, by number; numbers are consecutive from 1. */
export const readMigrations = (dir: string = SHIPPED): readonly Migration[] => {
  const names = readdirSync(dir).filter((name) => NAME.test(name))
  return names.sort().map((name, index) => {
    const number = Number(NAME.exec(name)?.[1])
    if (number !== index + 1) throw new Error(`${join(dir, name)}: number ${index + 1} is missing or duplicate`)
    const sql = readFileSync(join(dir, name), 'utf8')
    const former = [...sql.matchAll(FORMER)].map(([, checksum]) => checksum as string)
    return { number, name, sql, checksum: checksumOf(sql), former }
  })
}

/** The files in the folder `views`, by name; empty if there is no such folder. */
export const readViews = (dir: string = SHIPPED): readonly ViewFile[] => {
  const folder = join(dir, VIEWS)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8')
    return { name, sql, checksum: checksumOf(sql) }
  })
}

export const readSchema = (dir: string = SHIPPED): Schema => ({ migrations: readMigrations(dir), views: readViews(dir) })

/**
 * Migrates a history to this program's version. ClickHouse has no DDL transactions: an interrupted file is run again from its
 * first statement, so each statement must be idempotent (IF NOT EXISTS). Two programs that migrate at once have the same result.
 * @throws EngineError before anything is changed: `history_version` for a history of a newer or another program, and `history_cluster`.
 */
export const migrate = async (
  client: HistoryClient,
  schema: Schema = readSchema(),
  progress: MigrationProgress = () => {},
): Promise<void> => {
  const { database } = client
  await refuseOtherCluster(client)
  const applied = (await isThere(client, TABLE)) ? await appliedTo(client) : []
  refuseOthers(database, applied, schema.migrations)
  const due = schema.migrations.filter(({ number }) => !applied.some((other) => other.number === number))
  if (due.length > 0) await makeTables(client, due, progress)
  await makeViews(client, schema.views, progress)
}

const makeTables = async (client: HistoryClient, due: readonly Migration[], progress: MigrationProgress): Promise<void> => {
  const { database } = client
  await client.command(`CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic`)
  await client.command(
    `CREATE TABLE IF NOT EXISTS ${database}.${TABLE} (number UInt32 COMMENT 'of the file of deploy/clickhouse', name String COMMENT 'of the file',
      checksum String COMMENT 'sha256 of the file, hex', applied_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'wall time')
      ENGINE = ReplacingMergeTree ORDER BY number COMMENT 'which files of deploy/clickhouse were applied'`,
  )
  for (const { number, name, sql, checksum } of due) {
    await runAll(client, name, sql, progress)
    await writeDown(client, TABLE, { number, name, checksum })
  }
}

/** All rows of views are derived: a recreated view is empty at most until its next refresh. */
const makeViews = async (client: HistoryClient, views: readonly ViewFile[], progress: MigrationProgress): Promise<void> => {
  if (views.length === 0) return
  const { database } = client
  await client.command(
    `CREATE TABLE IF NOT EXISTS ${database}.${VIEWS_TABLE} (name String COMMENT 'of the file of deploy/clickhouse/views',
      checksum String COMMENT 'sha256 of the file, hex', applied_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'wall time')
      ENGINE = ReplacingMergeTree(applied_at) ORDER BY name COMMENT 'which files of deploy/clickhouse/views were applied last'`,
  )
  const made = await client.rows<Omit<ViewFile, 'sql'>>(`SELECT name, checksum FROM ${database}.${VIEWS_TABLE} FINAL`)
  const there = await client.rows<{ name: string }>('SELECT name FROM system.tables WHERE database = {database:String}', { database })
  const allExist = (sql: string): boolean => createdIn(sql).every((view) => there.some(({ name }) => name === view))
  for (const { name, sql, checksum } of views) {
    if (made.some((other) => other.name === name && other.checksum === checksum) && allExist(sql)) continue
    await runAll(client, `${VIEWS}/${name}`, sql, progress)
    await writeDown(client, VIEWS_TABLE, { name, checksum })
  }
}

const runAll = async (client: HistoryClient, file: string, sql: string, progress: MigrationProgress): Promise<void> => {
  const inDatabase = (text: string): string => text.replace(WRITTEN_FOR, `${client.database}.`).replace(LITERAL, `'${client.database}'`)
  const statements = statementsOf(sql)
  for (const [index, statement] of statements.entries()) {
    const condition = CONDITION.exec(statement)?.[1]
    // Such a statement changes tables of an older program, which knew no clusters.
    if (condition !== undefined && client.cluster !== undefined) continue
    if (condition !== undefined && (await client.rows<{ n: number }>(inDatabase(condition)))[0]?.n === 0) continue
    progress(file, index + 1, statements.length)
    await client.command(inDatabase(statement)).catch((failure: unknown) => {
      throw refused(failure, `${file}, statement ${index + 1} (${titleOf(statement)})`)
    })
  }
}

/** The start of the statement, without comments. */
const titleOf = (statement: string): string =>
  statement
    .replace(/^(--[^\n]*\n|\s)+/, '')
    .slice(0, 80)
    .split('\n')[0] as string

/** The server's error, with the statement. */
const refused = (failure: unknown, what: string): unknown => {
  if (!(failure instanceof EngineError) || failure.facts.clickhouse === undefined) return failure
  const { code, retriable, facts } = failure
  return new EngineError(code, `deploy/clickhouse/${what} failed: ${failure.message}`, { retriable, facts, cause: failure })
}

const writeDown = (client: HistoryClient, table: string, row: Readonly<Record<string, string | number>>): Promise<void> =>
  client.insert({
    table,
    columns: Object.keys(row),
    format: 'JSONCompactEachRow',
    body: Buffer.from(`${JSON.stringify(Object.values(row))}\n`),
  })

const isThere = async (client: HistoryClient, table: string): Promise<boolean> => {
  const sql = 'SELECT name FROM system.tables WHERE database = {database:String} AND name = {name:String}'
  return (await client.rows(sql, { database: client.database, name: table })).length > 0
}

const appliedTo = (client: HistoryClient): Promise<readonly Applied[]> =>
  client.rows<Applied>(`SELECT number, name, checksum FROM ${client.database}.${TABLE} FINAL ORDER BY number`)

const WAYS =
  'Run the program version that wrote it; or set CLICKHOUSE_DATABASE to a new name (with the embedded engine, move the history folder of the data directory away): a new history is filled from what the log still has.'

const isSame = (checksum: string, file: Migration | undefined): boolean =>
  file !== undefined && (file.checksum === checksum || file.former.includes(checksum))

const refuseOthers = (database: string, applied: readonly Applied[], known: readonly Migration[]): void => {
  const foreign = applied.find(({ number, checksum }) => !isSame(checksum, known[number - 1]))
  if (foreign === undefined) return
  const isNewer = foreign.number > known.length
  const what = isNewer
    ? `has version ${applied.at(-1)?.number}, this program has ${known.length}`
    : `was created by another program: its ${foreign.name} differs from this program's`
  throw new EngineError('history_version', `The history ${database} ${what}. ${WAYS}`, {
    facts: { database, found: applied.at(-1)?.number ?? 0, expected: known.length },
  })
}

/** The applied version (0 without tables) and this program's. Changes nothing. @throws EngineError as `migrate` */
export const schemaVersion = async (client: HistoryClient): Promise<{ readonly applied: number; readonly known: number }> => {
  await refuseOtherCluster(client)
  const known = readMigrations()
  const applied = (await isThere(client, TABLE)) ? await appliedTo(client) : []
  refuseOthers(client.database, applied, known)
  return { applied: applied.length, known: known.length }
}
