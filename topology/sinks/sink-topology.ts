// A chain whose history is written, with the tables of its sink.
import type { HistoryTables } from '../history/rows/history-tables.ts'
import type { SinkPart, Topology } from '../topology.ts'

export interface SunkTopology extends Topology {
  readonly sinks: { readonly clickhouse: SinkPart & { readonly tables: HistoryTables } }
}
