// The logs that write a history and their progress, stored in the history itself: figures are complete up to the current log's progress.
import type { Chain } from '../../../schemas/types.ts'
import { type HistoryTable, lowCardinality, number, text, time, uint32 } from './columns.ts'

export interface LogRow {
  readonly log: string
  readonly chain: Chain
  /** As in meta.source; empty if unknown. */
  readonly source: string
  /** Start of this log, unix seconds; 0 if unknown. */
  readonly since: number
}

export const LOGS: HistoryTable<LogRow> = {
  name: 'logs_log',
  columns: [
    text.of('log', ({ log }) => log),
    lowCardinality.of('chain', ({ chain }) => chain),
    text.of('source', ({ source }) => source),
    time.of('since', ({ since }) => since),
  ],
}

export interface ProgressRow {
  /** Id of the log. */
  readonly sink: string
  /** Unix seconds of stream time. */
  readonly upTo: number
}

/** A range of a partition that retention deleted before it was written to the history. */
export interface LostRows {
  readonly topic: string
  readonly partition: number
  /** First lost offset, and the first one still available. */
  readonly from: number
  readonly to: number
  readonly fromSlot: number
  readonly toSlot: number
  /** Of the first available frame, with its tick in unix seconds. */
  readonly hash8: string
  readonly time: number
}

export const LOST_ROWS: HistoryTable<LostRows> = {
  name: 'lost_rows_log',
  columns: [
    lowCardinality.of('topic', ({ topic }) => topic),
    uint32.of('partition', ({ partition }) => partition),
    number.of('from_offset', ({ from }) => from),
    number.of('to_offset', ({ to }) => to),
    number.of('from_slot', ({ fromSlot }) => fromSlot),
    number.of('to_slot', ({ toSlot }) => toSlot),
    text.of('hash8', ({ hash8 }) => hash8),
    time.of('tick_at', ({ time: at }) => at),
  ],
}

export const PROGRESS: HistoryTable<ProgressRow> = {
  name: 'progress_log',
  columns: [lowCardinality.of('sink', ({ sink }) => sink), number.of('version', ({ upTo }) => upTo), time.of('up_to', ({ upTo }) => upTo)],
}
