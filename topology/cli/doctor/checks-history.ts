// Checks of `doctor` for the history: the server, the log it belongs to, the rights to write, and the version of its tables.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError, messageOf } from '../../../schemas/errors.ts'
import { createHistoryClient, type HistoryClient } from '../../history/client.ts'
import { placeOf } from '../../history/engine/where.ts'
import { MINT_TABLES } from '../../history/rows/mint-tables.ts'
import { schemaVersion } from '../../history/tables/migrate.ts'
import { schemaTroubles } from '../../history/tables/schema-check.ts'
import type { HistoryTarget } from '../../history/target.ts'
import { watchLmdbLog } from '../../logs/lmdb/lmdb-reader.ts'
import { LOG_ID_OWNER, logIdIn, refuseHistoryOfAnother } from '../../sinks/history-id.ts'
import type { Settings } from '../settings/settings.ts'
import { type Check, good, poor } from './check.ts'
import type { Running } from './checks-directory.ts'

const ANSWER_MS_MAX = 5_000
/** The rights needed to create, write and maintain the tables. */
const RIGHTS = [
  ...['SELECT', 'INSERT', 'ALTER TABLE', 'TRUNCATE', 'OPTIMIZE', 'CREATE TABLE', 'CREATE VIEW', 'DROP TABLE', 'DROP VIEW'],
  'SYSTEM VIEWS',
]
/** Needed in addition for ON CLUSTER; it is granted for all databases. */
const CLUSTER_RIGHT = 'CLUSTER'
const UNKNOWN_STATEMENT = 400

/**
 * Sends the server only statements without effect.
 * @param engine the writer's login of the engine that runs on this data directory; null if there is none
 */
export async function* checkHistory(settings: Settings, engine: HistoryTarget | null, running: Running): AsyncIterable<Check> {
  const { dataDir, clickhouse, kafka } = settings
  const name = 'clickhouse'
  let place: ReturnType<typeof placeOf>
  try {
    place = placeOf(dataDir, clickhouse)
  } catch (failure) {
    return yield worded(name, failure)
  }
  if ('dir' in place && engine === null) return yield good(name, 'the embedded engine starts with `up`')
  if ('dir' in place && engine !== null && running === undefined)
    return yield poor(name, `mintfold history runs on this data directory: set CLICKHOUSE_URL=${engine.url}, or stop it`)
  const target = 'dir' in place ? (engine as HistoryTarget) : place
  const client = createHistoryClient(target, ANSWER_MS_MAX)
  try {
    const reached = await checkServer(client, target, kafka === null ? join(dataDir, 'log') : null)
    yield reached
    if (!reached.ok) return
    yield await checkRights(client, target)
    yield await checkTables(client)
  } finally {
    await client.close()
  }
}

/** @throws anything that is not an EngineError */
const worded = (name: string, failure: unknown, target?: HistoryTarget): Check => {
  if (!(failure instanceof EngineError)) throw failure
  const words = messageOf(failure)
  return poor(name, target === undefined ? words : words.replaceAll(target.url, new URL(target.url).origin))
}

const checkServer = async (client: HistoryClient, target: HistoryTarget, logDir: string | null): Promise<Check> => {
  const name = 'clickhouse'
  try {
    const version = await client.checkVersion()
    if (logDir !== null) await refuseHistoryOfAnother(client, MINT_TABLES, await idInDirectory(logDir))
    return good(name, `${new URL(target.url).origin} responds: ClickHouse ${version}`)
  } catch (failure) {
    return worded(name, failure, target)
  }
}

const checkRights = async (client: HistoryClient, target: HistoryTarget): Promise<Check> => {
  const name = 'history rights'
  try {
    const missing: string[] = []
    for (const right of RIGHTS) if (!(await isGranted(target, right))) missing.push(right)
    if (missing.length > 0) {
      const { username, database } = target
      const grant = `GRANT ${missing.join(', ')} ON ${database}.* TO ${username}`
      return poor(name, `user ${username} lacks rights on ${database}.*: ${grant}, or set CLICKHOUSE_USERNAME and CLICKHOUSE_PASSWORD`)
    }
    if (target.cluster !== undefined && !(await isGranted(target, CLUSTER_RIGHT, '*.*')))
      return poor(name, `user ${target.username} may not run statements on a cluster: GRANT ${CLUSTER_RIGHT} ON *.* TO ${target.username}`)
    await tryWriting(client)
    return good(name, `user ${target.username} can create tables in ${target.database}, write rows and delete them`)
  } catch (failure) {
    return worded(name, failure, target)
  }
}

/** True also if the server does not support CHECK GRANT. */
const isGranted = async (target: HistoryTarget, right: string, what = `${target.database}.*`): Promise<boolean> => {
  const { url, username, password } = target
  const headers = { 'x-clickhouse-user': username, 'x-clickhouse-key': password }
  const signal = AbortSignal.timeout(ANSWER_MS_MAX)
  const body = `CHECK GRANT ${right} ON ${what}`
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    const text = await response.text()
    if (response.ok) return text.trim() !== '0'
    if (response.status === UNKNOWN_STATEMENT) return true
    throw new Error(`status ${response.status}`)
  } catch (cause) {
    const words = `${new URL(url).origin} does not report the rights of user ${username} (${messageOf(cause)}): check CLICKHOUSE_URL`
    throw new EngineError('history_down', words, { cause })
  }
}

/** Inserts no row and drops a partition that does not exist: a table without write access refuses both. */
const tryWriting = async (client: HistoryClient): Promise<void> => {
  const { database } = client
  const table = `${database}.schema_migrations`
  const there = "SELECT name FROM system.tables WHERE database = {database:String} AND name = 'schema_migrations'"
  if ((await client.rows(there, { database })).length === 0) return
  await client.command(`INSERT INTO ${table} SELECT * FROM ${table} WHERE 0`)
  await client.command(`ALTER TABLE ${table} DROP PARTITION ID 'none'`)
}

/** Compares the version, and the parts that a history of this version must have. */
const checkTables = async (client: HistoryClient): Promise<Check> => {
  const name = 'history tables'
  try {
    const { applied, known } = await schemaVersion(client)
    if (applied === known) return await checkParts(client, `${client.database} has version ${known}, as this program needs`)
    const words = applied === 0 ? `${client.database} has no tables yet` : `${client.database} has version ${applied}`
    return good(name, `${words}: the next start migrates it to version ${known}`)
  } catch (failure) {
    return worded(name, failure)
  }
}

/** Checks columns, views and refreshes. */
const checkParts = async (client: HistoryClient, words: string): Promise<Check> => {
  const troubles = await schemaTroubles(client)
  return troubles.length === 0 ? good('history tables', words) : poor('history tables', troubles.join('; '))
}

/** Undefined if there is no log yet, or one without an id. */
const idInDirectory = async (dir: string): Promise<string | undefined> => {
  if (!existsSync(join(dir, 'data.mdb'))) return undefined
  const log = await watchLmdbLog(dir)
  try {
    return logIdIn(log.inputsOf(LOG_ID_OWNER))
  } finally {
    await log.close()
  }
}
