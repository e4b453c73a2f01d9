// Figures of what is shown, read from the view when somebody asks for them.
import { Gauge, type Registry } from 'prom-client'
import type { Clock, MintView } from '../../ports/mint-view.ts'
import { gaugesOf } from './gauges.ts'

const S = 1_000

/** Registers them; `clock` is the time of the cards. */
export const viewMetrics = (registry: Registry, view: MintView, clock: Clock): void => {
  const gauge = gaugesOf(registry)
  gauge('mintfold_ready', 'One where stores are whole and the log is read.', () => {
    const { ready, trouble } = view.status()
    return Number(ready && !trouble)
  })
  gauge('mintfold_view_away_seconds', 'How long the log could not be read; zero when it is.', () => {
    const { trouble } = view.status()
    return trouble ? Math.max(0, (Date.now() - trouble.sinceMs) / S) : 0
  })
  gauge('mintfold_feed_lag_seconds', 'Clock of the cards less the time of the newest folded slot.', () => {
    const { folded } = view.status()
    return folded === null ? null : Math.max(0, clock.now() / S - folded.time)
  })
  gauge('mintfold_slots_behind', 'Slots that the source has and the folds have not.', () => {
    const { folded, tip } = view.status()
    return folded === null || tip === null ? null : Math.max(0, tip.number - folded.number)
  })
  gauge('mintfold_mints_tracked', 'Mints with rows.', () => view.status().mintsTracked)
  counters(registry, view)
  viewLag(registry, view)
  detection(registry, view)
}

const counters = (registry: Registry, view: MintView): void => {
  const name = (counter: string): string => `mintfold_stream_${counter}`
  const helps = {
    frames: 'Slots folded since the stores began.',
    events: 'Events folded.',
    flags: 'Flags that fired.',
    dead_letters: 'Records that could not be understood.',
    gaps: 'Ranges of slots that were never delivered.',
    forks: 'Times that the chain took slots back.',
  } as const
  const gauge = gaugesOf(registry)
  for (const counter of Object.keys(helps) as (keyof typeof helps)[])
    gauge(name(counter), helps[counter], () => view.status().counters[counter])
}

const viewLag = (registry: Registry, view: MintView): void => {
  new Gauge({
    name: 'mintfold_view_records_behind',
    help: 'Records of each followed topic that are not shown yet.',
    labelNames: ['topic'],
    registers: [registry],
    collect() {
      for (const { view: topic, recordsBehind } of view.lags().views) this.set({ topic }, recordsBehind)
    },
  })
  gaugesOf(registry)('mintfold_view_behind_seconds', 'Stream time between what is folded and what is shown.', () => {
    const { streamMsBehind } = view.lags()
    return streamMsBehind === null ? null : streamMsBehind / S
  })
}

const detection = (registry: Registry, view: MintView): void => {
  new Gauge({
    name: 'mintfold_detection_seconds',
    help: 'From a frame being here until it can be queried, over the newest frames.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      const { fromArrival } = view.detection()
      if (!fromArrival.ok) return
      this.set({ quantile: '0.5' }, fromArrival.p50Ms / S)
      this.set({ quantile: '0.99' }, fromArrival.p99Ms / S)
    },
  })
}
