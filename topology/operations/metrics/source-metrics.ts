// Metrics of the source of frames and of the history. `mintfold capture` has no history, and only the metrics of its sources.
import type { Registry } from 'prom-client'
import type { StreamClock } from '../../ports/chain-view.ts'
import type { History } from '../../ports/history.ts'
import { chainGaugesOf, gaugesOf, type OfChain } from './gauges.ts'

const S = 1_000

interface SourceFigures extends StreamClock {
  tip(): { readonly number: number; readonly time: number } | null
  /** Number of frames on the log; absent if another process writes them. */
  readonly frames?: number
}

export interface ShownSource extends OfChain {
  readonly source: SourceFigures
}

/** Registers the metrics of the sources. */
export const sourceMetrics = (registry: Registry, all: readonly ShownSource[]): void => {
  const gauge = chainGaugesOf(registry, all)
  gauge('mintfold_source_slot', 'Newest slot or block of the source.', ({ source }) => source.tip()?.number ?? null)
  gauge('mintfold_source_lag_seconds', 'Clock of the source minus the time of its newest slot.', ({ source }) => {
    const tip = source.tip()
    const nowMs = source.now()
    return tip === null || nowMs === null ? null : Math.max(0, nowMs / S - tip.time)
  })
  gauge('mintfold_source_frames', 'Frames of the source that are on the log.', ({ source }) => source.frames ?? null)
}

/** Registers the metrics of the history; `newestS` is the time of the newest slot that the history could have, unix seconds. */
export const historyMetrics = (registry: Registry, history: History, newestS: () => number | null): void => {
  const gauge = gaugesOf(registry)
  gauge(
    'mintfold_history_ok',
    '0 if the history store is down or cannot be used, else 1; a store that is only busy (`history_busy` in /health) counts as 1.',
    () => {
      const { trouble, store } = history.status()
      return Number(trouble === null && store !== 'down')
    },
  )
  gauge('mintfold_history_rows', 'Rows that the sink of this process has written.', () => history.status().rows)
  gauge('mintfold_history_behind_seconds', 'Stream time that is not in the history yet; no value if this process does not fill it.', () => {
    const { upTo } = history.status()
    const newest = newestS()
    return upTo === null || newest === null ? null : Math.max(0, newest - upTo)
  })
}
