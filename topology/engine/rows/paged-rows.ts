// Rows of a kind that may have very many: split into parts of a few rows, each a page of the changelog. A commit writes only touched pages:
// with all rows in one page, an event wrote 10 KB, which was a quarter of a busy main thread and most of its disk traffic.
import type { Row, RowId } from './row.ts'

/**
 * Up to this many rows share a page with those of other kinds. Draining a log favours few records, a live chain
 * few bytes: with 16, 64, 256 and all rows a drain takes 1, 0.91, 1.03 and 0.95 of the time (measured, 1 M events on Kafka).
 */
const PART_ROWS_MAX = 64

/** Average rows per part: a part not split since the number of parts last doubled has up to twice as many. */
const PART_ROWS = 48

/** Depends on the number of rows alone, so that equal stores have equal records. Never gives 2 pages, which only older layouts had. */
const partsFor = (rows: number): number => (rows <= PART_ROWS_MAX ? 1 : Math.max(2, Math.ceil(rows / PART_ROWS)))

/** The least power of two that is at least `n`. */
const powerFrom = (n: number): number => (n <= 1 ? 1 : 2 ** (32 - Math.clz32(n - 1)))

/**
 * Part of a row by linear hashing: FNV-1a of its id, masked to the bits that number the parts; one bit less if that part does not exist
 * yet. Adding a part takes rows from one other part; powers of two lay rows out as older versions did.
 */
const partOf = (id: RowId, parts: number): number => {
  if (parts === 1) return 0
  const text = String(id)
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  const power = powerFrom(parts)
  const part = (hash ^ (hash >>> 15)) & (power - 1)
  return part < parts ? part : part & (power / 2 - 1)
}

/** Page of a row in an aggregate with this many pages: page 0 is for the other kinds, and for this one while it is the only page. */
export const pageOf = (id: RowId, pages: number): number => (pages === 1 ? 0 : 1 + partOf(id, pages - 1))

const NONE: ReadonlySet<number> = new Set()

/** A map of rows by id; iterates part by part. It grows and shrinks by one part at a time, whatever its size. */
export class PagedRows {
  #parts: Map<RowId, Row>[] = [new Map()]
  /** Pages that lost or received rows because the number of parts changed, since `clean`. */
  #moved: Set<number> | undefined
  size = 0

  /** Number of pages on the changelog. */
  get pages(): number {
    return this.#parts.length === 1 ? 1 : 1 + this.#parts.length
  }
  get moved(): ReadonlySet<number> {
    return this.#moved ?? NONE
  }
  /** Call once the moved rows are on the changelog. */
  clean(): void {
    this.#moved = undefined
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
    const parts = this.#parts
    return (parts.length === 1 ? parts[0] : parts[partOf(id, parts.length)]) as Map<RowId, Row>
  }
  #count(more: number): void {
    if (more === 0) return
    this.size += more
    const parts = partsFor(this.size)
    if (parts > this.#parts.length) this.#split()
    else if (parts < this.#parts.length) this.#merge()
  }
  #split(): void {
    const last = this.#parts.length
    const from = last - powerFrom(last + 1) / 2
    const rows = this.#in(from)
    this.#parts[from] = new Map()
    this.#parts.push(new Map())
    for (const [id, row] of rows) this.#partOf(id).set(id, row)
    this.#note(from, last)
  }
  #merge(): void {
    const last = this.#parts.length - 1
    const into = last - powerFrom(last + 1) / 2
    const rows = this.#in(last)
    this.#parts.pop()
    for (const [id, row] of rows) this.#in(into).set(id, row)
    this.#note(into)
  }
  #note(...parts: readonly number[]): void {
    this.#moved ??= new Set()
    for (const part of parts) this.#moved.add(1 + part)
    if (this.#parts.length <= 2) this.#moved.add(0)
  }
}
