// The embedded ClickHouse: the engine of npm `chdb` as a supervised child process with HTTP on loopback, restarted when it ends.
// Its failure never ends this process: after the first start nothing here throws, and `trouble` reports the fault.
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { EngineError, messageOf } from '../../../schemas/errors.ts'
import { Backoff } from '../../waiting/retry.ts'
import { pause } from '../../waiting/waiting.ts'
import { publicViews } from '../tables/public-views.ts'
import type { HistoryTarget } from '../target.ts'
import { type Access, accessFor, type EngineUser, targetAs, WRITER, writeAccess } from './access.ts'
import { type Engine, spawnEngine } from './engine.ts'
import { claimPort } from './port.ts'

/** Backoff of restarts. */
const START_DELAYS = { firstMs: 250, maxMs: 30_000 }
/** The backoff is reset after an engine has run this long. */
const STEADY_MS = 60_000
const PING_EVERY_MS = 2_000
const PING_MS_MAX = 5_000
/** Missed pings in a row until the engine is restarted: 10 s when it refuses connections, 35 s when it hangs. */
const PING_MISSES_MAX = 5
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

export class ClickHouseServer {
  readonly #options: ServerOptions
  #access: Access | undefined
  readonly #stopping = new AbortController()
  #engine: Engine | null = null
  #trouble: string | null = 'ClickHouse has not started yet'
  #watch: Promise<void> | null = null

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
      this.#access ??= await this.#accessOnPort()
      this.#engine = await this.#spawn()
    } catch (error) {
      this.#trouble = messageOf(error)
      throw error
    }
    this.#watch = this.#watchOver(this.#engine)
  }
  /** Address and login of a user. @throws Error before the start */
  target(user: EngineUser = WRITER): HistoryTarget {
    return targetAs(this.#known(), user)
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
  }

  async #spawn(): Promise<Engine> {
    const { dir, hosts = [] } = this.#options
    const access = this.#known()
    const port = Number(new URL(access.url).port)
    await claimPort(port)
    const engine = await spawnEngine({ dir, port, access, views: publicViews(), hosts, signal: this.#stopping.signal })
    this.#trouble = null
    writeAccess(dir, access)
    this.#options.notice?.('history_started', { pid: engine.pid, port })
    return engine
  }
  #known(): Access {
    if (this.#access === undefined) throw new Error('ClickHouse has not been started')
    return this.#access
  }
  async #accessOnPort(): Promise<Access> {
    const { dir, database, port } = this.#options
    return accessFor(dir, { url: `http://127.0.0.1:${await claimPort(port)}`, database })
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
