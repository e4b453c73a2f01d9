// Compares a log's history with its cards at the end of the log.
import { mustKey } from '../../../schemas/keys.ts'
import type { HistoryClient } from '../../../topology/history/client.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { ClickHouseSink, type SinkOptions } from '../../../topology/sinks/clickhouse.ts'
import { SINK_LIMITS } from '../../../topology/sinks/limits.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'
import { type Compared, compareTwoWays } from './compare.ts'
import { EVENTS } from './demand.ts'

/** Writes a whole folded log into an empty history. */
export const fillHistory = async (log: Log, client: HistoryClient, topology: SinkOptions['topology'] = LAUNCH_RISK): Promise<void> => {
  const sink = new ClickHouseSink({
    topology,
    log,
    client,
    limits: { ...SINK_LIMITS, batchIntervalMs: 5 },
    notice: () => {},
  })
  await sink.open()
  const running = sink.run()
  await sink.caughtUp()
  sink.stop()
  await running
}

/** Compares every mint with an event in the history. */
export const compareAtEnd = async (log: Log, client: HistoryClient, isSparse = false): Promise<Compared> => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const { folded, gap } = view.status()
  const tables = EVENTS.map((table) => `SELECT mint FROM ${client.database}.${table}`)
  const known = await client.rows<{ mint: string }>(`SELECT DISTINCT mint FROM (${tables.join(' UNION ALL ')}) ORDER BY mint`)
  const mints = known.flatMap(({ mint }) => view.get(mustKey(mint)) ?? [])
  const moment = { slot: folded?.number ?? 0, asOf: folded?.time ?? 0, gap, isSparse }
  const compared = await compareTwoWays(client, mints, moment)
  await view.stop()
  return compared
}
