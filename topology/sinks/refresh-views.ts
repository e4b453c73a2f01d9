// Figures that ClickHouse computes every minute, computed now: for the moment at which a history has first caught up.
import type { HistoryClient } from '../history/client.ts'
import { computeWallets } from '../history/wallets.ts'
import { pause } from '../waiting/waiting.ts'

/** Refreshable views that are computed in one go. */
export const REFRESHED = [
  ...['regime_minutes_refresh', 'base_rates', 'detector_days_refresh', 'cohort_days_refresh'],
  ...['odds_days_refresh', 'odds_calls_refresh'],
] as const

/** Resolves when they are there. @throws EngineError */
export const refreshViews = async (client: Pick<HistoryClient, 'database' | 'command' | 'rows'>): Promise<void> => {
  const { database, command } = client
  for (const view of REFRESHED) await command(`SYSTEM REFRESH VIEW ${database}.${view}`)
  for (const view of REFRESHED) await command(`SYSTEM WAIT VIEW ${database}.${view}`)
  await computeWallets(client)
}

export interface FilledOptions {
  readonly compute: () => Promise<void>
  /** Up to where the history is filled, unix seconds of stream time; null while nothing is there. */
  readonly upTo: () => number | null
  readonly stop: AbortSignal
  readonly lookMs?: number
}

/** Filled by more stream time than this from one look to the next, a history is still given a backlog, seconds. */
const PACE_S_MAX = 20
const LOOK_MS = 1_000
/** A backlog that takes longer is not waited for at once. */
const LOOKS_MAX = 600
const ROUNDS_MAX = 20
/** Figures that lack more stream time than this are computed again, seconds. */
const LACKING_S_MAX = 120

/**
 * Computes figures once no backlog moves the history, and again where one came meanwhile: what was summed up in its midst would be told for
 * minutes. Resolves when they are there, or at the stop. Rejects as `compute` does.
 */
export const refreshFilled = async ({ compute, upTo, stop, lookMs = LOOK_MS }: FilledOptions): Promise<void> => {
  for (let round = 0; round < ROUNDS_MAX && !stop.aborted; round++) {
    for (let looks = 0, before = -Infinity; looks < LOOKS_MAX && (upTo() ?? 0) - before > PACE_S_MAX; looks++) {
      before = upTo() ?? 0
      await pause(lookMs, stop)
    }
    if (stop.aborted) return
    const computedTo = upTo() ?? 0
    await compute()
    if ((upTo() ?? 0) - computedTo <= LACKING_S_MAX) return
  }
}
