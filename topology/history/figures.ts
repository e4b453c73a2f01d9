// The queries behind the History port: base rates, and the regime of the last minute, hour and day (views: deploy/clickhouse).
import { amountOf } from '../../schemas/amount.ts'
import type { BaseRates, CachedResult, Regime, RegimeWindow } from '../ports/history.ts'
import type { HistoryClient } from './client.ts'
import { refreshView } from './tables/refresh-view.ts'

const MINUTE_S = 60
const NOTHING_YET = 'the history has no resolved launch yet'
const NO_MINUTE = 'the history has no whole minute yet'

interface RatesRow {
  readonly window_days: number
  readonly launches: number
  readonly grad_rate: number | null
  readonly rug_rate: number | null
  readonly dev_sold_rate: number | null
  readonly reached_5_sol_rate: number | null
  readonly as_of_s: number
}

/** Base rates of the resolved launches of the last days. @throws EngineError */
export const readBaseRates = async (client: HistoryClient): Promise<CachedResult<BaseRates>> => {
  const [row] = await client.rows<RatesRow>(
    `SELECT window_days, launches, grad_rate, rug_rate, dev_sold_rate, reached_5_sol_rate, toUnixTimestamp(as_of) AS as_of_s
     FROM ${client.database}.base_rates LIMIT 1`,
  )
  if (row === undefined) return { ok: false, reason: NOTHING_YET }
  const value = {
    windowDays: row.window_days,
    launches: row.launches,
    gradRate: row.grad_rate,
    rugRate: row.rug_rate,
    devSoldRate: row.dev_sold_rate,
    reached5SolRate: row.reached_5_sol_rate,
  }
  return { ok: true, value, asOf: row.as_of_s }
}

interface RegimeRow {
  readonly window_s: number
  readonly as_of_s: number
  readonly observed_s: number
  readonly launches: number
  readonly mayhem: number
  readonly buys: number
  readonly sells: number
  /** Digits. */
  readonly bought: string
  readonly sold: string
  readonly failed: number
  readonly total: number
  readonly migrations: number
  readonly true_graduations: number
  readonly rug_flags: Readonly<Record<string, number>>
}

/** The regime of the minute, the hour and the day that end with the newest complete minute. @throws EngineError */
export const readRegime = async (client: HistoryClient): Promise<CachedResult<Regime>> => {
  // An earlier log that wrote this history may have been ahead of the current one.
  const minutes = `(SELECT * FROM ${client.database}.regime_minutes WHERE is_complete
    AND toDateTime64(minute + INTERVAL 1 MINUTE, 3, 'UTC') <= (SELECT max(up_to) FROM ${client.database}.progress WHERE is_filling)) AS whole`
  const rows = await client.rows<RegimeRow>(
    `WITH (SELECT toUnixTimestamp(max(minute)) + ${MINUTE_S} FROM ${minutes}) AS end_s
     SELECT window_s, any(end_s) AS as_of_s, countIf(frames > 0) * ${MINUTE_S} AS observed_s,
       sum(launches) AS launches, sum(mayhem) AS mayhem, sum(buys) AS buys, sum(sells) AS sells,
       toString(sum(buy_lamports)) AS bought, toString(sum(sell_lamports)) AS sold, sum(failed) AS failed, sum(total) AS total,
       sum(migrations) AS migrations, sum(true_graduations) AS true_graduations, sumMap(rug_flags) AS rug_flags
     FROM ${minutes} ARRAY JOIN [60, 3600, 86400] AS window_s
     WHERE toInt64(toUnixTimestamp(minute)) >= toInt64(end_s) - window_s
     GROUP BY window_s`,
  )
  const windowOf = (windowS: RegimeWindow['windowS']): RegimeWindow | undefined => {
    const row = rows.find(({ window_s }) => window_s === windowS)
    return row && toWindow(row, windowS)
  }
  const [minute, hour, day] = [windowOf(60), windowOf(3_600), windowOf(86_400)]
  if (minute === undefined || hour === undefined || day === undefined) return { ok: false, reason: NO_MINUTE }
  return { ok: true, value: { minute, hour, day }, asOf: rows[0]?.as_of_s ?? 0 }
}

const toWindow = (row: RegimeRow, windowS: RegimeWindow['windowS']): RegimeWindow => ({
  windowS,
  launches: row.launches,
  observedS: row.observed_s,
  mayhemShare: row.launches === 0 ? null : row.mayhem / row.launches,
  buys: row.buys,
  sells: row.sells,
  buyLamports: amountOf(BigInt(row.bought)),
  sellLamports: amountOf(BigInt(row.sold)),
  failedShare: row.total === 0 ? null : row.failed / row.total,
  migrations: row.migrations,
  trueGraduations: row.true_graduations,
  rugFlags: row.rug_flags,
})

/** Views that ClickHouse refreshes each minute. */
const COMPUTED = ['regime_minutes_refresh', 'base_rates']

/** Refreshes these views now. @throws EngineError, also if the user may not refresh views */
export const computeFigures = async (client: HistoryClient): Promise<void> => {
  for (const view of COMPUTED) await refreshView(client, view)
}
