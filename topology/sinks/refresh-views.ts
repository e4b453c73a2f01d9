// Figures that ClickHouse computes every minute, computed now: for the moment at which a history has first caught up.
import type { HistoryClient } from '../history/client.ts'

/** Refreshable views of deploy/clickhouse/003-aggregates.sql. */
const REFRESHED = ['regime_minutes_refresh', 'base_rates', 'detector_scorecard'] as const

/** Resolves when they are there. @throws EngineError */
export const refreshViews = async ({ database, command }: Pick<HistoryClient, 'database' | 'command'>): Promise<void> => {
  for (const view of REFRESHED) await command(`SYSTEM REFRESH VIEW ${database}.${view}`)
  for (const view of REFRESHED) await command(`SYSTEM WAIT VIEW ${database}.${view}`)
}
