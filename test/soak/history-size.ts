// Fills an embedded engine with days of today's load, and measures the cost of each query, figure and refresh.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mustKey } from '../../schemas/keys.ts'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { READER } from '../../topology/history/engine/access.ts'
import { ClickHouseServer } from '../../topology/history/engine/clickhouse-server.ts'
import { readBaseRates, readRegime } from '../../topology/history/figures.ts'
import { QUERY_S_MAX, ROWS_MAX } from '../../topology/history/read-only.ts'
import { readSettled } from '../../topology/history/settlements.ts'
import { migrate } from '../../topology/history/tables/migrate.ts'
import { refreshView } from '../../topology/history/tables/refresh-view.ts'
import type { HistoryTarget } from '../../topology/history/target.ts'
import { readWallet } from '../../topology/history/wallets.ts'
import { copyMigrated } from '../fixtures/migrated-history.ts'
import { headersOf } from '../integration/sql-port/given.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { guideQuestions } from '../tools/sql-guide/guide.ts'
import { closingOf, dayOf } from './history-load.ts'
import { retried } from './requests.ts'

interface Question {
  readonly kind: 'view' | 'lookup' | 'guide'
  readonly name: string
  readonly sql: string
  readonly secondsMax: number
}

const LOOKUP_S_MAX = 2
const GUIDE_S_MAX = 10
/** Views over tables partitioned by day, and the column of their time windows. */
const BY_DAY: Readonly<Record<string, string>> = {
  trades: 'tick_at',
  pool_trades: 'tick_at',
  pool_liquidity: 'tick_at',
  mayhem_reserves: 'tick_at',
  transfers: 'tick_at',
  funding: 'tick_at',
  frames: 'tick_at',
  gaps: 'tick_at',
  wallet_roles: 'at',
  launch_minutes: 'minute',
  launches: 'tick_at',
  outcomes: 'at',
  flags: 'at',
}

/** @param sample an existing mint, wallet, signature, slot, event id and creator */
const questionsOf = (endS: number, sample: Readonly<Record<string, string>>): readonly Question[] => [
  ...Object.entries(BY_DAY).map(([view, column]) => ({
    kind: 'view' as const,
    name: `${view}, last 10 minutes`,
    sql: `SELECT count() FROM mintfold.${view} WHERE ${column} >= toDateTime('${endS - 600}', 'UTC')`,
    secondsMax: LOOKUP_S_MAX,
  })),
  ...Object.entries({
    'trades by mint': `SELECT count() FROM mintfold.trades WHERE mint = '${sample.mint}'`,
    'trades by wallet': `SELECT count() FROM mintfold.trades WHERE user = '${sample.wallet}'`,
    'trades by signature': `SELECT count() FROM mintfold.trades WHERE signature = '${sample.signature}'`,
    'trades by slot': `SELECT count() FROM mintfold.trades WHERE slot = ${sample.slot}`,
    'trades by event id': `SELECT count() FROM mintfold.trades WHERE event_id = '${sample.event}'`,
    'pool trades by wallet': `SELECT count() FROM mintfold.pool_trades WHERE user = '${sample.poolWallet}'`,
    'launches of a creator': `SELECT count() FROM mintfold.launches WHERE creator = '${sample.creator}'`,
    'creator_stats of one': `SELECT * FROM mintfold.creator_stats WHERE creator = '${sample.creator}'`,
    'funding by funder': `SELECT count() FROM mintfold.funding WHERE funder = '${sample.funder}'`,
    'wallet_positions of one': `SELECT count() FROM mintfold.wallet_positions WHERE wallet = '${sample.wallet}'`,
    'wallet_results of one': `SELECT * FROM mintfold.wallet_results WHERE wallet = '${sample.wallet}'`,
    'launch_minutes of one': `SELECT count() FROM mintfold.launch_minutes WHERE mint = '${sample.mint}'`,
    coverage: 'SELECT count() FROM mintfold.coverage',
    detector_scorecard: 'SELECT count() FROM mintfold.detector_scorecard',
    'volume by hour of a day': `SELECT toStartOfHour(tick_at) AS hour, sum(quote_units) FROM mintfold.trades WHERE tick_at >= toDateTime('${endS - 86_400}', 'UTC') GROUP BY hour`,
  }).map(([name, sql]) => ({ kind: 'lookup' as const, name, sql, secondsMax: LOOKUP_S_MAX })),
  ...guideQuestions().map(({ title, query }) => ({ kind: 'guide' as const, name: title, sql: query, secondsMax: GUIDE_S_MAX })),
]

const STATEMENT_MS_MAX = 600_000
const API_S_MAX = 1
/** All REFRESHES together, seconds a minute. */
const REFRESH_S_MAX = 2
/** Rows of one insert: twice as many need more than a query's 192 MiB. */
const CHUNK = 50_000
const MERGE_POLL_MS = 1_000
/** Measured refreshes and their intervals, minutes. */
const REFRESHES: Readonly<Record<string, number>> = {
  base_rates: 1,
  regime_minutes_refresh: 1,
  wallet_spans_refresh: 1,
  detector_days_refresh: 5,
  wallet_results_refresh: 2,
  wallet_leaderboard: 2,
}

interface Cost {
  readonly name: string
  readonly seconds: number
  readonly rowsRead: number | null
  readonly failure?: string
}
export interface HistorySizeReport {
  readonly days: number
  readonly trades: number
  readonly bytesATrade: number
  readonly costs: readonly Cost[]
  readonly refreshSecondsAMinute: number
  readonly faults: readonly string[]
}

export const isSizedWell = ({ faults }: HistorySizeReport): boolean => faults.length === 0

/** @param oneOf thins out the load: 100 loads one row in 100 */
export const runHistorySize = async (days: number, oneOf: number, print: (line: string) => void): Promise<HistorySizeReport> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-size-'))
  await copyMigrated(dir, ['mintfold'], 'asked')
  const server = new ClickHouseServer({ dir, port: 0, database: 'mintfold' })
  await server.start()
  const client = createHistoryClient(server.target(), STATEMENT_MS_MAX)
  try {
    await migrate(client)
    await client.command('SYSTEM STOP VIEWS')
    const endS = Math.floor(Date.now() / 86_400_000) * 86_400
    for (let day = 0; day < days; day++) {
      for (const sql of dayOf(day, { endS, chunk: CHUNK, oneOf })) await retried(() => client.command(sql))
      print(`day ${day + 1} of ${days}`)
    }
    for (const sql of closingOf({ endS })) await retried(() => client.command(sql))
    await closeDays(client)
    print('the days are merged')
    return await measured(client, server.target(READER), days, endS, print)
  } finally {
    await client.close()
    await server.stop()
    removeDirectory(dir)
  }
}

/** Merges each day into one part, which the engine otherwise does an hour later. */
const closeDays = async (client: HistoryClient): Promise<void> => {
  const tables = await client.rows<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = 'mintfold' AND engine LIKE '%MergeTree' AND partition_key != ''",
  )
  for (const { name } of tables) await client.command(`ALTER TABLE mintfold.${name} MODIFY SETTING min_age_to_force_merge_seconds = 1`)
  const names = tables.map(({ name }) => `'${name}'`).join()
  for (;;) {
    const [left] = await client.rows<{ n: number }>(
      `SELECT count() - uniqExact(table, partition) AS n FROM system.parts WHERE active AND database = 'mintfold' AND table IN (${names})`,
    )
    if (Number(left?.n) === 0) return
    await new Promise((resolve) => setTimeout(resolve, MERGE_POLL_MS))
  }
}

const measured = async (
  client: HistoryClient,
  reader: HistoryTarget,
  days: number,
  endS: number,
  print: (line: string) => void,
): Promise<HistorySizeReport> => {
  const sample = await sampleOf(client, endS)
  const [costs, faults]: [Cost[], string[]] = [[], []]
  const note = (cost: Cost, secondsMax: number): void => {
    costs.push(cost)
    print(`${cost.name}: ${cost.seconds} s, ${cost.rowsRead ?? '-'} rows ${cost.failure ?? ''}`)
    if (cost.failure !== undefined || cost.seconds > secondsMax) faults.push(`${cost.name}: ${cost.failure ?? `${cost.seconds} s`}`)
  }
  for (const question of questionsOf(endS, sample)) note(await asked(reader, question), question.secondsMax)
  for (const [name, work] of Object.entries(figuresOf(client, sample))) note(await timed(name, work), API_S_MAX)
  let refreshSecondsAMinute = 0
  for (const [view, minutes] of Object.entries(REFRESHES)) {
    const cost = await refreshed(client, view)
    note(cost, Number.POSITIVE_INFINITY)
    refreshSecondsAMinute += cost.seconds / minutes
  }
  if (refreshSecondsAMinute > REFRESH_S_MAX) faults.push(`refreshes: ${refreshSecondsAMinute} s a minute`)
  const [stored] = await client.rows<{ trades: number; bytes: number }>(
    "SELECT sum(rows) AS trades, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table = 'trades_log'",
  )
  const { trades = 0, bytes = 0 } = stored ?? {}
  return { days, trades, bytesATrade: bytes / trades, costs, refreshSecondsAMinute, faults }
}

const sampleOf = async (client: HistoryClient, endS: number): Promise<Readonly<Record<string, string>>> => {
  const within = `tick_at >= toDateTime('${endS - 7_200}', 'UTC') AND tick_at < toDateTime('${endS - 7_100}', 'UTC')`
  const [trade] = await client.rows<Record<string, string>>(
    `SELECT mint, user AS wallet, signature, toString(slot) AS slot, creator, event_id AS event FROM mintfold.trades WHERE ${within} ORDER BY slot, tx_index LIMIT 1`,
  )
  const [pool] = await client.rows<Record<string, string>>(`SELECT user AS poolWallet FROM mintfold.pool_trades WHERE ${within} LIMIT 1`)
  const [paid] = await client.rows<Record<string, string>>(`SELECT funder FROM mintfold.funding WHERE ${within} LIMIT 1`)
  return { ...trade, ...pool, ...paid }
}

/** Runs a query with the limits of `mintfold sql` on time, memory and rows. */
const asked = async (reader: HistoryTarget, { name, sql }: Question): Promise<Cost> => {
  const limits = { max_execution_time: QUERY_S_MAX, max_memory_usage: 192 * 1024 * 1024, limit: ROWS_MAX, wait_end_of_query: 1 }
  const query = new URLSearchParams(Object.entries(limits).map(([key, value]): [string, string] => [key, String(value)]))
  const startedMs = performance.now()
  const response = await fetch(`${reader.url}/?${query}`, { method: 'POST', body: sql, headers: headersOf(reader) })
  const text = await response.text()
  const seconds = secondsSince(startedMs)
  const summary = JSON.parse(response.headers.get('x-clickhouse-summary') ?? '{}') as { readonly read_rows?: string }
  return { name, seconds, rowsRead: Number(summary.read_rows ?? 0), ...(!response.ok && { failure: text.slice(0, 200) }) }
}

const figuresOf = (client: HistoryClient, sample: Readonly<Record<string, string>>): Readonly<Record<string, () => Promise<unknown>>> => ({
  'API: base rates': () => readBaseRates(client),
  'API: regime': () => readRegime(client),
  'API: wallet': () => readWallet(client, mustKey(sample.wallet ?? ''), null),
  'API: settled launch': () => readSettled(client, mustKey(sample.mint ?? '')),
})

const timed = async (name: string, work: () => Promise<unknown>): Promise<Cost> => {
  const startedMs = performance.now()
  await work()
  return { name, seconds: secondsSince(startedMs), rowsRead: null }
}

/** Refreshes until a view has processed the whole history: these process it in parts. */
const FIRST_ROUNDS: Readonly<Record<string, number>> = { detector_days_refresh: 5, wallet_results_refresh: 17 }

/** Measures the first refresh after the view has processed the whole history. */
const refreshed = async (client: HistoryClient, view: string): Promise<Cost> => {
  await client.command(`SYSTEM START VIEW mintfold.${view}`)
  for (let round = FIRST_ROUNDS[view] ?? 1; round > 0; round--) await refreshView(client, view)
  const startedMs = performance.now()
  await refreshView(client, view)
  const seconds = secondsSince(startedMs)
  const [state] = await client.rows<{ read: number }>(`SELECT read_rows AS read FROM system.view_refreshes WHERE view = '${view}'`)
  await client.command(`SYSTEM STOP VIEW mintfold.${view}`)
  return { name: `refresh: ${view}`, seconds, rowsRead: Number(state?.read ?? 0) }
}

const secondsSince = (startedMs: number): number => Math.round(performance.now() - startedMs) / 1_000
