// The ledger of settlements in a durable table, keyed by time.
import { randomBytes } from 'node:crypto'
import type { DurableTable } from '../../topology/ports/ledger.ts'
import { paymentLimits } from './limits.ts'
import type { SettlementLine, SettlementLog } from './settlement-log.ts'

/** Ascends with time, and never meets another's, also of another process. */
const keyOf = (at: number): string => `${String(at).padStart(15, '0')}-${randomBytes(6).toString('hex')}`

export class TableLog implements SettlementLog {
  readonly #table: DurableTable<SettlementLine>
  #rows: number

  constructor(table: DurableTable<SettlementLine>) {
    this.#table = table
    this.#rows = [...table.entries()].length
  }

  /** Drops lines that are too old or too many, some with each line that comes. */
  async append(line: SettlementLine): Promise<void> {
    this.#rows++
    const work = [this.#table.put(keyOf(line.at), line)]
    for (const [key, { at }] of this.#table.entries()) {
      const isOver = this.#rows > paymentLimits.linesMax || line.at - at > paymentLimits.linesMs
      if (!isOver || work.length > paymentLimits.linesDroppedMax) break
      this.#rows--
      work.push(this.#table.remove(key))
    }
    await Promise.all(work)
  }

  async *lines(): AsyncIterable<SettlementLine> {
    for (const [, line] of this.#table.entries()) yield line
  }
}
