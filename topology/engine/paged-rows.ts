// Rows of a kind that may have very many: in parts of a few rows, each a page of the changelog. A commit writes the pages that were
// touched: with all of them in one page, an event wrote 10 KB, which was a quarter of a busy main thread and most of its disk.
import type { Row, RowId } from './aggregate.ts'

/**
 * Rows of a part, at most on average; so few stand beside the rows of other kinds. Drains of a log want few records, a live chain few
 * bytes: with 16, 64, 256 and all of them a drain takes 1, 0.91, 1.03 and 0.95 of the time (measured, 1 M events on Kafka).
 */
const PART_ROWS_MAX = 64

/** A function of the rows alone, so that equal stores have equal records. Never 2 pages, which older layouts had. */
const partsFor = (rows: number): number => {
  if (rows <= PART_ROWS_MAX) return 1
  let parts = 2
  while (parts * PART_ROWS_MAX < rows) parts *= 2
  return parts
}

/** Part of a row: FNV-1a of its id, so that a row stays put while the number of parts does. */
const partOf = (id: RowId, parts: number): number => {
  if (parts === 1) return 0
  const text = String(id)
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) & (parts - 1)
}

/** Page of a row where an aggregate has so many: the first is that of the other kinds, and of this one while it is the only page. */
export const pageOf = (id: RowId, pages: number): number => (pages === 1 ? 0 : 1 + partOf(id, pages - 1))

/** A map of rows by id; its values come part by part. */
export class PagedRows {
  #parts: Map<RowId, Row>[] = [new Map()]
  size = 0

  /** Of the changelog. */
  get pages(): number {
    return this.#parts.length === 1 ? 1 : 1 + this.#parts.length
  }
  get(id: RowId): Row | undefined {
    return this.#partOf(id).get(id)
  }
  set(id: RowId, row: Row): void {
    const part = this.#partOf(id)
    const had = part.size
    part.set(id, row)
    this.#count(part.size - had)
  }
  delete(id: RowId): boolean {
    const had = this.#partOf(id).delete(id)
    if (had) this.#count(-1)
    return had
  }
  values(): Iterable<Row> {
    return this.#parts.length === 1 ? this.#in(0).values() : this.#all()
  }
  /** Rows of one page. */
  inPage(page: number): Iterable<Row> {
    if (this.#parts.length === 1) return page === 0 ? this.#in(0).values() : []
    return page === 0 ? [] : this.#in(page - 1).values()
  }

  *#all(): Iterable<Row> {
    for (const part of this.#parts) yield* part.values()
  }
  #in(part: number): Map<RowId, Row> {
    return this.#parts[part] as Map<RowId, Row>
  }
  #partOf(id: RowId): Map<RowId, Row> {
    return this.#in(partOf(id, this.#parts.length))
  }
  #count(more: number): void {
    if (more === 0) return
    this.size += more
    const parts = partsFor(this.size)
    if (parts === this.#parts.length) return
    const before = this.#parts
    this.#parts = Array.from({ length: parts }, () => new Map())
    for (const part of before) for (const [id, row] of part) this.#partOf(id).set(id, row)
  }
}
