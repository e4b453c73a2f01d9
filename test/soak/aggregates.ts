// Compares every materialised view and aggregate of a history with a recomputation from its tables, after forks, kills of engine and
// sink, duplicate rows, and corrections of any age. Each round applies some of these at random, then compares: no row may differ.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EngineError } from '../../schemas/errors.ts'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { ClickHouseServer } from '../../topology/history/engine/clickhouse-server.ts'
import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import { RowBatch } from '../../topology/history/rows/row-batch.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { ClickHouseSink } from '../../topology/sinks/clickhouse.ts'
import { SINK_LIMITS } from '../../topology/sinks/limits.ts'
import { refreshViews } from '../../topology/sinks/refresh-views.ts'
import { historyDaysOf } from '../../topology/sinks/retention/history-days.ts'
import { randomOf } from '../bench/synthetic-tape.ts'
import { age } from '../fixtures/aged-history.ts'
import { DEMO_START_MS, playDemo } from '../fixtures/demo-history.ts'
import { copyMigrated } from '../fixtures/migrated-history.ts'
import { frame, launch, trade } from '../integration/sink-figures-given.ts'
import { compareRecomputed } from '../tools/recomputed.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { key } from '../unit/processors/mint/market.ts'
import { type Correct, correctionsOf } from './aggregates-corrections.ts'
import { retried } from './requests.ts'

const DAY_S = 86_400
const HOURS_MAX = 60
/** Small batches, so that kills fall between them. */
const LIMITS = { ...SINK_LIMITS, batchRowsMax: 2_000, batchIntervalMs: 20, delays: { firstMs: 20, maxMs: 500 } }
const YESTERDAY_FRAMES = 40
/** Number of sinks that are stopped while they write; at the end of every other one the engine is killed too. */
const LIVES = 4
const LIFE_MS_MAX = 1_500
const CORRECTIONS_MAX = 30
const DIFFERENCES_SHOWN = 20

export interface AggregatesReport {
  readonly seed: number
  readonly rounds: number
  readonly kills: number
  readonly corrections: Readonly<Record<string, number>>
  /** Rows compared in the last round, by view. */
  readonly compared: Readonly<Record<string, number>>
  readonly differences: readonly string[]
  /** Differences found after a trade is deleted without the views' knowledge: proves that the comparison detects a lost row. */
  readonly noticed: number
  readonly seconds: number
}

export interface AggregatesPlan {
  readonly seed: number
  readonly historyMinutes: number
  readonly roundsMin: number
  /** Rounds go on for at least this long. */
  readonly seconds: number
}

export const runAggregates = async (plan: AggregatesPlan, print: (line: string) => void): Promise<AggregatesReport> => {
  const startedMs = performance.now()
  const { seed, historyMinutes, roundsMin, seconds } = plan
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-aggregates-'))
  await copyMigrated(dir, ['mintfold'], 'asked')
  const server = new ClickHouseServer({ dir, port: 0, database: 'mintfold' })
  await server.start()
  const client = createHistoryClient(server.target())
  try {
    const log = createMemoryLog({ partitions: 2 })
    await playDemo(log, { seed, rate: 1, historyMinutes, frameMinutes: 1, forksPerHour: 900 })
    print('the market is generated and folded')
    const world = new AggregatesWorld(server, client, log, seed)
    await world.fill()
    print(`the history is filled, ${world.kills} kills`)
    const differences: string[] = []
    let compared: Readonly<Record<string, number>> = {}
    let rounds = 0
    for (; rounds < roundsMin || performance.now() - startedMs < seconds * 1_000; rounds++) {
      await world.round(rounds)
      const found = await retried(() => compareRecomputed(client))
      compared = found.compared
      differences.push(...found.differences.slice(0, DIFFERENCES_SHOWN).map((line) => `round ${rounds}: ${line}`))
      print(`round ${rounds}: ${found.differences.length} differences`)
    }
    const noticed = await world.differencesOfLoss()
    const took = Math.round((performance.now() - startedMs) / 1_000)
    return { seed, rounds, kills: world.kills, corrections: world.corrections, compared, differences, noticed, seconds: took }
  } finally {
    await client.close()
    await server.stop()
    removeDirectory(dir)
  }
}

class AggregatesWorld {
  kills = 0
  readonly corrections: Record<string, number> = {}
  readonly #server: ClickHouseServer
  readonly #client: HistoryClient
  readonly #log: Log
  readonly #random: () => number
  #correct: Correct | null = null

  constructor(server: ClickHouseServer, client: HistoryClient, log: Log, seed: number) {
    this.#server = server
    this.#client = client
    this.#log = log
    this.#random = randomOf(seed)
  }
  /** Writes a day that can be dropped, then the log with sinks that are stopped in between, while the engine is killed. */
  async fill(): Promise<void> {
    await this.#insert((batch) => {
      for (let n = 0; n < YESTERDAY_FRAMES; n++) {
        const at = DEMO_START_MS / 1_000 - DAY_S + n * 30
        const [mint, wallet] = [key(200 + (n % 20)), key(100 + (n % 7))]
        const events = n < 20 ? [{ ...launch(0, mint), timestamp: at }] : []
        batch.tape(frame(n + 1, at, [...events, trade(1, mint, wallet, 7 + n, 7)]), true)
      }
    })
    for (let life = 0; life < LIVES; life++) {
      await this.#sink(async (sink) => {
        const lifeMs = 200 + this.#random() * LIFE_MS_MAX
        for (const endMs = performance.now() + lifeMs; performance.now() < endMs && !sink.isCaughtUp; ) await pause(20)
        if (life % 2 === 1) this.#kill()
      })
    }
    await this.#sink(async (sink) => {
      while (!sink.isCaughtUp) await pause(20)
    })
    this.#correct = await correctionsOf(this.#log, this.#random)
  }
  /** Starts a sink once and stops it when `during` has resolved. */
  async #sink(during: (sink: ClickHouseSink) => Promise<void>): Promise<void> {
    const sink = new ClickHouseSink({
      topology: LAUNCH_RISK,
      log: this.#log,
      client: this.#client,
      limits: LIMITS,
      notice: () => {},
    })
    await retried(() => sink.open())
    const running = sink.run()
    await during(sink)
    sink.stop()
    await running
  }
  async round(n: number): Promise<void> {
    await retried(() => this.#refresh())
    await retried(() => age(this.#client, 1 + Math.floor(this.#random() * HOURS_MAX)))
    const correct = this.#correct as Correct
    const times = 1 + Math.floor(this.#random() * CORRECTIONS_MAX)
    await this.#insert((batch) => {
      for (let i = 0; i < times; i++) {
        const what = correct(batch)
        this.corrections[what] = (this.corrections[what] ?? 0) + 1
      }
    })
    if (n === 1) await retried(() => this.#dropYesterday())
    if (this.#random() < 0.3) await this.#killWhileComputing()
    await retried(() => this.#refresh())
  }

  async differencesOfLoss(): Promise<number> {
    const { database, rows, command } = this.#client
    const [lost] = await rows<{ slot: number; tx: number }>(
      `SELECT slot, tx_index AS tx FROM ${database}.trades
       WHERE NOT is_agent AND tick_at >= (SELECT max(tick_at) - INTERVAL 3 MINUTE FROM ${database}.trades)
       ORDER BY slot LIMIT 1`,
    )
    await command(
      `ALTER TABLE ${database}.trades_log DELETE WHERE slot = ${lost?.slot} AND tx_index = ${lost?.tx} SETTINGS mutations_sync = 2`,
    )
    return (await compareRecomputed(this.#client)).differences.length
  }

  async #refresh(): Promise<void> {
    await refreshViews(this.#client)
  }
  async #killWhileComputing(): Promise<void> {
    const computing = this.#refresh().catch((failure: unknown) => {
      if (!(failure instanceof EngineError)) throw failure
    })
    await pause(this.#random() * 300)
    this.#kill()
    await computing
  }
  #kill(): void {
    const pid = this.#server.pid()
    if (pid === null) return
    process.kill(pid, 'SIGKILL')
    this.kills++
  }
  async #dropYesterday(): Promise<void> {
    const day = new Date(DEMO_START_MS - DAY_S * 1_000).toISOString().slice(0, 10).replaceAll('-', '')
    await historyDaysOf(this.#client).drop(day)
  }
  async #insert(fill: (batch: RowBatch) => void): Promise<void> {
    const batch = new RowBatch(MINT_TABLES)
    fill(batch)
    for (const { table, columns, body } of batch.take())
      await retried(() => this.#client.insert({ table, columns, format: 'RowBinary', body }))
  }
}
