// Finds where an export ends: the newest frame that is final and whose rows are all in the history.
import type { HistoryClient } from '../../history/client.ts'
import type { LogReader } from '../../ports/log.ts'
import { boundsOf, foldedSlot } from '../verify/bounds.ts'
import { HistoryRows } from '../verify/history-rows.ts'
import type { ExportedTopology } from './exported-topology.ts'
import { type Cut, historyTimes } from './history-times.ts'

export interface CutOptions {
  readonly topology: ExportedTopology
  readonly client: HistoryClient
  /** Null without a log. */
  readonly log: LogReader | null
  /** Offsets committed by the history's sink; null if they cannot be read. */
  readonly committed: ReadonlyMap<string, number> | null
}

/** Null if no frame is complete yet. @throws EngineError */
export const cutOf = async ({ topology, client, log, committed }: CutOptions): Promise<Cut | null> => {
  const { chain, sinks, operations } = topology
  const { reads } = operations.export
  const { tables } = sinks.clickhouse
  const times = historyTimes(client, tables)
  if (log !== null && committed !== null) {
    const since = await new HistoryRows(client, tables).since()
    const bounds = since && (await boundsOf(log, chain, reads, committed, since.time))
    if (bounds !== null) return times.newest(bounds.to, null)
  }
  // The sink reports it in seconds; the last second may get more frames.
  const before = await times.settledBefore()
  if (before === null) return null
  const last = await times.newest(Number.MAX_SAFE_INTEGER, before)
  if (last === null) return null
  const final = log === null ? last.number - chain.forkNumbersMax : await foldedSlot(log, reads.progress)
  return times.newest(Math.min(last.number, final), before)
}
