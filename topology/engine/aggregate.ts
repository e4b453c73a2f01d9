// All rows of one key in memory, and as pages of the changelog.
import { emptyPage, pageKey, pageOf, type StateType } from './state-type.ts'

/** A row: primitives only, so that a spread is a whole copy. */
export type Row = Record<string, unknown>

export type Rows = Map<string | number, Row>

/** All rows of one key. */
export class Aggregate {
  readonly key: string
  /** By kind: a row, a map of rows, or undefined. */
  readonly slots: (Row | Rows | undefined)[]
  /** Rows of the many kinds. */
  rows = 0
  /** Pages on the changelog after the newest commit; 0 none. */
  pages = 0
  /** Something was written since then. */
  isDirty = false
  /** It was asked for since it was last looked at. */
  isUsed = true
  /** Which pages, where there are several: seldom. */
  dirtyPages: Set<number> | undefined

  constructor(key: string, kinds: number) {
    this.key = key
    this.slots = new Array<undefined>(kinds).fill(undefined)
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

/** Packs the pages of an aggregate, or only some of them. `sorted`: equal rows give equal bytes. */
export const packPages = (
  type: StateType,
  { key, slots }: Aggregate,
  { pages, only, sorted = false }: { readonly pages: number; readonly only?: ReadonlySet<number> | undefined; readonly sorted?: boolean },
): PageRecord[] => {
  const bodies = Array.from({ length: pages }, () => emptyPage(type.kinds))
  for (const kind of type.kinds) {
    const slot = slots[kind.index]
    if (slot === undefined) continue
    const rows = slot instanceof Map ? (sorted ? sortRows(slot) : [...slot.values()]) : slot
    if (pages === 1 || !Array.isArray(rows)) (bodies[0] as Record<string, unknown>)[kind.name] = rows
    else
      for (const row of rows)
        ((bodies[pageOf(row[kind.idField as string] as string | number, pages)] as Record<string, Row[]>)[kind.name] as Row[]).push(row)
  }
  return bodies.flatMap((body, page) =>
    only === undefined || only.has(page) ? [{ key: pageKey(key, page), value: type.encode(body) }] : [],
  )
}

const sortRows = (rows: Rows): Row[] => [...rows].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, row]) => row)
