// A batch of rows for the history: encodes records as bytes, table by table.
import { assert } from '../../../schemas/errors.ts'
import type { BatchOf, ChainEvent } from '../../../schemas/record-forms.ts'
import type { Conclusion, DeadLetter } from '../../../schemas/types.ts'
import { type HistoryTable, wireColumns } from './columns.ts'
import { type FrameRow, type RowVersion, rowVersion } from './frame-tables.ts'
import type { HistoryTables } from './history-tables.ts'
import type { LogRow, LostRows, ProgressRow } from './progress-table.ts'
import { RowWriter } from './row-writer.ts'
import type { EventRow } from './tape-tables.ts'

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

const DAY_S = 86_400

/** Filled record by record, then taken once. The same records give the same bytes. */
export class RowBatch {
  readonly #tables: HistoryTables
  readonly #piles = new Map<string, Pile>()
  readonly #days = new Set<number>()
  #rows = 0

  constructor(tables: HistoryTables) {
    this.#tables = tables
  }
  get rows(): number {
    return this.#rows
  }
  get bytes(): number {
    let bytes = 0
    for (const { out } of this.#piles.values()) bytes += out.bytes
    return bytes
  }
  /** Number of days of stream time in the rows: tables are partitioned by day. */
  get days(): number {
    return this.#days.size
  }
  /**
   * Adds the events of one partition, and the tick if this partition is responsible for it. `undoneBy` is the sequence of the fork that
   * rolled the frame back: its rows then delete those written earlier, and any written later with a lower version.
   */
  tape(batch: BatchOf<ChainEvent>, hasTick: boolean, undoneBy: number | null = null): void {
    this.#tape(batch, batch.events, hasTick, rowVersion(undoneBy ?? batch.sequence, undoneBy !== null))
  }
  /** Adds the events of a frame as decoded again by a rebuild. */
  corrected(batch: BatchOf<ChainEvent>, hasTick: boolean, revision: number): void {
    this.#tape(batch, batch.events, hasTick, rowVersion(batch.sequence, false, revision))
  }
  /** Deletes events that a frame no longer has after a rebuild. */
  gone(batch: BatchOf<ChainEvent>, events: readonly ChainEvent[], revision: number): void {
    this.#tape(batch, events, false, rowVersion(batch.sequence, true, revision))
  }
  frame(row: FrameRow): void {
    this.#days.add(Math.floor((row.frame.blockTime ?? 0) / DAY_S))
    this.#add(this.#tables.frames, row)
  }
  /** `offset` is that of the record, or of the retraction `retractionId`. */
  conclusion({ body, ...conclusion }: Conclusion, offset: number, retractionId: string | null = null): void {
    this.#days.add(Math.floor(conclusion.at / DAY_S))
    const table = this.#tables.conclusions.get(body.type)
    if (table !== undefined) this.#add(table, { offset, retractionId, conclusion, body })
  }
  /** `offset` is that of the record, or of the record that removed it. */
  deadLetter(deadLetter: DeadLetter, offset: number, isGone = false): void {
    this.#add(this.#tables.deadLetters, { offset, deadLetter, isGone })
  }
  log(row: LogRow): void {
    this.#add(this.#tables.logs, row)
  }
  lost(row: LostRows): void {
    this.#add(this.#tables.lost, row)
  }
  progress(row: ProgressRow): void {
    this.#add(this.#tables.progress, row)
  }
  /** The encoded rows, by table; the batch must not be used afterwards. */
  take(): readonly TableRows[] {
    return [...this.#piles.values()].map(({ table, out, rows }) => ({
      table: table.name,
      columns: wireColumns(table),
      rows,
      body: out.take(),
    }))
  }
  #tape(batch: BatchOf<ChainEvent>, events: readonly ChainEvent[], hasTick: boolean, row: RowVersion): void {
    this.#days.add(Math.floor(batch.time / DAY_S))
    for (const event of events) this.#add(this.#tableOf(event), { batch, event, row })
    if (hasTick) this.#add(this.#tables.ticks, { tick: batch, row })
  }
  #tableOf({ type }: ChainEvent): HistoryTable<EventRow<ChainEvent>> {
    const table = this.#tables.events.get(type)
    assert(table !== undefined, `events of type ${type} have a table`)
    return table
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
