// One engine process: start, ping, end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EngineError } from '../../../schemas/errors.ts'
import { pause } from '../../waiting/waiting.ts'
import { type Access, READER, targetAs } from './access.ts'
import { configXml, type EngineConfig, usersXml } from './engine-config.ts'

const CHILD = fileURLToPath(new URL('./clickhouse-child.cjs', import.meta.url))
/** The answer to a query that reads a file. */
const NO_FILES = 'this history reads no files'
const NO_ENGINE = 69
/** The library is half a gigabyte: loading it from a slow disk takes a while. */
const START_MS_MAX = 60_000
const POLL_MS = 50
export const PROBE_MS_MAX = 2_000
const END_MS_MAX = 2_000
const WORDS_CHARS_MAX = 4_096
/** A variable of chdb: the path of its library, if it is not in its package. */
const LIBRARY = 'CHDB_LIBCHDB_PATH'
const CONFIG_PREFIX = 'config-'
/** Folds and API have priority over the history when CPU is short: the history may lag some seconds, they may not. */
const NICENESS = 5

export interface Engine {
  readonly pid: number
  isRunning(): boolean
  /** Resolves with the exit code, signal or error. */
  readonly ended: Promise<string>
  /** Whether it responds in time. */
  ping(msMax: number): Promise<boolean>
  /** Kills the process; resolves when it is gone, or after 2 s. */
  end(): Promise<void>
}

export interface EngineOptions extends EngineConfig {
  readonly dir: string
  readonly port: number
  /** Aborts a start in progress. */
  readonly signal: AbortSignal
}

/**
 * Resolves once the engine accepts its own password, so that another server on the port is not mistaken for it, and has refused to read a
 * file for a reader. @throws EngineError
 */
export const spawnEngine = async (options: EngineOptions): Promise<Engine> => {
  const { dir, port, signal, access } = options
  const configDir = mkdtempSync(join(dir, CONFIG_PREFIX))
  try {
    writeConfig(configDir, options)
    refuseFiles(dir)
    const child = start(dir, port, configDir)
    const engine = engineOf(child, port)
    const words = lastWordsOf(child)
    const startedMs = performance.now()
    while (engine.isRunning() && performance.now() - startedMs < START_MS_MAX && !signal.aborted) {
      const isSafe = (await isOurs(access)) ? await refusesFiles(access) : undefined
      if (isSafe) {
        giveWayAsSession(engine.pid)
        return engine
      }
      if (isSafe === false) {
        await engine.end()
        throw unsafe(options)
      }
      await Promise.race([pause(POLL_MS), engine.ended])
    }
    await engine.end()
    throw notStarted(child, words(), options)
  } finally {
    removeConfigs(dir, configDir)
  }
}

const writeConfig = (configDir: string, config: EngineConfig): void => {
  const usersPath = join(configDir, 'users.xml')
  writeFileSync(usersPath, usersXml(config), { mode: 0o600 })
  writeFileSync(join(configDir, 'config.xml'), configXml(config, usersPath), { mode: 0o600 })
}

/**
 * The engine loads SQL functions of its data directory at its start, and prefers them to its own: so file() fails for every user. No
 * statement can replace or remove a function with the name of an own one.
 */
const refuseFiles = (dir: string): void => {
  const functions = join(dir, 'data', 'user_defined')
  mkdirSync(functions, { recursive: true })
  writeFileSync(join(functions, 'function_file.sql'), `CREATE FUNCTION file AS (path) -> throwIf(1, '${NO_FILES}')\n`)
}

/** Safe once the engine responds: it never reads its configuration again. Also removes configurations of killed starts. */
const removeConfigs = (dir: string, own: string): void => {
  const isStale = (path: string): boolean => Date.now() - statSync(path).mtimeMs > 2 * START_MS_MAX
  for (const name of readdirSync(dir).filter((entry) => entry.startsWith(CONFIG_PREFIX))) {
    const path = join(dir, name)
    if (path === own || isStale(path)) rmSync(path, { recursive: true, force: true })
  }
}

/**
 * Detached, so that Ctrl-C does not reach the engine before its parent; the pipe at fd 3 ends it with its parent. Without the environment
 * of this process, which has secrets.
 */
const start = (dir: string, port: number, configDir: string): ChildProcess => {
  const library = process.env[LIBRARY]
  const child = spawn(process.execPath, [CHILD, join(dir, 'data'), configDir, String(port)], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...(library !== undefined && { [LIBRARY]: library }) },
  })
  if (child.pid !== undefined) giveWay(child.pid)
  return child
}

/** Threads inherit the priority. If setting it fails, the engine works as usual. */
const giveWay = (pid: number): void => {
  try {
    setPriority(pid, NICENESS)
  } catch {
    // The process has already ended, or this system has no priorities.
  }
}

/**
 * A detached process has a session of its own. Where Linux schedules by session (`autogroup`, sched(7)), a priority counts only within
 * the session, so the session's priority is lowered too: after the start, which would otherwise take too long on a busy machine.
 */
const giveWayAsSession = (pid: number): void => {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS))
  } catch {
    // The process has already ended, or this system has no autogroups.
  }
}

const engineOf = (child: ChildProcess, port: number): Engine => {
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const isRunning = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  return {
    pid: child.pid ?? 0,
    isRunning,
    ended,
    ping: (msMax) => answers(`http://127.0.0.1:${port}/ping`, {}, msMax),
    end: async () => {
      if (!isRunning()) return
      child.kill('SIGKILL')
      await Promise.race([once(child, 'exit'), new Promise((resolve) => setTimeout(resolve, END_MS_MAX).unref())])
    },
  }
}

/** Whether the engine with this writer's password responds, and not that of another directory. */
export const isOurs = async ({ url, username, password }: Pick<Access, 'url' | 'username' | 'password'>): Promise<boolean> => {
  const headers = { 'x-clickhouse-user': username, 'x-clickhouse-key': password }
  return answers(`${url}/?query=SELECT%201`, headers, PROBE_MS_MAX)
}

/** Whether the engine refuses to read a file for a reader; undefined if it gives no answer. */
export const refusesFiles = async (access: Access): Promise<boolean | undefined> => {
  const { url, username, password } = targetAs(access, READER)
  const headers = { 'x-clickhouse-user': username, 'x-clickhouse-key': password }
  const signal = AbortSignal.timeout(PROBE_MS_MAX)
  try {
    const response = await fetch(url, { method: 'POST', headers, body: `SELECT file('${CHILD}', '')`, signal })
    return (await response.text()).includes(NO_FILES)
  } catch {
    return undefined
  }
}

const answers = async (url: string, headers: Record<string, string>, msMax: number): Promise<boolean> => {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(msMax) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** The last characters of the process's stderr, for errors. */
const lastWordsOf = (child: ChildProcess): (() => string) => {
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-WORDS_CHARS_MAX)
  })
  return () => words.trim()
}

/** The walls around files depend on the engine's version, so they are checked at every start. */
const unsafe = ({ dir, port }: EngineOptions): EngineError =>
  new EngineError(
    'history_engine',
    'this version of the embedded ClickHouse would read files for its users: set CLICKHOUSE_URL for a server',
    {
      facts: { dir, port },
    },
  )

const notStarted = (child: ChildProcess, words: string, { dir, port, signal }: EngineOptions): EngineError => {
  const facts = { dir, port, words }
  if (child.exitCode === NO_ENGINE) {
    const reason = `this machine has no embedded ClickHouse (${words.split('\n')[0]}); set CLICKHOUSE_URL for a server`
    return new EngineError('history_engine', reason, { facts })
  }
  if (/Cannot lock file/.test(words)) {
    const reason = `${dir} is in use by another ClickHouse. Stop that process, or set MINTFOLD_DATA_DIR to another directory.`
    return new EngineError('data_dir_owned', reason, { retriable: true, facts })
  }
  const why = signal.aborted ? 'the start was aborted' : words.slice(0, 500) || `it did not respond within ${START_MS_MAX / 1_000} s`
  return new EngineError('history_down', `the embedded ClickHouse did not start: ${why}`, { retriable: true, facts })
}
