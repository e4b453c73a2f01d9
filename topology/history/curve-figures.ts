// The query behind the market of curves: trades of the last minute and hour (views: deploy/clickhouse).
import type { CachedResult, CurveMarket, CurveTrades } from '../ports/history.ts'
import type { HistoryClient } from './client.ts'

const [MINUTE_S, HOUR_S] = [60, 3_600]
const NOTHING_YET = 'the history has no block of the chain yet'

interface WindowRow {
  readonly window_s: number
  readonly end_s: number
  readonly since_s: number
  readonly buys: number
  readonly sells: number
  readonly buyers: number
}

/** Up to the newest complete block. @throws EngineError */
export const readCurveMarket = async ({
  database: db,
  rows,
}: Pick<HistoryClient, 'database' | 'rows'>): Promise<CachedResult<CurveMarket>> => {
  // Trades are ordered by token: a condition on the block, not on the time, prunes the parts to read.
  const windows = await rows<WindowRow>(
    `WITH
       (SELECT max(up_to) FROM ${db}.alt_progress WHERE is_filling) AS up_to,
       (SELECT min(block) FROM ${db}.alt_ticks_log WHERE tick_at > up_to - ${HOUR_S}) AS first
     SELECT window_s, any(toUnixTimestamp(up_to)) AS end_s,
       any((SELECT toUnixTimestamp(argMax(since, began_at)) FROM ${db}.alt_logs_log)) AS since_s,
       countIf(tick_at > up_to - window_s AND is_buy) AS buys, countIf(tick_at > up_to - window_s AND NOT is_buy) AS sells,
       uniqExactIf(wallet, tick_at > up_to - window_s AND is_buy AND wallet IS NOT NULL) AS buyers
     FROM (
       SELECT tick_at, is_buy, wallet FROM ${db}.alt_trades WHERE block >= first AND tick_at <= up_to
       UNION ALL SELECT toDateTime64(0, 3, 'UTC'), false, NULL
     ) AS trade ARRAY JOIN [${MINUTE_S}, ${HOUR_S}] AS window_s
     GROUP BY window_s`,
  )
  const of = (windowS: number): WindowRow | undefined => windows.find(({ window_s }) => window_s === windowS)
  const [minute, hour] = [of(MINUTE_S), of(HOUR_S)]
  if (minute === undefined || hour === undefined || hour.end_s === 0) return { ok: false, reason: NOTHING_YET }
  return { ok: true, value: { minute: toTrades(minute), hour: toTrades(hour) }, asOf: hour.end_s }
}

const toTrades = ({ window_s, end_s, since_s, buys, sells, buyers }: WindowRow): CurveTrades => ({
  observedS: Math.max(0, Math.min(window_s, end_s - since_s)),
  ...{ buys, sells, uniqueBuyers: buyers },
})
