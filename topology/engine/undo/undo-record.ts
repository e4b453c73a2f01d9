// The undo of frames on the changelog: earlier values of rows, packed with the codec of their store. Records of one commit share a name.

import { assert } from '../../../schemas/errors.ts'
import type { AbsentRow, UndoPage, UndoRows } from '../../../schemas/types.ts'
import { UNDO_COPY_BYTES_MAX, UNDO_PAGE_BYTES_MAX, UNDO_ROWS_MAX } from '../limits.ts'
import type { PageRecord } from '../rows/aggregate.ts'
import { taskState } from '../rows/own-rows.ts'
import type { Row } from '../rows/row.ts'
import { emptyPage, type Kind, pageKey, type StateType } from '../rows/state-type.ts'
import type { Journal, UndoFrame, UndoGroup } from './journal.ts'

/** Returns the row shape of a store. */
export type TypeOfStore = (store: string) => StateType

/**
 * The undo records of a commit of the task `id`: tombstones of records that are not needed any more, and records of new frames. Generated
 * one by one, so that the caller can spread the work; no record may be folded before the last.
 */
export function* undoRecords(journal: Journal, id: string, typeOf: TypeOfStore): Iterable<PageRecord> {
  const [gone, fresh] = [journal.takeGone(), journal.fresh()]
  const sequence = fresh[0]?.sequence
  let pages = 0
  if (sequence !== undefined) {
    for (const undoFrames of grouped(fresh, typeOf)) yield recordOf(id, sequence, pages++, undoFrames)
    const stored = { sequence, pages, frames: fresh.length }
    for (const frame of fresh) frame.stored = stored
    journal.records += pages
  }
  // If frames are written again, their new records may have the name of the old ones: only the old pages beyond the new ones are removed.
  for (const old of gone)
    for (let page = old.sequence === sequence ? pages : 0; page < old.pages; page++)
      yield { key: pageKey(undoName(id, old.sequence), page), value: null }
}

/** The undo of a task, newest frames first, up to the size that a copy of the rows may include. */
export function* copiedUndo(journal: Journal, id: string, typeOf: TypeOfStore): Iterable<PageRecord> {
  let bytes = 0
  for (let i = journal.frames.length - 1; i >= 0 && bytes < UNDO_COPY_BYTES_MAX; i--) {
    const frame = journal.frames[i] as UndoFrame
    let page = 0
    for (const undoFrames of grouped([frame], typeOf)) {
      const record = recordOf(id, frame.sequence, page++, undoFrames)
      bytes += record.value?.length ?? 0
      yield record
    }
  }
}

const undoName = (id: string, sequence: number): string => `${id}/undo/${sequence}`
const recordOf = (id: string, sequence: number, page: number, undoFrames: readonly UndoPage[]): PageRecord => ({
  key: pageKey(undoName(id, sequence), page),
  value: taskState.encode({ ...NO_ROWS, undoFrames }),
})
const NO_ROWS = emptyPage(taskState.kinds)

/** Groups the pages of frames into records: as many pages as fit in UNDO_PAGE_BYTES_MAX, or one page that is larger. */
function* grouped(frames: readonly UndoFrame[], typeOf: TypeOfStore): Iterable<readonly UndoPage[]> {
  let group: UndoPage[] = []
  let bytes = 0
  for (const frame of frames)
    for (const page of undoPages(frame, typeOf)) {
      const more = FRAME_BYTES + sizeOf(page)
      if (bytes > 0 && bytes + more > UNDO_PAGE_BYTES_MAX) {
        yield group
        group = []
        bytes = 0
      }
      group.push(page)
      bytes += more
    }
  yield group
}
/** Estimated bytes of a page besides the keys and rows of its aggregates. */
const FRAME_BYTES = 48
const sizeOf = ({ before }: UndoPage): number => before.reduce((sum, { key, rows }) => sum + key.length + rows.length, 0)

/** Pages of a frame, at most about 64 KB each; at least one page. */
export const undoPages = (frame: UndoFrame, typeOf: TypeOfStore): UndoPage[] => {
  let page = pageOf(frame)
  const pages = [page]
  let bytes = 0
  for (const rows of packed(frame.groups, typeOf)) {
    if (bytes > 0 && bytes + rows.rows.length > UNDO_PAGE_BYTES_MAX) {
      page = pageOf(frame)
      pages.push(page)
      bytes = 0
    }
    page.before.push(rows)
    bytes += rows.rows.length
  }
  return pages
}

const pageOf = ({ sequence, number, hash8, time, parent, topics }: UndoFrame): UndoPage => ({
  sequence,
  number,
  hash8,
  time,
  parentNumber: parent?.number ?? null,
  parentHash8: parent?.hash8 ?? '',
  topics: topics as string[],
  before: [],
})

/** The undo records of one name, as read from the changelog. */
export interface RestoredUndo {
  readonly name: string
  /** Number of records. */
  pages: number
  /** The highest number of a record. */
  last: number
  /** Pages of its frames, in any order. */
  readonly frames: UndoPage[]
}

/** Restores frames into the journal, oldest first, from records in any order. */
export const restoreUndo = (records: Iterable<RestoredUndo>, journal: Journal, typeOf: TypeOfStore): void => {
  const all = Array.from(records, ({ name, pages, frames }) => {
    const sequence = Number(name.slice(name.lastIndexOf('/') + 1))
    const bySequence = new Map<number, UndoPage[]>()
    journal.records += pages
    for (const page of frames) bySequence.set(page.sequence, [...(bySequence.get(page.sequence) ?? []), page])
    return { stored: { sequence, pages, frames: bySequence.size }, bySequence }
  })
  const frames = all.flatMap(({ stored, bySequence }) => Array.from(bySequence, ([sequence, parts]) => ({ stored, sequence, parts })))
  for (const { stored, sequence, parts } of frames.sort((a, b) => a.sequence - b.sequence)) {
    const { number, hash8, time, parentNumber, parentHash8, topics } = parts[0] as UndoPage
    const parent = parentNumber === null ? undefined : { number: parentNumber, hash8: parentHash8 }
    const rows = parts.flatMap(({ before }) => before.map((one) => unpacked(one, typeOf(one.store))))
    const rowsBytes = rows.reduce((sum, one) => sum + one.rowsBytes, 0)
    journal.restore(
      { sequence, number, hash8, time, parent, topics },
      stored,
      Array.from(rows, ({ group }) => group),
      rowsBytes,
    )
  }
}

function* packed(groups: readonly UndoGroup[], typeOf: TypeOfStore): Iterable<UndoRows> {
  for (const group of groups) {
    const type = typeOf(group.store)
    for (let from = 0; from < group.kinds.length; from += UNDO_ROWS_MAX) yield packRows(group, type, from)
  }
}

const packRows = ({ store, key, kinds, ids, before }: UndoGroup, type: StateType, from: number): UndoRows => {
  const page = emptyPage(type.kinds)
  const absent: AbsentRow[] = []
  for (let n = from; n < Math.min(kinds.length, from + UNDO_ROWS_MAX); n++) {
    const [kind, row] = [type.kinds[kinds[n] as number] as Kind, before[n]]
    if (row === undefined) absent.push({ kind: kind.name, id: ids[n] ?? null })
    else if (kind.idField === undefined) page[kind.name] = row
    else (page[kind.name] as Row[]).push(row)
  }
  return { store, key: Buffer.from(key, 'latin1'), rows: type.encode(page), absent }
}

/** The rows of a group, and their estimated memory. */
const unpacked = ({ store, key, rows, absent }: UndoRows, type: StateType): { readonly group: UndoGroup; readonly rowsBytes: number } => {
  const group: UndoGroup = { store, key: Buffer.from(key).toString('latin1'), kinds: [], ids: [], before: [] }
  let rowsBytes = 0
  const add = ({ index, rowBytes }: Kind, id: string | number | undefined, row: Row | undefined): void => {
    group.kinds.push(index)
    group.ids.push(id)
    group.before.push(row)
    if (row !== undefined) rowsBytes += rowBytes
  }
  for (const { kind, id } of absent) {
    const known = type.byName.get(kind)
    assert(known !== undefined, `an undo record names unknown rows: ${kind}`)
    add(known, id ?? undefined, undefined)
  }
  const page = type.decode(rows)
  for (const kind of type.kinds)
    if (kind.idField !== undefined) for (const row of page[kind.name] as Row[]) add(kind, row[kind.idField] as string | number, row)
    else if (page[kind.name] !== null) add(kind, undefined, page[kind.name] as Row)
  return { group, rowsBytes }
}
