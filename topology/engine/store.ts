// Rows of a task in memory: aggregates by key, small rows in cells, every first write of a frame journalled.
import { assert } from '../../schemas/errors.ts'
import { Journal } from './journal.ts'
import { type Kind, pageKey, pageOf, pagesFor, parsePageKey, type StateType } from './state-type.ts'

/** A row: primitives only, so that a spread is a whole copy. */
export type Row = Record<string, unknown>

/** A row with the frame that journalled it last. */
interface Cell {
  row: Row
  mark: number
}
type Cells = Map<string | number, Cell>

/** All rows of one key. */
export class Aggregate {
  readonly key: string
  /** By kind: a cell, a map of cells, or undefined. */
  readonly slots: (Cell | Cells | undefined)[]
  /** Rows of the many kinds. */
  rows = 0
  /** Pages on the changelog after the newest commit; 0 none. */
  pages = 0
  /** Pages written since then; undefined when none was. */
  dirty: Set<number> | undefined

  constructor(key: string, kinds: number) {
    this.key = key
    this.slots = new Array(kinds).fill(undefined)
  }
  get isEmpty(): boolean {
    return this.rows === 0 && this.slots.every((slot) => slot === undefined || slot instanceof Map)
  }
}

/** One changelog record to write; null takes the page away. */
export interface PageRecord {
  readonly key: Buffer
  readonly value: Buffer | null
}

/** Rows of one task. Single-threaded; all writes between `beginFrame` and the next belong to that frame. */
export class Store {
  readonly #type: StateType
  readonly #aggregates = new Map<string, Aggregate>()
  readonly #dirty = new Set<Aggregate>()
  readonly #journal: Journal
  #mark = 0

  constructor(type: StateType, undoFramesMax: number) {
    this.#type = type
    this.#journal = new Journal(undoFramesMax)
  }
  get type(): StateType {
    return this.#type
  }
  get size(): number {
    return this.#aggregates.size
  }
  beginFrame(sequence: number): void {
    this.#mark++
    this.#journal.begin(sequence)
  }
  aggregate(key: string): Aggregate {
    let aggregate = this.#aggregates.get(key)
    if (aggregate === undefined) {
      aggregate = new Aggregate(key, this.#type.kinds.length)
      this.#aggregates.set(key, aggregate)
    }
    return aggregate
  }
  /** The aggregate if it has rows. */
  find(key: string): Aggregate | undefined {
    return this.#aggregates.get(key)
  }
  read(aggregate: Aggregate, kind: Kind, id: string | number | undefined): Row | undefined {
    const slot = aggregate.slots[kind.index]
    if (slot === undefined) return undefined
    return slot instanceof Map ? slot.get(id as string | number)?.row : slot.row
  }
  /** The row to write in place, journalled once a frame; made from `initial` where absent. */
  edit(aggregate: Aggregate, kind: Kind, id: string | number | undefined, initial: (() => Row) | undefined): Row {
    const slot = aggregate.slots[kind.index]
    const cell = slot instanceof Map ? slot.get(id as string | number) : slot
    if (cell === undefined) return this.#create(aggregate, kind, id, initial)
    if (cell.mark !== this.#mark) {
      cell.mark = this.#mark
      if (this.#journal.keeps) this.#journal.note({ aggregate, kind: kind.index, id, before: { ...cell.row } })
      this.#touch(aggregate, kind, id)
    }
    return cell.row
  }
  remove(aggregate: Aggregate, kind: Kind, id: string | number | undefined): void {
    const row = this.read(aggregate, kind, id)
    if (row === undefined) return
    const cell = this.#cell(aggregate, kind, id)
    if (this.#journal.keeps && cell?.mark !== this.#mark) this.#journal.note({ aggregate, kind: kind.index, id, before: row })
    this.#put(aggregate, kind, id, undefined)
  }
  *rows(aggregate: Aggregate, kind: Kind): Iterable<Row> {
    const slot = aggregate.slots[kind.index]
    if (slot instanceof Map) for (const cell of slot.values()) yield cell.row
    else if (slot !== undefined) yield slot.row
  }
  count(aggregate: Aggregate, kind: Kind): number {
    const slot = aggregate.slots[kind.index]
    return slot instanceof Map ? slot.size : slot === undefined ? 0 : 1
  }
  /** Takes back everything the newest kept frame wrote; its sequence, or undefined when none is kept. */
  undo(): number | undefined {
    const frame = this.#journal.pop()
    for (let i = (frame?.entries.length ?? 0) - 1; i >= 0; i--) {
      const entry = frame?.entries[i]
      assert(entry !== undefined, 'a journal has no holes')
      const aggregate = this.aggregate(entry.aggregate.key)
      this.#put(aggregate, this.#type.kinds[entry.kind] as Kind, entry.id, entry.before)
    }
    return frame?.sequence
  }
  undoable(): readonly number[] {
    return this.#journal.sequences()
  }
  /** Pages written since the last call, and which are no longer: what a commit puts on the changelog. */
  takeDirty(): PageRecord[] {
    const records: PageRecord[] = []
    for (const aggregate of this.#dirty) this.#packDirty(aggregate, records)
    this.#dirty.clear()
    return records
  }
  /** Forgets what was written since the last commit: for drivers that keep no changelog. */
  dropDirty(): void {
    for (const aggregate of this.#dirty) {
      if (aggregate.isEmpty) this.#aggregates.delete(aggregate.key)
      aggregate.pages = pagesFor(aggregate.rows)
      aggregate.dirty = undefined
    }
    this.#dirty.clear()
  }
  /** Every page of every aggregate, sorted by key: equal stores give equal snapshots. */
  snapshot(): PageRecord[] {
    const records: PageRecord[] = []
    for (const key of [...this.#aggregates.keys()].sort()) {
      const aggregate = this.#aggregates.get(key) as Aggregate
      if (!aggregate.isEmpty) this.#pack(aggregate, pagesFor(aggregate.rows), undefined, true, records)
    }
    return records
  }
  /** Puts one changelog record back; later records of a key win. */
  restore(record: { readonly key: Uint8Array; readonly value: Uint8Array | null }): void {
    const { key, page } = parsePageKey(record.key)
    if (record.value === null) return
    const aggregate = this.aggregate(key)
    aggregate.pages = Math.max(aggregate.pages, page + 1)
    const rows = this.#type.decode(record.value)
    for (const kind of this.#type.kinds) {
      const value = rows[kind.name]
      if (kind.idField === undefined) {
        if (value !== null) this.#load(aggregate, kind, undefined, value as Row)
      } else for (const row of value as Row[]) this.#load(aggregate, kind, row[kind.idField] as string | number, row)
    }
  }
  *timers(): Iterable<{ key: string; name: string; due: number }> {
    for (const aggregate of this.#aggregates.values())
      for (const row of this.rows(aggregate, this.#type.timers))
        yield { key: aggregate.key, name: row.name as string, due: row.due as number }
  }

  #cell(aggregate: Aggregate, kind: Kind, id: string | number | undefined): Cell | undefined {
    const slot = aggregate.slots[kind.index]
    return slot instanceof Map ? slot.get(id as string | number) : slot
  }
  #create(aggregate: Aggregate, kind: Kind, id: string | number | undefined, initial: (() => Row) | undefined): Row {
    assert(initial !== undefined, `row ${kind.name} is absent and has no initial value`)
    assert((kind.idField === undefined) === (id === undefined), `row ${kind.name}: an id is for kinds with many rows`)
    const row = initial()
    if (this.#journal.keeps) this.#journal.note({ aggregate, kind: kind.index, id, before: undefined })
    this.#put(aggregate, kind, id, row)
    return row
  }
  #load(aggregate: Aggregate, kind: Kind, id: string | number | undefined, row: Row): void {
    this.#set(aggregate, kind, id, row)
  }
  #put(aggregate: Aggregate, kind: Kind, id: string | number | undefined, row: Row | undefined): void {
    this.#set(aggregate, kind, id, row)
    this.#touch(aggregate, kind, id)
  }
  #set(aggregate: Aggregate, kind: Kind, id: string | number | undefined, row: Row | undefined): void {
    if (kind.idField === undefined) {
      aggregate.slots[kind.index] = row === undefined ? undefined : { row, mark: this.#mark }
      return
    }
    let cells = aggregate.slots[kind.index] as Cells | undefined
    if (cells === undefined) {
      cells = new Map()
      aggregate.slots[kind.index] = cells
    }
    const had = cells.size
    if (row === undefined) cells.delete(id as string | number)
    else cells.set(id as string | number, { row, mark: this.#mark })
    aggregate.rows += cells.size - had
  }
  #touch(aggregate: Aggregate, kind: Kind, id: string | number | undefined): void {
    if (aggregate.dirty === undefined) {
      aggregate.dirty = new Set()
      this.#dirty.add(aggregate)
    }
    aggregate.dirty.add(kind.idField === undefined ? 0 : pageOf(id as string | number, Math.max(aggregate.pages, 1)))
  }
  #packDirty(aggregate: Aggregate, records: PageRecord[]): void {
    const pages = aggregate.isEmpty ? 0 : pagesFor(aggregate.rows)
    const moved = pages !== aggregate.pages
    for (let page = pages; page < aggregate.pages; page++) records.push({ key: pageKey(aggregate.key, page), value: null })
    if (pages > 0) this.#pack(aggregate, pages, moved ? undefined : aggregate.dirty, false, records)
    else this.#aggregates.delete(aggregate.key)
    aggregate.pages = pages
    aggregate.dirty = undefined
  }
  #pack(aggregate: Aggregate, pages: number, only: ReadonlySet<number> | undefined, sorted: boolean, records: PageRecord[]): void {
    const bodies = Array.from({ length: pages }, () => this.#emptyPage())
    for (const kind of this.#type.kinds) {
      const slot = aggregate.slots[kind.index]
      if (slot === undefined) continue
      if (!(slot instanceof Map)) (bodies[0] as Record<string, unknown>)[kind.name] = slot.row
      else
        for (const [id, cell] of sorted ? sortCells(slot) : slot)
          ((bodies[pageOf(id, pages)] as Record<string, unknown[]>)[kind.name] as unknown[]).push(cell.row)
    }
    for (const [page, body] of bodies.entries())
      if (only === undefined || only.has(page)) records.push({ key: pageKey(aggregate.key, page), value: this.#type.encode(body) })
  }
  #emptyPage(): Record<string, unknown> {
    const page: Record<string, unknown> = {}
    for (const kind of this.#type.kinds) page[kind.name] = kind.idField === undefined ? null : []
    return page
  }
}

const sortCells = (cells: Cells): [string | number, Cell][] => [...cells].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
