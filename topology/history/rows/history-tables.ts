// The tables that a sink writes: everything about a history that depends on the chain, as one value.
import type { ChainEvent } from '../../../schemas/record-forms.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import type { HistoryTable } from './columns.ts'
import type { ConclusionRow, DeadLetterRow } from './conclusion-tables.ts'
import type { FrameRow, TickRow } from './frame-tables.ts'
import type { LogRow, LostRows, ProgressRow } from './progress-table.ts'
import type { EventRow } from './tape-tables.ts'

type Body = Conclusion['body']
export interface HistoryTables {
  /** Owner name of the sink's committed offsets, followed by the id of the history; unique per sink. */
  readonly owner: string
  /** Keyed by event type; every type has a table. */
  readonly events: ReadonlyMap<string, HistoryTable<EventRow<ChainEvent>>>
  readonly ticks: HistoryTable<TickRow>
  readonly frames: HistoryTable<FrameRow>
  /** Keyed by conclusion type; other types are not stored. */
  readonly conclusions: ReadonlyMap<string, HistoryTable<ConclusionRow<Body>>>
  readonly deadLetters: HistoryTable<DeadLetterRow>
  /** The logs that write these tables, their progress, and the ranges lost to retention before they were written. */
  readonly logs: HistoryTable<LogRow>
  readonly progress: HistoryTable<ProgressRow>
  readonly lost: HistoryTable<LostRows>
  /** Name of the slot or block column in `ticks`. */
  readonly number: string
  /** Tables of aggregates up to a log's progress: a writer that adopts another log's history rebuilds them. */
  readonly sums: readonly string[]
}

/** All tables of a sink. */
export const tablesIn = (tables: HistoryTables): readonly Pick<HistoryTable<never>, 'name' | 'columns'>[] => [
  ...new Set([
    ...tables.events.values(),
    ...[tables.ticks, tables.frames],
    ...tables.conclusions.values(),
    ...[tables.deadLetters, tables.logs, tables.progress, tables.lost],
  ]),
]
