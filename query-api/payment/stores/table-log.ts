// The settlement ledger in a durable table, keyed by time.
import { randomBytes } from 'node:crypto'
import type { DurableTable } from '../../../topology/ports/ledger.ts'
import { paymentLimits } from '../limits.ts'
import type { SettlementLine, SettlementLog } from './settlement-log.ts'

/** Keys are unique across processes, and ascend by time and, within a millisecond, by the order of writes of a process. */
const keyOf = (at: number, nth: number): string =>
  `${String(at).padStart(15, '0')}-${String(nth).padStart(10, '0')}-${randomBytes(6).toString('hex')}`

export class TableLog implements SettlementLog {
  readonly #table: DurableTable<SettlementLine>
  #rows = 0
  /** Lines written by this process. */
  #written = 0
  /** Lower bound of the oldest line's time, wall ms: the table is scanned only if a line may have expired. */
  #oldestAt = Number.POSITIVE_INFINITY
  /** Keys whose removal is in progress: the table still has them. */
  readonly #leaving = new Set<string>()

  constructor(table: DurableTable<SettlementLine>) {
    this.#table = table
    for (const [, { at }] of table.entries()) {
      this.#rows++
      this.#oldestAt = Math.min(this.#oldestAt, at)
    }
  }

  /** Also drops up to `linesDroppedMax` lines that are too old or above the limit. */
  async append(line: SettlementLine): Promise<void> {
    this.#rows++
    this.#oldestAt = Math.min(this.#oldestAt, line.at)
    const added = this.#table.put(keyOf(line.at, this.#written++), line)
    await Promise.all([added, ...(this.#isOver(line, this.#oldestAt) ? this.#dropped(line) : [])])
  }

  #isOver(line: SettlementLine, at: number): boolean {
    return this.#rows > paymentLimits.linesMax || line.at - at > paymentLimits.linesMs
  }
  #dropped(line: SettlementLine): Promise<void>[] {
    const work: Promise<void>[] = []
    for (const [key, { at }] of this.#table.entries()) {
      if (this.#leaving.has(key)) continue
      this.#oldestAt = at
      if (!this.#isOver(line, at) || work.length >= paymentLimits.linesDroppedMax) break
      this.#rows--
      this.#leaving.add(key)
      work.push(this.#table.remove(key).finally(() => this.#leaving.delete(key)))
    }
    return work
  }

  async *lines(): AsyncIterable<SettlementLine> {
    for (const [, line] of this.#table.entries()) yield line
  }
}
