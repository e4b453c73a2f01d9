// How far a sink is, said to the history itself, so that its figures know up to when they are whole.
import { type HistoryTable, number, time, word } from './columns.ts'

export interface ProgressRow {
  readonly sink: string
  /** Unix seconds of stream time. */
  readonly upTo: number
}

export const PROGRESS: HistoryTable<ProgressRow> = {
  name: 'progress_log',
  columns: [word.of('sink', ({ sink }) => sink), number.of('version', ({ upTo }) => upTo), time.of('up_to', ({ upTo }) => upTo)],
}
