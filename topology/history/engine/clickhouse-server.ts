// The embedded ClickHouse: the engine of npm `chdb` as a child process behind HTTP on loopback, watched and started again.
// Its death is never the product's: after the first start nothing here throws, `trouble` says what is wrong.
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

/** Before an engine that ended is started again. */
const START_DELAYS = { firstMs: 250, maxMs: 30_000 }
/** An engine that ran this long starts its back-off anew when it ends. */
const STEADY_MS = 60_000
const PING_EVERY_MS = 2_000
const PING_MS_MAX = 5_000
/** Misses in a row until an engine that does not answer is started again: 10 s when it refuses, 35 s when it hangs. */
const PING_MISSES_MAX = 5
/** Where commands of other processes find a running engine. Readable by its owner only. */
export const ACCESS_FILE = 'access.json'
/** The writer's password: processes that use a `history` go on with it when that is started again. Readable by its owner only. */
const PASSWORD_FILE = 'password'
const PASSWORD = /^[\w-]{32}$/

export interface ServerOptions {
  /** Holds the engine's data; made when it does not exist. */
  readonly dir: string
  /** On 127.0.0.1; 0 takes a free one and keeps it over restarts. */
  readonly port: number
  readonly database: string
  /** By which names clients may call it, beside 127.0.0.1 and localhost; it listens on 127.0.0.1 all the same. */
  readonly hosts?: readonly string[]
  /** Told of starts, ends and what went wrong, for the log. */
  readonly notice?: (code: string, facts: Record<string, string | number>) => void
}

/** Made once for a directory. */
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

  constructor(options: ServerOptions) {
    this.#options = { ...options, dir: resolve(options.dir) }
  }
  /**
   * Resolves once the engine answers; from then on it is watched until `stop`. May be called again after a failure.
   * @throws EngineError `port_in_use`, `data_dir_owned`, `history_down` (these may pass), `history_engine` (no engine for this platform).
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
  /** As whom to write. Valid once started. */
  target(): HistoryTarget {
    const { database } = this.#options
    return { url: `http://127.0.0.1:${this.#port}`, username: WRITER, password: this.#password, database }
  }
  /** What is wrong, in words; null while it answers. */
  trouble(): string | null {
    return this.#trouble
  }
  /** Of the engine's process; null while there is none. */
  pid(): number | null {
    return this.#engine?.pid ?? null
  }
  /** Ends the engine; nothing that was acknowledged is lost. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#engine?.end()
    await this.#watch
    this.#engine = null
    this.#trouble = 'ClickHouse was stopped'
    rmSync(this.#accessPath(), { force: true })
  }

  async #spawn(): Promise<Engine> {
    const { dir, database, hosts = [] } = this.#options
    const access = { password: this.#password, database, views: publicViews() }
    const engine = await spawnEngine({ dir, port: this.#port, access, hosts, signal: this.#stopping.signal })
    this.#trouble = null
    writeFileSync(this.#accessPath(), JSON.stringify(this.target()), { mode: 0o600 })
    this.#options.notice?.('history_started', { pid: engine.pid, port: this.#port })
    return engine
  }
  #accessPath(): string {
    return join(this.#options.dir, ACCESS_FILE)
  }
  /** Follows one engine after the other until the stop. */
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
  /** Resolves when the engine is gone: by itself, or ended because it no longer answers. */
  async #untilEnd(engine: Engine): Promise<void> {
    let misses = 0
    while (engine.isRunning() && !this.#stopping.signal.aborted) {
      await Promise.race([pause(PING_EVERY_MS, this.#stopping.signal), engine.ended])
      if (!engine.isRunning()) break
      misses = (await engine.ping(PING_MS_MAX)) ? 0 : misses + 1
      if (misses < PING_MISSES_MAX) continue
      this.#trouble = `ClickHouse does not answer (${misses} times in a row): it is started again`
      await engine.end()
    }
    if (this.#stopping.signal.aborted) return
    this.#trouble = `ClickHouse ended (${await engine.ended}): it is started again`
    this.#options.notice?.('history_ended', { reason: this.#trouble })
  }
}
