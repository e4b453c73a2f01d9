// Metrics of a role: the registry, and the loopback page that exposes it.
import type { Registry } from 'prom-client'
import { createRegistry, noticeCounter, serveMetrics } from '../../operations/metrics/server.ts'
import { historyMetrics, type ShownSource, sourceMetrics } from '../../operations/metrics/source-metrics.ts'
import { type ShownView, viewMetrics } from '../../operations/metrics/view-metrics.ts'
import type { History } from '../../ports/history.ts'
import type { Notice } from '../../ports/notice.ts'
import type { Topology } from '../../topology.ts'
import type { Io } from '../command.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'
import { versionOf } from '../version.ts'

export interface OpenMetrics {
  readonly registry: Registry
  /** Forwards notices and counts them. */
  readonly notice: Notice
}

/**
 * Serves from now on; registers its end with `closing`. If the default port is taken, another one is picked and printed, so that several
 * roles can run on one machine. @throws EngineError `port_in_use` for a port that was set.
 */
export const openMetrics = async (role: string, settings: Settings, notice: Notice, closing: Closing, io: Io): Promise<OpenMetrics> => {
  const { metrics } = settings.http
  const registry = createRegistry(role, versionOf())
  const server = await serveMetrics(registry, metrics)
  closing.add('metrics', () => server.close())
  if (new URL(server.url).port !== String(metrics.port)) io.printNotice(`metrics are on ${server.url}`)
  const count = noticeCounter(registry)
  return {
    registry,
    notice: (code, facts) => {
      count(code)
      notice(code, facts)
    },
  }
}

export const shownOf = (
  { chain }: Pick<Topology, 'chain'>,
  view: ShownView['view'],
  source: ShownSource['source'],
  clock: ShownView['clock'] = source,
): ShownSource & ShownView => ({ chain: chain.name, view, source, clock })

/** Metrics of sources, views and the history. The first chain is the primary one. */
export const showFigures = (registry: Registry, shown: readonly (ShownSource & ShownView)[], history: History): void => {
  sourceMetrics(registry, shown)
  viewMetrics(registry, shown)
  historyMetrics(registry, history, () => shown[0]?.view.status().folded?.time ?? null)
}
