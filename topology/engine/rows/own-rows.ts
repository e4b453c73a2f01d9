// A task's own state, in rows like any other: journalled, on the changelog, recovered by a restore and by the undo of a fork.
import type { FrameHeader } from '../../../processors/contract.ts'
import { loadType, readSchema } from '../../../schemas/avro.ts'
import { asBuffer } from '../../../schemas/bytes.ts'
import { factCodecsOf } from '../../../schemas/codecs.ts'
import { assert } from '../../../schemas/errors.ts'
import { once } from '../../../schemas/once.ts'
import type { ClosingRow, CursorRow, Fact, StandingRow, TaskState, UnsentRow } from '../../../schemas/types.ts'
import type { LogRecord } from '../../ports/log.ts'
import { NewestRecords } from '../changelog/newest.ts'
import { timeFell } from '../failures.ts'
import type { RestoredUndo } from '../undo/undo-record.ts'
import type { Aggregate } from './aggregate.ts'
import type { Row } from './row.ts'
import { type Kind, pageKey, parsePageKey, type StateType, stateTypeOf } from './state-type.ts'
import { Store, type StoreParts } from './store.ts'

const packed = stateTypeOf(readSchema('task-state'))

/** Reads the shape of older versions, without `undoFrames`. */
const formerReader = once(() => {
  const type = loadType('task-state')
  const resolver = type.createResolver(loadType('former/task-state-1'))
  return (bytes: Uint8Array) => type.fromBuffer(asBuffer(bytes), resolver) as Record<string, unknown>
})

/**
 * Shape of a task's own rows and of its undo records. A fact is an object in its row, because most are sent before a commit; it is bytes on
 * the log and in a restored row.
 */
export const taskState: StateType = {
  ...packed,
  timersIn: () => [],
  decode: (bytes) => {
    try {
      return packed.decode(bytes)
    } catch {
      return formerReader()(bytes)
    }
  },
  encode: (page) => {
    const unsent = page.unsent as readonly UnsentFact[]
    return packed.encode(unsent.length === 0 ? page : { ...page, unsent: unsent.map(({ n, fact }) => ({ n, fact: bytesOf(fact) })) })
  },
}
interface UnsentFact extends Omit<UnsentRow, 'fact'> {
  readonly fact: Fact | Uint8Array
}
const bytesOf = (fact: UnsentFact['fact']): Uint8Array =>
  fact instanceof Uint8Array ? fact : factCodecsOf(fact.fromKey.length).one.encode(fact)

const kindOf = (name: string): Kind => {
  const kind = taskState.byName.get(name)
  assert(kind !== undefined, `task-state has no rows ${name}`)
  return kind
}
const CURSOR = kindOf('cursor')
const STANDING = kindOf('standing')
const CLOSINGS = kindOf('closings')
const UNSENT = kindOf('unsent')

/** Matches the keys of a task's own rows and of its undo. */
export const isOfTask =
  (id: string) =>
  (key: Uint8Array): boolean => {
    const { key: name } = parsePageKey(key)
    return name === id || name.startsWith(`${id}/`)
  }
/** The key of a task's own rows, which fit one page. */
export const ownKey = (id: string): Buffer => pageKey(id, 0)

/** Cursor, finality, closed epochs and unsent facts of one task. */
export class OwnRows {
  readonly store: Store
  readonly #id: string
  readonly #keyBytes: number
  readonly #restored = new NewestRecords()

  /** `keyBytes`: length of the keys that receive the task's facts; 0 for a task without facts. */
  constructor(id: string, parts: StoreParts, keyBytes: number) {
    this.#id = id
    this.#keyBytes = keyBytes
    this.store = new Store('', taskState, parts)
  }
  /** The newest folded frame; undefined before the first. */
  get cursor(): Readonly<CursorRow> | undefined {
    return this.#read<CursorRow>(CURSOR)
  }
  get standing(): Readonly<StandingRow> {
    return this.#read<StandingRow>(STANDING) ?? { confirmed: null, finalized: null, forks: 0 }
  }
  /** Collects records of the task's changelog, in log order: rows and undo of this task; those of other tasks are ignored. */
  restore(records: Iterable<Pick<LogRecord, 'key' | 'value'>>): void {
    this.#restored.add(records)
  }
  /** Restores the collected rows. Returns the undo. */
  putBack(): readonly RestoredUndo[] {
    const undo = new Map<string, RestoredUndo>()
    for (const { key, value } of this.#restored.take()) {
      const { key: name, page } = parsePageKey(key)
      if (name === this.#id) this.store.restore({ key, value })
      if (!name.startsWith(`${this.#id}/`)) continue
      const of = undo.get(name) ?? { name, pages: 0, last: 0, frames: [] }
      undo.set(name, of)
      of.pages++
      of.last = Math.max(of.last, page)
      const { undo: one, undoFrames } = taskState.decode(value) as Pick<TaskState, 'undo' | 'undoFrames'>
      of.frames.push(...(one === null ? undoFrames : [one]))
    }
    return [...undo.values()]
  }
  /** Tick time of the first folded frame, or of the given frame if there was none. @throws EngineError `time_fell` */
  sinceOf(header: FrameHeader): number {
    const { cursor } = this
    if (cursor !== undefined && header.time < cursor.time) throw timeFell(header, cursor.time)
    return cursor?.since || header.time
  }
  /** Adds the task's own gap, which the tape does not know, if it is newer than the gap of the frame. */
  withGap<Header extends FrameHeader>(header: Header): Header {
    const { gapFrom = null, gapTo = null } = this.cursor ?? {}
    return (gapTo ?? 0) > (header.gapTo ?? 0) ? { ...header, gapFrom, gapTo } : header
  }
  move(header: FrameHeader): void {
    const { sequence, number, hash8, time, gapFrom, gapTo } = header
    const since = this.sinceOf(header)
    const row = this.#editCursor()
    row.since = since
    row.sequence = sequence
    row.number = number
    row.hash8 = hash8
    row.time = time
    row.gapFrom = gapFrom ?? null
    row.gapTo = gapTo ?? null
  }
  /** Changes the standing. Call it only between frames: a fork does not roll the change back. */
  stand(change: Partial<StandingRow>): void {
    const row = this.store.edit(this.#aggregate, STANDING, undefined, () => ({ ...this.standing }))
    Object.assign(row, change)
  }
  /** Counts a fork, and lowers `confirmed` to the fork point until the new branch confirms it again. */
  standAfterFork(number: number): void {
    const { forks, confirmed } = this.standing
    this.stand({ forks: forks + 1, confirmed: confirmed === null ? null : Math.min(confirmed, number) })
  }
  closings(): Iterable<Readonly<ClosingRow>> {
    return this.store.rows(this.#aggregate, CLOSINGS) as Iterable<unknown> as Iterable<ClosingRow>
  }
  hasClosing(closedBy: number): boolean {
    return this.store.read(this.#aggregate, CLOSINGS, closedBy) !== undefined
  }
  close(closedBy: number, dueNumber: number): void {
    this.store.edit(this.#aggregate, CLOSINGS, closedBy, () => ({ closedBy, dueNumber, appliedBy: 0 }))
  }
  apply(closedBy: number, appliedBy: number): void {
    this.store.edit(this.#aggregate, CLOSINGS, closedBy, undefined).appliedBy = appliedBy
  }
  forget(closedBy: number): void {
    this.store.remove(this.#aggregate, CLOSINGS, closedBy)
  }
  addUnsent(fact: Fact): void {
    const n = this.#editCursor().facts++
    this.store.edit(this.#aggregate, UNSENT, n, () => ({ n, fact }))
  }
  /** Returns the facts of the open epoch and removes them from the unsent ones. */
  takeUnsent(): Fact[] {
    const aggregate = this.#aggregate
    return [...this.store.rows(aggregate, UNSENT)].map((row) => {
      this.store.remove(aggregate, UNSENT, row.n as number)
      return this.#factOf(row.fact as UnsentFact['fact'])
    })
  }
  #factOf(fact: UnsentFact['fact']): Fact {
    if (!(fact instanceof Uint8Array)) return fact
    const read = factCodecsOf(this.#keyBytes).one.decode(fact)
    assert(read.ok, 'own facts are readable')
    return read.value
  }
  get #aggregate(): Aggregate {
    return this.store.aggregate(this.#id)
  }
  #editCursor(): CursorRow {
    const row: Row = this.store.edit(this.#aggregate, CURSOR, undefined, firstCursor)
    return row as unknown as CursorRow
  }
  #read<T>(kind: Kind): T | undefined {
    return this.store.read(this.#aggregate, kind, undefined) as T | undefined
  }
}

const firstCursor = (): Row => ({ sequence: 0, number: 0, hash8: '', time: 0, gapFrom: null, gapTo: null, facts: 0, since: 0 })
