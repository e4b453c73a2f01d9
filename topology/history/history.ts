// The History port on ClickHouse: starts or reaches it, brings its tables to this version, and keeps the API's figures fresh.
// Nothing of it waits for ClickHouse in a request, and nothing throws into the product.
import { EngineError } from '../../schemas/errors.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Asked, FindingPlace, History, SeriesAsked } from '../ports/history.ts'
import type { MintOdds, OddsPlace, OddsProof } from '../ports/odds-history.ts'
import { retryUntil } from '../waiting/retry.ts'
import { pause } from '../waiting/waiting.ts'
import { KeptFigures, noFigures, readFigures } from './all-figures.ts'
import { createHistoryClient, type HistoryClient } from './client.ts'
import { readShape } from './cohorts.ts'
import { ClickHouseServer, type ServerOptions } from './engine/clickhouse-server.ts'
import { explained } from './engine/of-another.ts'
import { computeFigures } from './figures.ts'
import { readFinding } from './findings.ts'
import { readMintOdds, readOddsProof } from './odds/proofs.ts'
import { Probe } from './probe.ts'
import { readSeries } from './series.ts'
import { readSettled } from './settlements.ts'
import type { Schema } from './tables/migrate.ts'
import { SchemaWatch } from './tables/schema-check.ts'
import { migrateAt, rewriteAt } from './tables/upkeep.ts'
import type { HistoryTarget } from './target.ts'
import { readWallet } from './wallets.ts'

const REFRESH_MS = 60_000
/** A stop waits so long for a query under way, such as one that computes the figures anew: nobody needs its answer any more. */
const STOP_MS_MAX = 1_000
/** Between tries to connect. */
const CONNECT_DELAYS = { firstMs: 1_000, maxMs: 15_000 }
/** Until the first figures are there. */
const FIRST_MS = 5_000
/** Figures of a history that went away are given for so long; their `asOf` tells their age. */
const STALE_MS_MAX = 2 * REFRESH_MS

/** What callers of the API read; the facts are in `status` and in the log. */
const STARTING = 'the history store is starting'
const AWAY = 'the history store does not answer now'
const UNUSABLE: Readonly<Record<string, string>> = {
  history_engine: 'this server has no history store',
  history_version: 'the history store is of another version',
}

/** How its trouble begins meanwhile. */
export const MIGRATING = 'the history is brought to this version'

/** A buyer waits no longer for a wallet, and whoever asks whether history is there for its answer. */
const WALLET_MS_MAX = 5_000
/** Nor longer for what became of a launch or a finding: the answer goes out without. */
const KEPT_MS_MAX = 1_500
const PROBE = { keepMs: 2_000, waitMs: 1_500 }

/** What the sink tells of itself. */
export type SinkStatus = ReturnType<History['status']>

export interface HistoryOptions {
  /** An engine of its own, or a server that runs elsewhere. */
  readonly at: ServerOptions | HistoryTarget
  /** Null until the sink runs. */
  readonly sink: () => SinkStatus | null
  /** For the log: what started, ended or went wrong. */
  readonly notice: (code: string, facts: Record<string, string | number>) => void
  /** Default: what ships with the program. */
  readonly schema?: Schema
}

export class ClickHouseHistory extends KeptFigures implements History {
  readonly #options: HistoryOptions
  readonly #server: ClickHouseServer | null
  readonly #stopping = new AbortController()
  #client: HistoryClient | null = null
  readonly #probe = new Probe(async () => this.#client?.rows('SELECT 1'), PROBE)
  readonly #schema: SchemaWatch
  #refreshedMs = Number.NEGATIVE_INFINITY
  #trouble: string | null = STARTING
  #connecting: Promise<HistoryClient | null> | null = null
  #running: Promise<void> | null = null

  constructor(options: HistoryOptions) {
    super(noFigures(STARTING))
    this.#options = options
    this.#schema = new SchemaWatch(options.notice)
    this.#server = 'dir' in options.at ? new ClickHouseServer(options.at) : null
  }
  /**
   * Begins in the background, and goes on until `stop`. Resolves to a client of a history that has this version's tables, as soon as there is
   * one; to null when there will be none: no engine for this platform, another version, or stopped. @throws never but for a bug
   */
  async start(): Promise<HistoryClient | null> {
    this.#connecting = this.#connect()
    const client = await this.#connecting
    this.#client = client
    if (client !== null) this.#running = this.#keepFresh(client)
    return client
  }
  wallet(key: Key): ReturnType<History['wallet']> {
    return this.#ask((client) => readWallet(client, key, this.figures.ranks?.since ?? null), WALLET_MS_MAX)
  }
  settled(mint: Key): ReturnType<History['settled']> {
    return this.#ask((client) => readSettled(client, mint), KEPT_MS_MAX)
  }
  shape(mint: Key): ReturnType<History['shape']> {
    return this.#ask((client) => readShape(client, mint), KEPT_MS_MAX)
  }
  finding(place: FindingPlace): ReturnType<History['finding']> {
    return this.#ask((client) => readFinding(client, place), KEPT_MS_MAX)
  }
  series(asked: SeriesAsked): ReturnType<History['series']> {
    return this.#ask((client) => readSeries(client, asked), KEPT_MS_MAX)
  }
  oddsOf(mint: Key): Promise<Asked<readonly MintOdds[]>> {
    return this.#ask((client) => readMintOdds(client, mint), KEPT_MS_MAX)
  }
  oddsProof(place: OddsPlace): Promise<Asked<OddsProof | null>> {
    return this.#ask((client) => readOddsProof(client, place), KEPT_MS_MAX)
  }
  async away(): Promise<string | null> {
    if (this.#client === null) return this.#absence()
    const isAway = (this.#server?.trouble() ?? null) !== null || !(await this.#probe.answers())
    return isAway ? AWAY : null
  }
  status(): SinkStatus {
    const sink = this.#options.sink()
    const trouble =
      (this.#client === null ? this.#trouble : this.#server?.trouble()) ?? this.#trouble ?? this.#schema.trouble ?? sink?.trouble ?? null
    return { rows: sink?.rows ?? 0, upTo: sink?.upTo ?? null, trouble }
  }
  /** Of the embedded engine's process; null without one. */
  pid(): number | null {
    return this.#server?.pid() ?? null
  }
  /** Reads the figures now: for when the sink has caught up. Resolves when they are there, or when they could not be read. */
  async refresh(): Promise<void> {
    if (this.#client !== null && !this.#stopping.signal.aborted) await this.#read(this.#client)
  }
  /** Brings what an older layout wrote to the newest, in the background of everything else; for one process of all that use the history. */
  async rewrite(): Promise<void> {
    if (this.#client !== null) await rewriteAt(this.#target(), this.#stopping.signal, this.#options.notice)
  }
  async stop(): Promise<void> {
    this.#stopping.abort()
    const serverStopped = this.#server?.stop()
    const enough = new AbortController()
    const ended = Promise.all([this.#connecting, this.#running])
    ended.catch(() => {})
    try {
      await Promise.race([ended, pause(STOP_MS_MAX, enough.signal)])
    } finally {
      enough.abort()
      await this.#client?.close()
      await serverStopped
    }
  }

  async #ask<Value>(read: (client: HistoryClient) => Promise<Value>, msMax: number): Promise<Asked<Value>> {
    const client = this.#client
    if (client === null) return { ok: false, reason: this.#absence() }
    const enough = new AbortController()
    const away = { ok: false as const, reason: AWAY }
    try {
      const late = pause(msMax, enough.signal).then(() => away)
      return await Promise.race([read(client).then((value) => ({ ok: true as const, value })), late])
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return away
    } finally {
      enough.abort()
    }
  }
  #absence(): string {
    return this.figures.baseRates.ok ? AWAY : this.figures.baseRates.reason
  }
  /** Tries for as long as trying may help. */
  async #connect(): Promise<HistoryClient | null> {
    const once = async (): Promise<HistoryClient | null> => {
      try {
        return await this.#connectOnce()
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        this.#trouble = error.message
        this.figures = noFigures(UNUSABLE[error.code] ?? AWAY)
        this.#options.notice('history_not_connected', { code: error.code, reason: error.message })
        if (UNUSABLE[error.code] !== undefined) return null
        throw error
      }
    }
    const isPassing = (failure: unknown): boolean => failure instanceof EngineError
    return (await retryUntil(this.#stopping.signal, once, { ...CONNECT_DELAYS, isPassing })) ?? null
  }
  async #connectOnce(): Promise<HistoryClient> {
    if (this.#server?.pid() === null) await this.#server.start()
    const target = this.#target()
    let told = ''
    await migrateAt(target, this.#options.schema, (file, statement, of) => {
      this.#trouble = `${MIGRATING}: ${file}, statement ${statement} of ${of}`
      if (file !== told) this.#options.notice('history_migrates', { file, statements: of })
      told = file
    }).catch(async (failure: unknown) => {
      throw await explained(failure, target)
    })
    this.#trouble = null
    return createHistoryClient(target)
  }
  #target(): HistoryTarget {
    return this.#server?.target() ?? (this.#options.at as HistoryTarget)
  }
  async #keepFresh(client: HistoryClient): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const isFresh = await this.#read(client)
      await pause(isFresh ? REFRESH_MS : FIRST_MS, this.#stopping.signal)
    }
  }
  /** Resolves to whether all figures are there. What cannot be computed anew is read as it is: its `asOf` tells its age. */
  async #read(client: HistoryClient): Promise<boolean> {
    try {
      this.#trouble = await this.#compute(client)
      await this.#schema.look(client)
      this.figures = await readFigures(client)
      this.#refreshedMs = performance.now()
      return this.figures.baseRates.ok && this.figures.regime.ok
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      this.#trouble = `the history cannot be read: ${error.message}`
      if (performance.now() - this.#refreshedMs > STALE_MS_MAX) this.figures = noFigures(AWAY)
      return false
    }
  }
  async #compute(client: HistoryClient): Promise<string | null> {
    try {
      await computeFigures(client)
      return null
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return `figures of the history are not computed anew: ${error.message}`
    }
  }
}
