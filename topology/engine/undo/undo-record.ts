// The undo of a frame on the changelog: earlier values of rows, packed with the codec of their store.

import { assert } from '../../../schemas/errors.ts'
import type { AbsentRow, UndoPage, UndoRows } from '../../../schemas/types.ts'
import { UNDO_COPY_BYTES_MAX, UNDO_PAGE_BYTES_MAX, UNDO_ROWS_MAX } from '../limits.ts'
import type { PageRecord } from '../rows/aggregate.ts'
import { taskState } from '../rows/own-rows.ts'
import type { Row } from '../rows/row.ts'
import { emptyPage, type Kind, pageKey, type StateType } from '../rows/state-type.ts'
import type { Entry, Journal, UndoFrame } from './journal.ts'

/** Returns the row shape of a store. */
export type TypeOfStore = (store: string) => StateType

/**
 * The undo records of a commit of the task `id`: tombstones of frames that left the journal, and records of new frames. Generated one by
 * one, so that the caller can spread the work; no record may be folded before the last.
 */
export function* undoRecords(journal: Journal, id: string, typeOf: TypeOfStore): Iterable<PageRecord> {
  for (const { sequence, pages } of journal.takeGone())
    for (let page = 0; page < pages; page++) yield { key: pageKey(`${id}/undo/${sequence}`, page), value: null }
  for (const frame of journal.fresh()) {
    const records = frameRecords(frame, id, typeOf)
    frame.pages = records.length
    yield* records
  }
}

/** The undo of a task, newest frames first, up to the size that a copy of the rows may include. */
export function* copiedUndo(journal: Journal, id: string, typeOf: TypeOfStore): Iterable<PageRecord> {
  let bytes = 0
  for (let i = journal.frames.length - 1; i >= 0 && bytes < UNDO_COPY_BYTES_MAX; i--)
    for (const record of frameRecords(journal.frames[i] as UndoFrame, id, typeOf)) {
      bytes += record.value?.length ?? 0
      yield record
    }
}

const frameRecords = (frame: UndoFrame, id: string, typeOf: TypeOfStore): PageRecord[] =>
  undoPages(frame, typeOf).map((undo, page) => ({
    key: pageKey(`${id}/undo/${frame.sequence}`, page),
    value: taskState.encode({ ...emptyPage(taskState.kinds), undo }),
  }))

/** Rows of one aggregate while they are packed. */
interface Group {
  readonly store: string
  readonly key: string
  readonly type: StateType
  readonly page: Record<string, unknown>
  readonly absent: AbsentRow[]
  rows: number
  /** By kind, ids of the rows already included: shared by all groups of the aggregate. */
  readonly seen: (Set<string | number | undefined> | undefined)[]
}

/** Pages of a frame: the first entry of each row, at most about 64 KB per page; at least one page. */
export const undoPages = (frame: UndoFrame, typeOf: TypeOfStore): UndoPage[] => {
  const { sequence, number, hash8, time, parent, topics } = frame
  const open = (): UndoPage => ({
    ...{ sequence, number, hash8, time, parentNumber: parent?.number ?? null, parentHash8: parent?.hash8 ?? '' },
    ...{ topics: [...topics], before: [] },
  })
  const pages = [open()]
  let bytes = 0
  for (const group of groups(frame.entries, typeOf)) {
    const rows = packed(group)
    if (bytes > 0 && bytes + rows.rows.length > UNDO_PAGE_BYTES_MAX) {
      pages.push(open())
      bytes = 0
    }
    pages.at(-1)?.before.push(rows)
    bytes += rows.rows.length
  }
  return pages
}

/** Restores frames into the journal, oldest first, from their pages in any order. */
export const restoreUndo = (pages: readonly UndoPage[], journal: Journal, typeOf: TypeOfStore): void => {
  const frames = new Map<number, UndoPage[]>()
  for (const page of pages) frames.set(page.sequence, [...(frames.get(page.sequence) ?? []), page])
  for (const [sequence, parts] of [...frames].sort(([a], [b]) => a - b)) {
    const { number, hash8, time, parentNumber, parentHash8, topics } = parts[0] as UndoPage
    const parent = parentNumber === null ? undefined : { number: parentNumber, hash8: parentHash8 }
    const entries = parts.flatMap(({ before }) => before.flatMap((rows) => entriesOf(rows, typeOf(rows.store))))
    journal.restore({ sequence, number, hash8, time, parent, topics, pages: parts.length }, entries)
  }
}

const groups = (entries: readonly Entry[], typeOf: TypeOfStore): Group[] => {
  const stores = new Map<string, Map<string, Group>>()
  const all: Group[] = []
  for (const { store, key, kind, id, before } of entries) {
    const newest = stores.get(store) ?? new Map<string, Group>()
    stores.set(store, newest)
    let group = newest.get(key)
    if (group?.seen[kind]?.has(id)) continue
    if (group === undefined || group.rows >= UNDO_ROWS_MAX) {
      const type = typeOf(store)
      group = { store, key, type, page: emptyPage(type.kinds), absent: [], rows: 0, seen: group?.seen ?? [] }
      newest.set(key, group)
      all.push(group)
    }
    const seen = group.seen[kind]
    if (seen === undefined) group.seen[kind] = new Set([id])
    else seen.add(id)
    put(group, group.type.kinds[kind] as Kind, id, before)
  }
  return all
}

const put = (group: Group, kind: Kind, id: string | number | undefined, before: Row | undefined): void => {
  group.rows++
  if (before === undefined) group.absent.push({ kind: kind.name, id: id ?? null })
  else if (kind.idField === undefined) group.page[kind.name] = before
  else (group.page[kind.name] as Row[]).push(before)
}

const packed = ({ store, key, type, page, absent }: Group): UndoRows => ({
  ...{ store, key: Buffer.from(key, 'latin1') },
  ...{ rows: type.encode(page), absent },
})

const entriesOf = ({ store, key, rows, absent }: UndoRows, type: StateType): [Entry, number][] => {
  const name = Buffer.from(key).toString('latin1')
  const entry = (kind: Kind, id: string | number | undefined, before: Row | undefined): [Entry, number] => [
    { store, key: name, kind: kind.index, id, before },
    kind.rowBytes,
  ]
  const entries = absent.map(({ kind, id }) => {
    const known = type.byName.get(kind)
    assert(known !== undefined, `an undo record names unknown rows: ${kind}`)
    return entry(known, id ?? undefined, undefined)
  })
  const page = type.decode(rows)
  for (const kind of type.kinds)
    if (kind.idField !== undefined)
      for (const row of page[kind.name] as Row[]) entries.push(entry(kind, row[kind.idField] as string | number, row))
    else if (page[kind.name] !== null) entries.push(entry(kind, undefined, page[kind.name] as Row))
  return entries
}
