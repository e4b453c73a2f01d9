// Metrics of the view, read at each scrape.
import { Gauge, type Registry } from 'prom-client'
import type { StreamClock } from '../../ports/chain-view.ts'
import type { MintView } from '../../ports/mint-view.ts'
import { type ChainGaugeOf, chainGaugesOf, type OfChain } from './gauges.ts'

const MS_PER_S = 1_000

export interface ShownView extends OfChain {
  readonly view: Pick<MintView, 'status' | 'lags' | 'detection'>
  /** The clock of the cards. */
  readonly clock: StreamClock
}
type GaugeOf = ChainGaugeOf<ShownView>

export const viewMetrics = (registry: Registry, all: readonly ShownView[]): void => {
  const gauge = chainGaugesOf(registry, all)
  gauge(
    'mintfold_ready',
    '1 if the stores are complete, the log can be read and the node does not leave out events, else 0.',
    ({ view }) => {
      const { ready, trouble, unseen } = view.status()
      return Number(ready && !trouble && unseen?.isBlind !== true)
    },
  )
  gauge('mintfold_view_away_seconds', 'How long the log has been unreadable; zero when it can be read.', ({ view }) => {
    const { trouble } = view.status()
    return trouble ? Math.max(0, (Date.now() - trouble.sinceMs) / MS_PER_S) : 0
  })
  gauge('mintfold_feed_lag_seconds', 'Clock of the cards minus the time of the newest folded slot.', ({ view, clock }) => {
    const { folded } = view.status()
    const nowMs = clock.now()
    return folded === null || nowMs === null ? null : Math.max(0, nowMs / MS_PER_S - folded.time)
  })
  gauge('mintfold_slots_behind', 'Slots that the source has delivered and the folds have not processed.', ({ view }) => {
    const { folded, tip } = view.status()
    return folded === null || tip === null ? null : Math.max(0, tip.number - folded.number)
  })
  gauge('mintfold_mints_tracked', 'Mints or curves with rows.', ({ view }) => view.status().tracked)
  counters(gauge)
  newLayouts(registry, all)
  viewLag(registry, all, gauge)
  detection(registry, all)
}

const counters = (gauge: GaugeOf): void => {
  const helps = {
    frames: 'Slots folded since the stores were created.',
    events: 'Events folded.',
    flags: 'Flags that fired.',
    dead_letters: 'Records that could not be decoded.',
    missing_events: 'Calls of the launchpad whose event is not in the record of the node.',
    gaps: 'Ranges of slots that were never delivered.',
    forks: 'Reorgs of the chain.',
  } as const
  for (const counter of Object.keys(helps) as (keyof typeof helps)[])
    gauge(`mintfold_stream_${counter}`, helps[counter], ({ view }) => view.status().counters[counter])
}

const newLayouts = (registry: Registry, all: readonly ShownView[]): void => {
  new Gauge({
    name: 'mintfold_new_layout_first_slot',
    help: 'First slot with an event that has unknown bytes behind its newest known layout.',
    labelNames: ['chain', 'event', 'unknown_bytes'],
    registers: [registry],
    collect() {
      for (const { chain, view } of all)
        for (const [event, bytes, first] of view.status().newLayouts ?? []) this.set({ chain, event, unknown_bytes: bytes }, first)
    },
  })
}

const viewLag = (registry: Registry, all: readonly ShownView[], gauge: GaugeOf): void => {
  new Gauge({
    name: 'mintfold_view_records_behind',
    help: 'Records of each consumed topic that the view does not show yet.',
    labelNames: ['topic'],
    registers: [registry],
    collect() {
      for (const { view } of all) for (const { view: topic, recordsBehind } of view.lags().views) this.set({ topic }, recordsBehind)
    },
  })
  gauge('mintfold_view_behind_seconds', 'Stream time by which the view is behind the folds.', ({ view }) => {
    const { streamMsBehind } = view.lags()
    return streamMsBehind === null ? null : streamMsBehind / MS_PER_S
  })
}

const detection = (registry: Registry, all: readonly ShownView[]): void => {
  new Gauge({
    name: 'mintfold_detection_seconds',
    help: 'Time from the arrival of a frame until it can be queried, over the newest frames.',
    labelNames: ['chain', 'quantile'],
    registers: [registry],
    collect() {
      for (const { chain, view } of all) {
        const { fromArrival } = view.detection()
        if (!fromArrival.ok) continue
        this.set({ chain, quantile: '0.5' }, fromArrival.p50Ms / MS_PER_S)
        this.set({ chain, quantile: '0.99' }, fromArrival.p99Ms / MS_PER_S)
      }
    },
  })
}
