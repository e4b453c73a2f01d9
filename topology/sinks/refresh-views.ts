// Figures that ClickHouse computes every minute, computed now: for the moment at which a history has first caught up.
import type { HistoryClient } from '../history/client.ts'
import { computeWallets } from '../history/wallets.ts'

/** Refreshable views that are computed in one go. */
const REFRESHED = ['regime_minutes_refresh', 'base_rates', 'detector_days_refresh'] as const

/** Resolves when they are there. @throws EngineError */
export const refreshViews = async (client: Pick<HistoryClient, 'database' | 'command' | 'rows'>): Promise<void> => {
  const { database, command } = client
  for (const view of REFRESHED) await command(`SYSTEM REFRESH VIEW ${database}.${view}`)
  for (const view of REFRESHED) await command(`SYSTEM WAIT VIEW ${database}.${view}`)
  await computeWallets(client)
}
