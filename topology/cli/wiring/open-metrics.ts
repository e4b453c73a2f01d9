// Metrics of a role: the registry that its parts fill, and the page on loopback where they are read.
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
  /** Tells what `notice` tells, and counts it. */
  readonly notice: Notice
}

/**
 * Answers from now on; `closing` learns how it ends. Where nobody set the port and it is taken, another is taken and said, so that several
 * roles run on one machine. @throws EngineError `port_in_use` for a port that was set.
 */
export const openMetrics = async (role: string, settings: Settings, notice: Notice, closing: Closing, io: Io): Promise<OpenMetrics> => {
  const { metrics } = settings.http
  const registry = createRegistry(role, versionOf())
  const server = await serveMetrics(registry, metrics)
  closing.add('metrics', () => server.close())
  if (new URL(server.url).port !== String(metrics.port)) io.say(`metrics are on ${server.url}`)
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

/** Figures of what a process shows: the sources and views of its chains, and the history beside them. The first chain is the primary. */
export const showFigures = (registry: Registry, shown: readonly (ShownSource & ShownView)[], history: History): void => {
  sourceMetrics(registry, shown)
  viewMetrics(registry, shown)
  historyMetrics(registry, history, () => shown[0]?.view.status().folded?.time ?? null)
}
