// Which logs fill a history and how far each is, written into the history itself: its figures are whole up to where the filling one is.
import { type HistoryTable, number, text, time, word } from './columns.ts'

export interface LogRow {
  readonly log: string
  readonly chain: 'solana'
  /** In the words of meta.source; empty where that is not known. */
  readonly source: string
  /** Nothing before it comes from this log, unix seconds; 0 where that is not known. */
  readonly since: number
}

export const LOGS: HistoryTable<LogRow> = {
  name: 'logs_log',
  columns: [
    text.of('log', ({ log }) => log),
    word.of('chain', ({ chain }) => chain),
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

export const PROGRESS: HistoryTable<ProgressRow> = {
  name: 'progress_log',
  columns: [word.of('sink', ({ sink }) => sink), number.of('version', ({ upTo }) => upTo), time.of('up_to', ({ upTo }) => upTo)],
}
