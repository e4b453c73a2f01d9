// All rows of one key in memory, and as pages of the changelog.

import type { Noted } from '../undo/journal.ts'
import { PagedRows, pageOf } from './paged-rows.ts'
import type { Row, RowId } from './row.ts'
import { emptyPage, type Kind, pageKey, type StateType } from './state-type.ts'

/** Rows of a kind of which a key can have many. */
export type Rows = Map<RowId, Row> | PagedRows

/** All rows of one key. */
export class Aggregate implements Noted {
  readonly key: string
  noted: Noted['noted']
  /** By kind: a row, rows by id (never empty: an emptied map is released, see `ShortLivedMap`), or undefined. */
  readonly #slots: (Row | Rows | undefined)[]
  /** Number of pages on the changelog after the newest commit; 0 if none. */
  pages = 0
  /** True if a row was written since the newest commit. */
  isDirty = false
  /** True if the rows were accessed since the last eviction check. */
  isUsed = true
  /** Dirty pages, if the aggregate has several; rare. */
  #dirtyPages: Set<number> | undefined
  /** True if the changelog holds its rows in other pages than memory does. */
  #isMoved = false

  constructor(key: string, kinds: number) {
    this.key = key
    this.#slots = new Array<undefined>(kinds).fill(undefined)
  }
  get isEmpty(): boolean {
    return this.#slots.every((slot) => slot === undefined)
  }
  /** Number of pages for the current rows. */
  pagesNow({ paged }: StateType): number {
    if (this.isEmpty) return 0
    return (paged && (this.many(paged) as PagedRows | undefined)?.pages) ?? 1
  }
  one({ index }: Kind): Row | undefined {
    return this.#slots[index] as Row | undefined
  }
  many({ index }: Kind): Rows | undefined {
    return this.#slots[index] as Rows | undefined
  }
  /** Marks the page of a written row as dirty. */
  touch(kind: Kind, id: RowId | undefined): void {
    if (this.pages <= 1) return
    this.#dirtyPages ??= new Set()
    const rows = kind.isPaged ? (this.many(kind) as PagedRows | undefined) : undefined
    this.#dirtyPages.add(rows === undefined ? 0 : pageOf(id as RowId, rows.pages))
  }
  /** Pages to write, in order: touched ones, and those whose rows moved. Undefined if all have to be written. */
  dirtyPages(type: StateType): readonly number[] | undefined {
    const pages = this.pagesNow(type)
    if (pages <= 1 || this.pages <= 1 || this.#isMoved) return undefined
    const rows = type.paged && (this.many(type.paged) as PagedRows | undefined)
    const dirty = new Set([...(this.#dirtyPages ?? []), ...(rows?.moved ?? [])])
    return [...dirty].filter((page) => page < pages).sort((a, b) => a - b)
  }
  /**
   * Call after its rows were read from this many pages. Returns false if an older version laid them out differently: then all pages have to
   * be written.
   */
  filled(type: StateType, pages: number): boolean {
    this.clean(type)
    this.pages = pages
    this.#isMoved = this.pagesNow(type) !== pages
    return !this.#isMoved
  }
  /** Call once all pages to write are on the changelog. */
  clean(type: StateType): void {
    this.isDirty = false
    this.#dirtyPages = undefined
    this.#isMoved = false
    if (type.paged !== undefined) (this.many(type.paged) as PagedRows | undefined)?.clean()
  }
  /** Adds the rows of a decoded page. */
  fill({ kinds }: StateType, page: Record<string, unknown>): void {
    for (const kind of kinds) {
      const value = page[kind.name]
      if (kind.idField !== undefined) for (const row of value as Row[]) this.put(kind, row[kind.idField] as RowId, row)
      else if (value !== null) this.put(kind, undefined, value as Row)
    }
  }
  /** Sets a row; undefined removes it. */
  put(kind: Kind, id: RowId | undefined, row: Row | undefined): void {
    if (kind.idField === undefined) this.#slots[kind.index] = row
    else this.#putMany(kind, id as RowId, row)
  }

  #putMany(kind: Kind, id: RowId, row: Row | undefined): void {
    let rows = this.many(kind)
    if (row === undefined) {
      if (rows?.delete(id) && rows.size === 0) this.#slots[kind.index] = undefined
      return
    }
    if (rows === undefined) {
      rows = kind.isPaged ? new PagedRows() : new Map()
      this.#slots[kind.index] = rows
    }
    rows.set(id, row)
  }
}

/** One changelog record to write; null removes the page. */
export interface PageRecord {
  readonly key: Buffer
  readonly value: Buffer | null
}

/** Packs the current pages of an aggregate, or only some of them. `sorted`: equal rows give equal bytes. */
export const packPages = (
  type: StateType,
  aggregate: Aggregate,
  { only, sorted = false }: { readonly only?: readonly number[] | undefined; readonly sorted?: boolean } = {},
): PageRecord[] => {
  const records: PageRecord[] = []
  const count = only?.length ?? aggregate.pagesNow(type)
  for (let n = 0; n < count; n++) {
    const page = only?.[n] ?? n
    records.push({ key: pageKey(aggregate.key, page), value: type.encode(pageBody(type, aggregate, page, sorted)) })
  }
  return records
}

const pageBody = (type: StateType, aggregate: Aggregate, page: number, sorted: boolean): Record<string, unknown> => {
  const body = emptyPage(type.kinds)
  for (const kind of type.kinds) {
    if (page > 0 && !kind.isPaged) continue
    if (kind.idField === undefined) {
      body[kind.name] = aggregate.one(kind) ?? null
      continue
    }
    const rows = aggregate.many(kind)
    if (rows === undefined) continue
    const inPage = [...(rows instanceof PagedRows ? rows.inPage(page) : rows.values())]
    body[kind.name] = sorted ? inPage.sort(byId(kind.idField)) : inPage
  }
  return body
}

const byId =
  (idField: string) =>
  (a: Row, b: Row): number => {
    const [left, right] = [a[idField] as RowId, b[idField] as RowId]
    return left < right ? -1 : left > right ? 1 : 0
  }
