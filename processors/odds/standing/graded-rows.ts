// Resolved launches with their graded values, in the order in which they resolved.
import type { Key } from '../../../schemas/keys.ts'
import { comparePositions, type PositionInChain } from '../../../schemas/position.ts'
import type { OddsHead } from '../heads.ts'

/** Number of launches in a grade. */
const WINDOW_LAUNCHES = 2_000
/** Number of launches that are kept beyond the grade, at least: a fork may roll back the newest ones. At most twice as many are kept. */
const SLACK_LAUNCHES = 500

/** A graded value of a resolved launch. The position is the outcome's. */
export interface GradedRow extends PositionInChain {
  readonly mint: Key
  /** Time of the outcome, unix seconds. */
  readonly at: number
  readonly ageS: number
  readonly ppm: number
  readonly isTrue: boolean
}

/** By time, then place, then mint. */
const compareRows = (a: GradedRow, b: GradedRow): number =>
  a.at - b.at || comparePositions(a, b) || (a.mint < b.mint ? -1 : Number(a.mint > b.mint))

/** The newest rows of each model and head. They may be added in any order, except that no row may be older than all kept ones. */
export class GradedRows {
  readonly #rows = new Map<string, Map<OddsHead, GradedRow[]>>()
  /** Incremented by every change. */
  version = 0
  /** When the newest of all rows resolved, unix seconds; rows that were removed count too. */
  newestAt = 0

  add(model: string, head: OddsHead, row: GradedRow): void {
    const rows = this.#of(model, head)
    let at = rows.length
    while (at > 0 && compareRows(rows[at - 1] as GradedRow, row) > 0) at -= 1
    rows.splice(at, 0, row)
    this.newestAt = Math.max(this.newestAt, row.at)
    if (rows.length > WINDOW_LAUNCHES + 2 * SLACK_LAUNCHES) rows.splice(0, SLACK_LAUNCHES)
    this.version += 1
  }
  remove(model: string, head: OddsHead, row: GradedRow): void {
    const rows = this.#of(model, head)
    const at = rows.lastIndexOf(row)
    if (at < 0) return
    rows.splice(at, 1)
    this.version += 1
  }
  /** The newest rows that resolved before a time (unix seconds), oldest first. */
  before(model: string, head: OddsHead, at: number): readonly GradedRow[] {
    const rows = this.#rows.get(model)?.get(head) ?? []
    let end = rows.length
    while (end > 0 && (rows[end - 1] as GradedRow).at >= at) end -= 1
    return rows.slice(Math.max(0, end - WINDOW_LAUNCHES), end)
  }
  /** Drops the rows of all other models. */
  keep(models: ReadonlySet<string>): void {
    for (const model of this.#rows.keys()) if (!models.has(model)) this.#rows.delete(model)
  }

  #of(model: string, head: OddsHead): GradedRow[] {
    const heads = this.#rows.get(model) ?? new Map<OddsHead, GradedRow[]>()
    this.#rows.set(model, heads)
    const rows = heads.get(head) ?? []
    heads.set(head, rows)
    return rows
  }
}
