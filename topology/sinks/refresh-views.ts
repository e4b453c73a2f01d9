// Refreshes the views that ClickHouse refreshes every minute, at the moment a history has first caught up.
import type { HistoryClient } from '../history/client.ts'
import { computeWallets } from '../history/wallets.ts'
import { pause } from '../waiting/waiting.ts'

/** Refreshable views, refreshed together. */
export const REFRESHED = [
  ...['regime_minutes_refresh', 'base_rates', 'detector_days_refresh', 'cohort_days_refresh'],
  ...['odds_days_refresh', 'odds_calls_refresh'],
] as const

/** Resolves when all are refreshed. @throws EngineError */
export const refreshViews = async (client: Pick<HistoryClient, 'database' | 'command' | 'rows'>): Promise<void> => {
  const { database, command } = client
  for (const view of REFRESHED) await command(`SYSTEM REFRESH VIEW ${database}.${view}`)
  for (const view of REFRESHED) await command(`SYSTEM WAIT VIEW ${database}.${view}`)
  await computeWallets(client)
}

export interface FilledOptions {
  readonly compute: () => Promise<void>
  /** Progress of the history, unix seconds of stream time; null while it is empty. */
  readonly upTo: () => number | null
  readonly stop: AbortSignal
  readonly checkMs?: number
}

/** If the history advances by more stream time than this between two checks, a backlog is being written, seconds. */
const PACE_S_MAX = 20
const CHECK_MS = 1_000
/** Limit of checks: a longer backlog is not waited for. */
const LOOKS_MAX = 600
const ROUNDS_MAX = 20
/** Figures that lag by more stream time than this are refreshed again, seconds. */
const LACKING_S_MAX = 120

/**
 * Refreshes figures once no backlog is being written, and again if one arrived meanwhile: figures of a half-written backlog would be served
 * for minutes. Resolves when they are refreshed, or at the stop. Rejects as `compute` does.
 */
export const refreshFilled = async ({ compute, upTo, stop, checkMs = CHECK_MS }: FilledOptions): Promise<void> => {
  for (let round = 0; round < ROUNDS_MAX && !stop.aborted; round++) {
    for (let looks = 0, before = -Infinity; looks < LOOKS_MAX && (upTo() ?? 0) - before > PACE_S_MAX; looks++) {
      before = upTo() ?? 0
      await pause(checkMs, stop)
    }
    if (stop.aborted) return
    const computedTo = upTo() ?? 0
    await compute()
    if ((upTo() ?? 0) - computedTo <= LACKING_S_MAX) return
  }
}
