// The History port on ClickHouse: starts or connects to a ClickHouse, migrates its tables to this version, and refreshes the API's figures.
// No request waits for ClickHouse longer than its limit, and nothing here throws into the rest of the process.

import type { ShapeFacts } from '../../processors/mint/cohort/shape.ts'
import { EngineError } from '../../schemas/errors.ts'
import type { Key } from '../../schemas/keys.ts'
import type { FindingKey, History, LookupKind, QueryResult, SeriesQuery, SettledLaunch, SinkStatus, Unanswered } from '../ports/history.ts'
import type { MintOdds, OddsKey, OddsProof } from '../ports/odds-history.ts'
import { retryUntil } from '../waiting/retry.ts'
import { pause } from '../waiting/waiting.ts'
import { KeptFigures, noFigures, readFigures } from './all-figures.ts'
import { createHistoryClient, type HistoryClient } from './client.ts'
import { readShape } from './cohorts.ts'
import { ClickHouseServer, type ServerOptions } from './engine/clickhouse-server.ts'
import { computeFigures } from './figures.ts'
import { readFinding } from './findings.ts'
import type { Reader } from './lane.ts'
import { type LaneName, Lookups } from './lookups.ts'
import { readMintOdds, readOddsProof } from './odds/proofs.ts'
import { Recent } from './recent.ts'
import { readSeries } from './series.ts'
import { readSettled } from './settlements.ts'
import { UNREACHABLE } from './store-health.ts'
import type { Schema } from './tables/migrate.ts'
import { SchemaWatch } from './tables/schema-check.ts'
import { migrateAt, rewriteAt } from './tables/upkeep.ts'
import type { HistoryTarget } from './target.ts'
import { readWallet } from './wallets.ts'

/** A new history has its tables sooner than this; the conversion of an older one is reported. */
const QUIET_MS = 10_000
const REFRESH_MS = 60_000
/** How long a stop waits for a running query, such as a refresh of figures, whose result is no longer needed. */
const STOP_MS_MAX = 1_000
/** Backoff between attempts to connect. */
const CONNECT_DELAYS = { firstMs: 1_000, maxMs: 15_000 }
/** Retry interval until the first figures are read. */
const FIRST_READ_MS = 5_000
/** How long figures of an unreachable history are served; their `asOf` shows how old they are. */
const STALE_MS_MAX = 2 * REFRESH_MS

const STARTING = 'the history store is starting'
const UNUSABLE: Readonly<Record<string, string>> = {
  history_engine: 'this server has no history store',
  history_version: 'the history store has another version',
}

/** Prefix of `trouble` during a migration. */
export const MIGRATING = 'the history is being migrated to this version'

/** Time limit of a wallet query. */
const WALLET_MS_MAX = 5_000
/** Time limit of queries for the outcome of a launch or a finding: on timeout the response is sent without it. */
const LOOKUP_MS_MAX = 1_500

export interface HistoryOptions {
  /** Options of an embedded engine, or the address of a server. */
  readonly at: ServerOptions | HistoryTarget
  /** Null until the sink runs. */
  readonly sink: () => SinkStatus | null
  /** Receives starts, ends and failures, for the log. */
  readonly notice: (code: string, facts: Record<string, string | number>) => void
  /** Default: the schema of this program. */
  readonly schema?: Schema
}

export class ClickHouseHistory extends KeptFigures implements History {
  readonly #options: HistoryOptions
  readonly #server: ClickHouseServer | null
  readonly #stopping = new AbortController()
  #client: HistoryClient | null = null
  readonly #settled = new Recent<SettledLaunch | null>()
  readonly #shapes = new Recent<ShapeFacts | null>()
  #lookups: Lookups | null = null
  readonly #schema: SchemaWatch
  #refreshedMs = Number.NEGATIVE_INFINITY
  #trouble: string | null = STARTING
  #connecting: Promise<HistoryClient | null> | null = null
  #running: Promise<unknown> | null = null

  constructor(options: HistoryOptions) {
    super(noFigures(STARTING))
    this.#options = options
    this.#schema = new SchemaWatch(options.notice)
    this.#server = 'dir' in options.at ? new ClickHouseServer(options.at) : null
  }
  /**
   * Starts in the background and runs until `stop`. Resolves to a client once the history has this version's tables; to null if that cannot
   * happen: no engine for this platform, a newer version, or stopped. Does not reject, except for a bug.
   */
  async start(): Promise<HistoryClient | null> {
    this.#connecting = this.#connect()
    const client = await this.#connecting
    this.#client = client
    if (client !== null) {
      this.#lookups = new Lookups(this.#target(), this.#stopping.signal)
      this.#running = Promise.all([this.#keepFresh(client), this.#lookups.watch()])
    }
    return client
  }
  wallet(key: Key): ReturnType<History['wallet']> {
    return this.#lookUp('paid', (reader) => readWallet(reader, key, this.figures.ranks?.since ?? null), WALLET_MS_MAX)
  }
  settled(mint: Key, kind: LookupKind): ReturnType<History['settled']> {
    return this.#settled.get(mint, () => this.#lookUp(kind, (reader) => readSettled(reader, mint)))
  }
  shape(mint: Key, kind: LookupKind): ReturnType<History['shape']> {
    return this.#shapes.get(mint, () => this.#lookUp(kind, (reader) => readShape(reader, mint)))
  }
  finding(key: FindingKey): ReturnType<History['finding']> {
    return this.#lookUp('evidence', (reader) => readFinding(reader, key))
  }
  series(query: SeriesQuery): ReturnType<History['series']> {
    return this.#lookUp('free', (reader) => readSeries(reader, query))
  }
  oddsOf(mint: Key): Promise<QueryResult<readonly MintOdds[]>> {
    return this.#lookUp('free', (reader) => readMintOdds(reader, mint))
  }
  oddsProof(key: OddsKey): Promise<QueryResult<OddsProof | null>> {
    return this.#lookUp('evidence', (reader) => readOddsProof(reader, key))
  }
  unavailable(): Unanswered | null {
    return this.#lookups === null ? this.#absence() : this.#lookups.health.silence()
  }
  status(): ReturnType<History['status']> {
    const sink = this.#options.sink()
    const trouble =
      (this.#client === null ? this.#trouble : this.#server?.trouble()) ?? this.#trouble ?? this.#schema.trouble ?? sink?.trouble ?? null
    return { rows: sink?.rows ?? 0, upTo: sink?.upTo ?? null, trouble, store: this.#lookups?.health.state() ?? 'down' }
  }
  /** Process id of the embedded engine; null without one. */
  pid(): number | null {
    return this.#server?.pid() ?? null
  }
  /** Refreshes the figures now; call it after the sink has caught up. If that fails, `status` reports it, and the promise resolves. */
  async refresh(): Promise<void> {
    if (this.#client !== null && !this.#stopping.signal.aborted) await this.#read(this.#client)
  }
  /** Rewrites rows of an older layout in the background; only one of the processes that use the history may do it. */
  async rewrite(): Promise<void> {
    if (this.#client !== null) await rewriteAt(this.#target(), this.#stopping.signal, this.#options.notice)
  }
  async stop(): Promise<void> {
    this.#stopping.abort()
    const serverStopped = this.#server?.stop()
    const deadline = new AbortController()
    const ended = Promise.all([this.#connecting, this.#running])
    ended.catch(() => {})
    try {
      await Promise.race([ended, pause(STOP_MS_MAX, deadline.signal)])
    } finally {
      deadline.abort()
      await this.#client?.close()
      await this.#lookups?.close()
      await serverStopped
    }
  }

  async #lookUp<Value>(name: LaneName, read: (reader: Reader) => Promise<Value>, msMax = LOOKUP_MS_MAX): Promise<QueryResult<Value>> {
    return this.#lookups?.ask(name, read, msMax) ?? this.#absence()
  }
  #absence(): Unanswered {
    return { ok: false, reason: this.figures.baseRates.ok ? UNREACHABLE : this.figures.baseRates.reason }
  }
  /** Retries transient failures; resolves to null after a permanent one. */
  async #connect(): Promise<HistoryClient | null> {
    let noticed = ''
    const once = async (): Promise<HistoryClient | null> => {
      try {
        return await this.#connectOnce()
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        this.#trouble = error.message
        this.figures = noFigures(UNUSABLE[error.code] ?? UNREACHABLE)
        if (error.message !== noticed) this.#options.notice('history_not_connected', { code: error.code, reason: error.message })
        noticed = error.message
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
    const quietUntil = performance.now() + QUIET_MS
    let reported = ''
    await migrateAt(target, this.#options.schema, (file, statement, of) => {
      this.#trouble = `${MIGRATING}: ${file}, statement ${statement} of ${of}`
      if (file !== reported && performance.now() > quietUntil) this.#options.notice('history_migrates', { file, statements: of })
      reported = file
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
      await pause(isFresh ? REFRESH_MS : FIRST_READ_MS, this.#stopping.signal)
    }
  }
  /** Resolves to true if all figures are available. If computing them fails, the previous ones are read, with their older `asOf`. */
  async #read(client: HistoryClient): Promise<boolean> {
    try {
      this.#trouble = await this.#compute(client)
      await this.#schema.check(client)
      this.figures = await readFigures(client)
      this.#refreshedMs = performance.now()
      return this.figures.baseRates.ok && this.figures.regime.ok
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      this.#trouble = `the history cannot be read: ${error.message}`
      if (performance.now() - this.#refreshedMs > STALE_MS_MAX) this.figures = noFigures(UNREACHABLE)
      return false
    }
  }
  async #compute(client: HistoryClient): Promise<string | null> {
    try {
      await computeFigures(client)
      return null
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return `the figures of the history could not be refreshed: ${error.message}`
    }
  }
}
