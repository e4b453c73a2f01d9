// A batch of rows on its way to the history: what records say, table by table, as bytes.
import type { Conclusion, DeadLetter, TapeBatch, TapeEvent } from '../../../schemas/types.ts'
import { type HistoryTable, wireColumns } from './columns.ts'
import { DEAD_LETTERS, FLAGS, OUTCOMES, WALLET_ROLES } from './conclusion-tables.ts'
import { type FrameRow, RAW_FRAMES, type Say, sayOf, TICKS } from './frame-tables.ts'
import { LOGS, LOST_ROWS, type LogRow, type LostRows, PROGRESS, type ProgressRow } from './progress-table.ts'
import { RowWriter } from './row-writer.ts'
import { type EventRow, TAPE_TABLES } from './tape-tables.ts'

/** Rows of one table in RowBinary. */
export interface TableRows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: number
  readonly body: Buffer
}

interface Pile {
  readonly table: HistoryTable<never>
  readonly out: RowWriter
  rows: number
}

/** Every table that rows are written to. */
export const STORED_TABLES: readonly Pick<HistoryTable<never>, 'name' | 'columns'>[] = [
  ...Object.values(TAPE_TABLES),
  ...[TICKS, RAW_FRAMES, FLAGS, OUTCOMES, WALLET_ROLES, DEAD_LETTERS, LOGS, PROGRESS, LOST_ROWS],
]

const DAY_S = 86_400

/** Filled by one record after the other, then taken once. The same records give the same bytes. */
export class RowBatch {
  readonly #piles = new Map<string, Pile>()
  readonly #days = new Set<number>()
  #rows = 0

  get rows(): number {
    return this.#rows
  }
  get bytes(): number {
    let bytes = 0
    for (const { out } of this.#piles.values()) bytes += out.bytes
    return bytes
  }
  /** Days of stream time that the rows touch, where tables are partitioned by them. */
  get days(): number {
    return this.#days.size
  }
  /**
   * The events of one partition, and the tick where this partition stands for it. `undoneBy` is the sequence of the fork that took the frame
   * back: its rows then take back what was said before, and what was not said yet in advance.
   */
  tape(batch: TapeBatch, isTickTold: boolean, undoneBy: number | null = null): void {
    this.#tape(batch, batch.events, isTickTold, sayOf(undoneBy ?? batch.sequence, undoneBy !== null))
  }
  /** What a frame says since a rebuild decoded it again. */
  corrected(batch: TapeBatch, isTickTold: boolean, revision: number): void {
    this.#tape(batch, batch.events, isTickTold, sayOf(batch.sequence, false, revision))
  }
  /** Events that a frame no longer has since then. */
  gone(batch: TapeBatch, events: readonly TapeEvent[], revision: number): void {
    this.#tape(batch, events, false, sayOf(batch.sequence, true, revision))
  }
  frame(row: FrameRow): void {
    this.#days.add(Math.floor((row.frame.blockTime ?? 0) / DAY_S))
    this.#add(RAW_FRAMES, row)
  }
  /** `offset` is that of the record that said it, or of the retraction that `retractionId` names. */
  conclusion({ body, ...said }: Conclusion, offset: number, retractionId: string | null = null): void {
    this.#days.add(Math.floor(said.at / DAY_S))
    if (body.type === 'finding') this.#add(FLAGS, { offset, retractionId, said, body })
    else if (body.type === 'outcome') this.#add(OUTCOMES, { offset, retractionId, said, body })
    else if (body.type === 'role') this.#add(WALLET_ROLES, { offset, retractionId, said, body })
  }
  /** `offset` is that of the record that said it, or that it no longer stands. */
  deadLetter(letter: DeadLetter, offset: number, isGone = false): void {
    this.#add(DEAD_LETTERS, { offset, letter, isGone })
  }
  log(row: LogRow): void {
    this.#add(LOGS, row)
  }
  lost(row: LostRows): void {
    this.#add(LOST_ROWS, row)
  }
  progress(row: ProgressRow): void {
    this.#add(PROGRESS, row)
  }
  /** By table; the batch must not be used any more. */
  take(): readonly TableRows[] {
    return [...this.#piles.values()].map(({ table, out, rows }) => ({
      table: table.name,
      columns: wireColumns(table),
      rows,
      body: out.take(),
    }))
  }
  #tape(batch: TapeBatch, events: readonly TapeEvent[], isTickTold: boolean, say: Say): void {
    this.#days.add(Math.floor(batch.time / DAY_S))
    for (const event of events) this.#add(TAPE_TABLES[event.type] as HistoryTable<EventRow<TapeEvent>>, { batch, event, say })
    if (isTickTold) this.#add(TICKS, { tick: batch, say })
  }
  #add<Row>(table: HistoryTable<Row>, row: Row): void {
    let pile = this.#piles.get(table.name)
    if (pile === undefined) {
      pile = { table, out: new RowWriter(), rows: 0 }
      this.#piles.set(table.name, pile)
    }
    for (const column of table.columns) column.write(pile.out, row)
    pile.rows++
    this.#rows++
  }
}
