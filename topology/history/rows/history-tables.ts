// Which tables a sink fills: what of a history depends on the chain, as one value.
import type { ChainEvent } from '../../../schemas/record-forms.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import type { HistoryTable } from './columns.ts'
import type { ConclusionRow, DeadLetterRow } from './conclusion-tables.ts'
import type { FrameRow, TickRow } from './frame-tables.ts'
import type { LogRow, LostRows, ProgressRow } from './progress-table.ts'
import type { EventRow } from './tape-tables.ts'

type Body = Conclusion['body']
export interface HistoryTables {
  /** Under which the sink keeps its offsets, before the id of the history; each sink has its own. */
  readonly owner: string
  /** By the type of the event; every type has one. */
  readonly events: ReadonlyMap<string, HistoryTable<EventRow<ChainEvent>>>
  readonly ticks: HistoryTable<TickRow>
  readonly frames: HistoryTable<FrameRow>
  /** By the type of what was concluded; others are not kept. */
  readonly conclusions: ReadonlyMap<string, HistoryTable<ConclusionRow<Body>>>
  readonly deadLetters: HistoryTable<DeadLetterRow>
  /** Which logs fill these tables, how far each is, and what retention took before it was written. */
  readonly logs: HistoryTable<LogRow>
  readonly progress: HistoryTable<ProgressRow>
  readonly lost: HistoryTable<LostRows>
  /** Column of the slot or block in `ticks`. */
  readonly number: string
  /** Sums up to where a log was: a writer that adopts the history of another rebuilds them. */
  readonly sums: readonly string[]
}

/** Every table of a sink. */
export const tablesIn = (tables: HistoryTables): readonly Pick<HistoryTable<never>, 'name' | 'columns'>[] => [
  ...new Set([
    ...tables.events.values(),
    ...[tables.ticks, tables.frames],
    ...tables.conclusions.values(),
    ...[tables.deadLetters, tables.logs, tables.progress, tables.lost],
  ]),
]
