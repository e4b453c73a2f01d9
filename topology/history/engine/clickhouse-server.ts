// The embedded ClickHouse: the engine of npm `chdb` as a supervised child process with HTTP on loopback, restarted when it ends.
// Its failure never ends this process: after the first start nothing here throws, and `trouble` reports the fault.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { EngineError, messageOf } from '../../../schemas/errors.ts'
import { Backoff } from '../../waiting/retry.ts'
import { pause } from '../../waiting/waiting.ts'
import { publicViews } from '../tables/public-views.ts'
import type { HistoryTarget } from '../target.ts'
import { type Engine, spawnEngine } from './engine.ts'
import { WRITER } from './engine-config.ts'
import { claimPort } from './port.ts'

/** Backoff of restarts. */
const START_DELAYS = { firstMs: 250, maxMs: 30_000 }
/** The backoff is reset after an engine has run this long. */
const STEADY_MS = 60_000
const PING_EVERY_MS = 2_000
const PING_MS_MAX = 5_000
/** Missed pings in a row until the engine is restarted: 10 s when it refuses connections, 35 s when it hangs. */
const PING_MISSES_MAX = 5
/** The address and login of a running engine, for commands of other processes. Readable only by its owner. */
export const ACCESS_FILE = 'access.json'
/** The writer's password: kept over restarts, because processes that use a `mintfold history` know it. Readable only by its owner. */
const PASSWORD_FILE = 'password'
const PASSWORD = /^[\w-]{32}$/

export interface ServerOptions {
  /** Directory of the engine's data; created if absent. */
  readonly dir: string
  /** On 127.0.0.1; 0 picks a free one and keeps it over restarts. */
  readonly port: number
  readonly database: string
  /** Host names that clients may use besides 127.0.0.1 and localhost; it still listens only on 127.0.0.1. */
  readonly hosts?: readonly string[]
  /** Receives starts, ends and failures, for the log. */
  readonly notice?: (code: string, facts: Record<string, string | number>) => void
}

/** The password of a directory; created once. */
const passwordIn = (dir: string): string => {
  const path = join(dir, PASSWORD_FILE)
  const kept = readFileSync(path, { encoding: 'utf8', flag: 'a+' })
  if (PASSWORD.test(kept)) return kept
  const made = randomBytes(24).toString('base64url')
  chmodSync(path, 0o600)
  writeFileSync(path, made)
  return made
}

export class ClickHouseServer {
  readonly #options: ServerOptions
  #password = ''
  readonly #stopping = new AbortController()
  #port = 0
  #engine: Engine | null = null
  #trouble: string | null = 'ClickHouse has not started yet'
  #watch: Promise<void> | null = null
  #hasAccessFile = false

  constructor(options: ServerOptions) {
    this.#options = { ...options, dir: resolve(options.dir) }
  }
  /**
   * Resolves once the engine responds; it is then supervised until `stop`. May be called again after a failure.
   * @throws EngineError `port_in_use`, `data_dir_owned`, `history_down` (retries may help), `history_engine` (no engine for this platform).
   */
  async start(): Promise<void> {
    try {
      mkdirSync(this.#options.dir, { recursive: true, mode: 0o700 })
      this.#password = passwordIn(this.#options.dir)
      this.#port = await claimPort(this.#port || this.#options.port)
      this.#engine = await this.#spawn()
    } catch (error) {
      this.#trouble = messageOf(error)
      throw error
    }
    this.#watch = this.#watchOver(this.#engine)
  }
  /** Login of the writer. Valid after the start. */
  target(): HistoryTarget {
    const { database } = this.#options
    return { url: `http://127.0.0.1:${this.#port}`, username: WRITER, password: this.#password, database }
  }
  /** The current fault; null while the engine responds. */
  trouble(): string | null {
    return this.#trouble
  }
  /** Process id of the engine; null if none runs. */
  pid(): number | null {
    return this.#engine?.pid ?? null
  }
  /** Kills the engine; acknowledged writes survive. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#engine?.end()
    await this.#watch
    this.#engine = null
    this.#trouble = 'ClickHouse was stopped'
    // Without this check, a server that failed to start because another engine runs on the directory would remove that engine's file.
    if (this.#hasAccessFile) rmSync(this.#accessPath(), { force: true })
  }

  async #spawn(): Promise<Engine> {
    const { dir, database, hosts = [] } = this.#options
    const access = { password: this.#password, database, views: publicViews() }
    const engine = await spawnEngine({ dir, port: this.#port, access, hosts, signal: this.#stopping.signal })
    this.#trouble = null
    writeFileSync(this.#accessPath(), JSON.stringify(this.target()), { mode: 0o600 })
    this.#hasAccessFile = true
    this.#options.notice?.('history_started', { pid: engine.pid, port: this.#port })
    return engine
  }
  #accessPath(): string {
    return join(this.#options.dir, ACCESS_FILE)
  }
  /** Supervises one engine after another until the stop. */
  async #watchOver(first: Engine): Promise<void> {
    let engine: Engine | null = first
    const backoff = new Backoff(START_DELAYS)
    while (!this.#stopping.signal.aborted) {
      if (engine !== null) {
        const startedMs = performance.now()
        await this.#untilEnd(engine)
        if (performance.now() - startedMs > STEADY_MS) backoff.reset()
        this.#engine = null
      }
      if (this.#stopping.signal.aborted) return
      await backoff.wait(this.#stopping.signal)
      engine = await this.#again()
      this.#engine = engine
    }
    await engine?.end()
  }
  async #again(): Promise<Engine | null> {
    if (this.#stopping.signal.aborted) return null
    try {
      await claimPort(this.#port)
      return await this.#spawn()
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      this.#trouble = error.message
      this.#options.notice?.('history_not_started', { reason: error.message })
      return null
    }
  }
  /** Resolves when the engine has ended, by itself or killed because it does not respond, or when `stop` is called. */
  async #untilEnd(engine: Engine): Promise<void> {
    let misses = 0
    while (engine.isRunning() && !this.#stopping.signal.aborted) {
      await Promise.race([pause(PING_EVERY_MS, this.#stopping.signal), engine.ended])
      if (!engine.isRunning()) break
      misses = (await engine.ping(PING_MS_MAX)) ? 0 : misses + 1
      if (misses < PING_MISSES_MAX) continue
      this.#trouble = `ClickHouse does not respond (${misses} times in a row): restarting it`
      await engine.end()
    }
    if (this.#stopping.signal.aborted) return
    this.#trouble = `ClickHouse ended (${await engine.ended}): restarting it`
    this.#options.notice?.('history_ended', { reason: this.#trouble })
  }
}
