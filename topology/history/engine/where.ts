// Locates the history: a server, the engine that runs on a data directory, or one that must be started there.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { EngineError } from '../../../schemas/errors.ts'
import type { HistoryTarget } from '../target.ts'
import { ACCESS_FILE, type Access, accessIn, type EngineUser, parseAccess, targetAs, WRITER } from './access.ts'
import type { ServerOptions } from './clickhouse-server.ts'
import { isOurs } from './engine.ts'

/** The settings CLICKHOUSE_*, MINTFOLD_CLICKHOUSE_PORT and MINTFOLD_HISTORY_ACCESS. */
export interface HistorySettings {
  /** Null: the history of `access`, else the embedded engine. Several servers of a cluster are comma-separated. */
  readonly url: string | null
  /** The access file of `mintfold history` on another data directory, or null. */
  readonly access: string | null
  readonly username: string | null
  readonly password: string
  readonly database: string
  /** Name of the ClickHouse cluster of `url`; null for one server. */
  readonly cluster: string | null
  /** Port of the embedded engine. */
  readonly port: number
  /** Host names that its clients may use, in addition to 127.0.0.1 and localhost. */
  readonly hosts: readonly string[]
  /** Days for which the large tables keep a row, from its insertion. */
  readonly days: number
}

const LOOPBACK = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\/?$/

export const historyDirOf = (dataDir: string): string => join(dataDir, 'history')

/**
 * The history that `up` and the roles write to. If the URL has no user, and names this machine and the port of a `mintfold history` on the
 * same data directory, the password is read from that directory; else a missing user means `default`.
 * @throws EngineError `file_unreadable` for an access file
 */
export const placeOf = (dataDir: string, settings: HistorySettings): Omit<ServerOptions, 'notice'> | HistoryTarget => {
  const { url, username, database, port, hosts, access } = settings
  if (access !== null) return { ...targetAs(accessAt(access), WRITER), database, renewed: () => accessAt(access) }
  const dir = historyDirOf(dataDir)
  if (url === null) return { dir, port, database, hosts }
  const running = username === null && LOOPBACK.test(url) ? accessIn(dir) : null
  if (running !== null && new URL(running.url).port === new URL(url).port)
    return { ...targetAs(running, WRITER), database, renewed: () => accessIn(dir) }
  return serverOf(url, settings)
}

/**
 * The login for reading: of the given server, or of the engine that runs on the data directory. Null if that engine does not run. Its
 * access file stays when it ends: if the server on its port then has another password, it is the engine of another directory.
 * @param user of the embedded engine: readers see the views, the writer also storage. @throws EngineError as `placeOf`
 */
export const readerOf = async (dataDir: string, settings: HistorySettings, user: EngineUser): Promise<HistoryTarget | null> => {
  const { url, database, access } = settings
  if (access !== null) return { ...targetAs(accessAt(access), user), database }
  if (url !== null) return serverOf(url, settings)
  const running = accessIn(historyDirOf(dataDir))
  return running !== null && (await isOurs(running)) ? { ...targetAs(running, user), database } : null
}

/** A user and password in the URL are used if the settings have none. */
const serverOf = (addresses: string, { username, password, database, cluster }: HistorySettings): HistoryTarget => {
  const [url, ...others] = addresses.split(',').map((address) => new URL(address)) as [URL, ...URL[]]
  return {
    url: url.origin,
    ...(cluster !== null && { cluster, others: others.map(({ origin }) => origin) }),
    username: username ?? (decodeURIComponent(url.username) || 'default'),
    password: password || decodeURIComponent(url.password),
    database,
  }
}

/** The access file of `mintfold history` on another data directory: contains passwords, which errors never quote. */
const accessAt = (path: string): Access => {
  const start = `start \`mintfold history\` first, which writes the access file to DATA_DIR/history/${ACCESS_FILE}`
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? (REASONS[String(cause.code)] ?? String(cause.code)) : 'it cannot be read'
    throw accessError(path, `${why}: set the path of the file itself, and ${start}`, cause)
  }
  const access = parseAccess(text)
  if (access !== undefined) return access
  throw accessError(path, `it is not an access file: ${start}`)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of this path is a file, not a directory',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not read it (run as the user of `mintfold history`)',
}
const accessError = (path: string, words: string, cause?: unknown): EngineError =>
  new EngineError('file_unreadable', `MINTFOLD_HISTORY_ACCESS: ${resolve(path)} cannot be used: ${words}.`, { facts: { path }, cause })
