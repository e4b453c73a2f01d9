// The sink: writes the log's tape, frames and conclusions to the history's tables, each row effectively once, also after a kill.
//
// Rows are inserted first, then the offsets are committed to the log. Rows inserted but not committed are inserted again after a
// restart, and the tables keep one row per key. Rollbacks of forks are rows too (retract.ts). While ClickHouse is unreachable, the sink
// reads at most two batches ahead.
import { EngineError } from '../../schemas/errors.ts'
import type { HistoryClient } from '../history/client.ts'
import type { HistoryTables } from '../history/rows/history-tables.ts'
import { RowBatch, type TableRows } from '../history/rows/row-batch.ts'
import type { SinkStatus } from '../ports/history.ts'
import type { Log, TaskOwner } from '../ports/log.ts'
import { retryUntil } from '../waiting/retry.ts'
import { pause } from '../waiting/waiting.ts'
import { Gatherer, type Load } from './gather.ts'
import { beginningOf, type FillingLog, fillingLog, historyOfAnother, logIdOf, sinceOf, sinkOwnerOf } from './history-id.ts'
import { SINK_LIMITS, type SinkLimits } from './limits.ts'
import { type Loss, lostRowsOf } from './lost-rows.ts'
import type { SinkTopics } from './partition-consumer.ts'
import type { SunkTopology } from './sink-topology.ts'
import { Trouble } from './trouble.ts'

/** Names of committed inputs that are not offsets: the number of rows written, and the time up to which all rows are written. */
const ROWS = 'rows'
const UP_TO = 'up-to'

/** The part of a topology that the sink uses. */
export type SinkTopology = Pick<SunkTopology, 'chain' | 'sinks'>

export interface SinkOptions {
  readonly topology: SinkTopology
  readonly log: Log
  /** A client of a history with this version's tables. */
  readonly client: Pick<HistoryClient, 'command' | 'database' | 'insert' | 'rows'>
  /** Receives failures and recoveries, for the log. */
  readonly notice: (code: string, facts: Record<string, string | number>) => void
  /** The source of the log's frames, as in meta.source; null while unknown. */
  readonly source?: () => string | null
  /** Takes over a history that another log has written. */
  readonly adopts?: boolean
  readonly limits?: SinkLimits
}

export class ClickHouseSink {
  readonly #options: SinkOptions
  readonly #limits: SinkLimits
  readonly #topics: SinkTopics
  readonly #tables: HistoryTables
  readonly #stopping = new AbortController()
  readonly #stopped = new Promise<void>((resolve) => this.#stopping.signal.addEventListener('abort', () => resolve(), { once: true }))
  readonly #caughtUp: Promise<void>
  #tellCaughtUp: () => void = () => {}
  #owner!: TaskOwner
  #logId = ''
  /** The owner as stored in the history; null until this log is stored as owner. */
  #named: FillingLog | null = null
  #isAdopting = false
  #gatherer!: Gatherer
  #delivery: Promise<void> | null = null
  #failure: unknown
  #rows = 0
  #upTo: number | null = null
  readonly #trouble: Trouble
  /** Something was committed since the last read of the log. */
  #hasNews = false
  #isIdle = false
  #wake: (() => void) | null = null

  constructor(options: SinkOptions) {
    this.#options = options
    this.#limits = options.limits ?? SINK_LIMITS
    const { reads, tables } = options.topology.sinks.clickhouse
    this.#topics = reads
    this.#tables = tables
    this.#trouble = new Trouble(options.notice, this.#limits.busyMs)
    this.#caughtUp = new Promise((resolve) => {
      this.#tellCaughtUp = resolve
    })
  }
  /**
   * Resumes from the offsets committed for this history; for a new one, starts at the log's oldest record. Takes over nothing after `stop`.
   * @throws EngineError if ClickHouse does not respond, and `history_of_another`
   */
  async open(): Promise<void> {
    const { topology, log, client, notice } = this.#options
    const found = await Promise.race([Promise.all([sinkOwnerOf(client, this.#tables), fillingLog(client, this.#tables)]), this.#stopped])
    if (found === undefined || this.#isStopping()) return
    const [name, filling] = found
    await this.#meet(filling)
    if (this.#isStopping()) return
    this.#owner = await log.own(name)
    const committed = this.#owner.committed()
    this.#rows = committed.get(ROWS) ?? 0
    this.#upTo = committed.get(UP_TO) ?? null
    if (this.#upTo !== null) this.#tellCaughtUp()
    this.#gatherer = new Gatherer(
      { chain: topology.chain, log, topics: this.#topics, tables: this.#tables, limits: this.#limits },
      committed,
      this.#upTo,
      {
        records: (loss) => this.#lost(loss),
        deadFrames: (topic, offset) => notice('history_dead_rows_kept', { topic, offset }),
      },
    )
  }
  /** Runs until `stop`, which may come before the call. Retries failures of ClickHouse; rejects only with a failure of the log or a bug. */
  async run(): Promise<void> {
    const unsubscribe = this.#options.log.onCommit((topics) => {
      if (!Object.values(this.#topics).some(({ name }) => topics.has(name))) return
      this.#hasNews = true
      this.#wake?.()
    })
    try {
      while (!this.#isStopping()) await this.#step()
    } finally {
      unsubscribe()
      this.#stopping.abort()
      await this.#drained()
    }
    if (this.#failure !== undefined) throw this.#failure
  }
  stop(): void {
    this.#stopping.abort()
    this.#wake?.()
  }
  /** Rows written over all starts, the newest tick (unix s) up to which all rows are written, and the current fault. */
  status(): SinkStatus {
    return { rows: this.#rows, upTo: this.#upTo, trouble: this.#trouble.text }
  }
  /** True when everything on the log is in the history. */
  get isCaughtUp(): boolean {
    return this.#isIdle && this.#gatherer.isAtEnd
  }
  /** Resolves once all rows up to some tick are written. */
  caughtUp(): Promise<void> {
    return this.#caughtUp
  }

  /** Gathers a batch while the previous one is in flight, so at most two are in memory. */
  async #step(): Promise<void> {
    const startedMs = performance.now()
    this.#hasNews = false
    const load = await this.#gatherer.next(() => this.#isStopping())
    await Promise.race([this.#delivery, this.#stopped])
    if (this.#isStopping()) return
    if (load.rows === 0 && load.upTo === null) return this.#idle()
    this.#delivery = this.#deliver(load)
      .catch((failure: unknown) => {
        this.#failure = failure
        this.stop()
      })
      .finally(() => {
        this.#delivery = null
      })
    if (!load.isFull) await this.#rest(startedMs)
  }
  /** Waits for more data, and then until the next batch is due. */
  async #rest(startedMs: number): Promise<void> {
    await Promise.race([this.#delivery, this.#stopped])
    if (!this.#isStopping()) await this.#idle()
    await pause(this.#limits.batchIntervalMs - (performance.now() - startedMs), this.#stopping.signal)
  }
  /** Sleeps until there is something to read. */
  async #idle(): Promise<void> {
    if (this.#hasNews) return
    this.#isIdle = true
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    this.#wake = null
    this.#isIdle = false
  }
  /** Waits for the batch in flight, up to a limit. */
  async #drained(): Promise<void> {
    const enough = new AbortController()
    await Promise.race([this.#delivery, pause(this.#limits.drainMs, enough.signal)])
    enough.abort()
  }
  async #deliver({ tables, rows, offsets, upTo }: Load): Promise<void> {
    if (!(await this.#retried(() => this.#name()))) return
    const inserts = await Promise.all(tables.map((table) => this.#retried(() => this.#insert(table))))
    if (inserts.includes(false)) return
    if (upTo !== null && !(await this.#retried(() => this.#writeProgress(upTo)))) return
    const inputs = new Map([...offsets, [ROWS, this.#rows + rows]])
    const newest = upTo ?? this.#upTo
    if (newest !== null) inputs.set(UP_TO, newest)
    if (!(await this.#retried(() => this.#owner.commit({ outputs: [], inputs })))) return
    this.#rows += rows
    this.#upTo = newest
    this.#trouble.isOver(this.#rows)
    if (upTo !== null) this.#tellCaughtUp()
  }
  /** Refuses a history written by another log, unless it is to be adopted. */
  async #meet(filling: FillingLog | undefined): Promise<void> {
    const { log, client, adopts } = this.#options
    this.#logId = await logIdOf(log)
    if (filling?.log === this.#logId) this.#named = filling
    else if (filling !== undefined && adopts !== true) throw historyOfAnother(client.database, filling, this.#logId)
    else this.#isAdopting = filling !== undefined
  }
  /** Stores this log as the owner of the history before its first rows. Rows from before logs had ids are known up to their progress. */
  async #name(): Promise<void> {
    const { topology, log, client } = this.#options
    const source = this.#options.source?.() ?? this.#named?.source ?? ''
    if (this.#named?.source === source) return
    const since =
      (await sinceOf(client, this.#tables, this.#logId)) ??
      (this.#upTo === null ? await beginningOf(log, this.#topics, topology.chain.tape) : 0)
    if (this.#upTo !== null) await this.#writeProgress(this.#upTo)
    // Aggregates cover the other log's progress: they are rebuilt up to this log's.
    const sums = this.#isAdopting ? this.#tables.sums : []
    for (const table of sums) await client.command(`TRUNCATE TABLE ${client.database}.${table}`)
    this.#isAdopting = false
    await this.#put((batch) => batch.log({ log: this.#logId, chain: topology.chain.name, source, since }))
    this.#named = { log: this.#logId, source }
  }
  async #lost(loss: Loss): Promise<void> {
    const { topology, log, client, notice } = this.#options
    const { topic, partition, from, to } = loss
    notice('history_rows_lost', { topic: `${topic.name}/${partition}`, from, to, records: to - from })
    await this.#retried(async () => {
      const lost = await lostRowsOf(log, client, topology.chain.tape, this.#tables, loss, this.#upTo)
      if (lost !== null) await this.#put((batch) => batch.lost(lost))
    })
  }
  #insert({ table, columns, body }: TableRows): Promise<void> {
    return this.#options.client.insert({ table, columns, format: 'RowBinary', body })
  }
  #writeProgress(upTo: number): Promise<void> {
    return this.#put((batch) => batch.progress({ sink: this.#logId, upTo }))
  }
  async #put(fill: (batch: RowBatch) => void): Promise<void> {
    const batch = new RowBatch(this.#tables)
    fill(batch)
    for (const table of batch.take()) await this.#insert(table)
  }
  /**
   * Retries until success; false if stopped before. Also retries failures that a retry alone cannot fix: the process continues without a
   * history, and reports it.
   */
  async #retried(action: () => Promise<void>): Promise<boolean> {
    const done = await retryUntil(this.#stopping.signal, () => action().then(() => true), {
      ...this.#limits.delays,
      isPassing: (failure) => failure instanceof EngineError && failure.code !== 'fenced',
      failed: (failure) => this.#trouble.is(failure as EngineError),
    })
    return done ?? false
  }
  #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }
}
