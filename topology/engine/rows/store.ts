// Rows of a task in memory: aggregates by key, with the first write of each row in a frame journalled.
import { assert } from '../../../schemas/errors.ts'
import type { PageStore } from '../../ports/keyed-pages.ts'
import type { Timer } from '../timers.ts'
import type { Journal, UndoGroup } from '../undo/journal.ts'
import { Aggregate, type PageRecord, packPages } from './aggregate.ts'
import { ColdPages, type MissingPage } from './cold-pages.ts'
import { IN_MEMORY } from './memory-pages.ts'
import type { Row, RowId } from './row.ts'
import { type Kind, pageKey, type StateType } from './state-type.ts'

/** Parts shared by the stores of a task. */
export interface StoreParts {
  readonly journal: Journal
  /** See `EngineLimits`. */
  readonly hotFrames: number
  /** Opens the pages of evicted rows; in memory by default. */
  readonly pages?: PageStore
}

/** Rows of one processor in one task. Single-threaded; writes belong to the journal's open frame, if there is one. */
export class Store {
  /** Name of the processor; empty for the task's own rows. */
  readonly name: string
  /** Number of pages on the changelog after the newest packed commit. */
  pages = 0
  readonly #type: StateType
  readonly #aggregates = new Map<string, Aggregate>()
  readonly #asleep: ColdPages
  /** Iterates over the aggregates for the eviction check. */
  #watch: Iterator<Aggregate> = [].values()
  /** In order of their first write; `isDirty` marks its members. */
  #dirty: Aggregate[] = []
  #packedOfDirty = 0
  #packed: PageRecord[] = []
  readonly #journal: Journal
  readonly #hotFrames: number
  /** Rows written in the current frame: a new set for each frame; clearing the old one would keep its memory (see `ShortLivedMap`). */
  #written = new Set<Row>()

  constructor(name: string, type: StateType, { journal, hotFrames, pages = IN_MEMORY }: StoreParts) {
    this.name = name
    this.#type = type
    this.#journal = journal
    this.#hotFrames = hotFrames
    this.#asleep = new ColdPages(type, pages.open())
  }
  get type(): StateType {
    return this.#type
  }
  get size(): number {
    return this.#aggregates.size + this.#asleep.size
  }
  /** Call when the journal opens a frame: each row is journalled again at its next write. */
  beginFrame(): void {
    if (this.#written.size > 0) this.#written = new Set()
  }
  /** Evicts aggregates that were not used lately: call between frames as the chain progresses. */
  rest(): void {
    for (let left = Math.ceil(this.#aggregates.size / this.#hotFrames); left > 0; left--) this.#checkNext()
  }
  aggregate(key: string): Aggregate {
    let aggregate = this.find(key)
    if (aggregate === undefined) {
      aggregate = new Aggregate(key, this.#type.kinds.length)
      this.#aggregates.set(key, aggregate)
    }
    return aggregate
  }
  /** The aggregate if it has rows; wakes it if it was evicted. Do not keep it beyond the frame. */
  find(key: string): Aggregate | undefined {
    const aggregate = this.#aggregates.get(key) ?? this.#wake(key)
    if (aggregate !== undefined) aggregate.isUsed = true
    return aggregate
  }
  read(aggregate: Aggregate, kind: Kind, id: string | number | undefined): Row | undefined {
    return kind.idField === undefined ? aggregate.one(kind) : aggregate.many(kind)?.get(id as RowId)
  }
  /** The row for writing in place, journalled once per frame; created from `initial` if absent. */
  edit(aggregate: Aggregate, kind: Kind, id: string | number | undefined, initial: (() => Row) | undefined): Row {
    const row = this.read(aggregate, kind, id)
    if (row === undefined) return this.#create(aggregate, kind, id, initial)
    if (this.#journal.keeps && !this.#written.has(row)) {
      this.#written.add(row)
      this.#journal.note(aggregate, this.name, kind, id, kind.copy(row))
    }
    this.#touch(aggregate, kind, id)
    return row
  }
  remove(aggregate: Aggregate, kind: Kind, id: string | number | undefined): void {
    const row = this.read(aggregate, kind, id)
    if (row === undefined) return
    if (this.#journal.keeps) {
      if (!this.#written.has(row)) this.#journal.note(aggregate, this.name, kind, id, row)
      this.#journal.remove(aggregate, this.name, kind, id)
    }
    this.#put(aggregate, kind, id, undefined)
  }
  /** Rows of a kind, in unspecified order. */
  rows(aggregate: Aggregate, kind: Kind): Iterable<Row> {
    if (kind.idField !== undefined) return aggregate.many(kind)?.values() ?? []
    const row = aggregate.one(kind)
    return row === undefined ? [] : [row]
  }
  count(aggregate: Aggregate, kind: Kind): number {
    if (kind.idField !== undefined) return aggregate.many(kind)?.size ?? 0
    return aggregate.one(kind) === undefined ? 0 : 1
  }
  /** Restores the earlier values of rows. Returns the timers among them. */
  putBack({ key, kinds, ids, before }: UndoGroup): readonly Timer[] {
    const aggregate = this.aggregate(key)
    const { timers } = this.#type
    const due: Timer[] = []
    for (let n = 0; n < kinds.length; n++) {
      const [kind, row] = [this.#type.kinds[kinds[n] as number] as Kind, before[n]]
      this.#put(aggregate, kind, ids[n], row)
      if (kind === timers && row !== undefined) due.push({ store: this.name, key, name: row.name as string, due: row.due as number })
    }
    return due
  }
  /** Packs for `takeDirty`, one aggregate per step, so that the caller can spread the work. Write nothing before the last step. */
  *packing(): Iterable<void> {
    while (this.#packedOfDirty < this.#dirty.length) {
      this.#packDirty(this.#dirty[this.#packedOfDirty++] as Aggregate, this.#packed)
      yield
    }
    this.#forgetDirty()
  }
  /** Pages written and pages removed since the last call: what a commit writes to the changelog. */
  takeDirty(): PageRecord[] {
    for (const _ of this.packing());
    const records = this.#packed
    this.#packed = []
    return records
  }
  /** Forgets the writes since the last commit: for drivers that keep no changelog. */
  dropDirty(): void {
    for (const aggregate of this.#dirty) {
      if (aggregate.isEmpty) this.#aggregates.delete(aggregate.key)
      aggregate.pages = aggregate.pagesNow(this.#type)
      aggregate.clean(this.#type)
    }
    this.#forgetDirty()
  }
  /** Every page of every aggregate, sorted by key: equal stores give equal snapshots. */
  snapshot(): PageRecord[] {
    const records: PageRecord[] = []
    for (const key of [...this.#asleep.keys()]) this.#wake(key)
    for (const key of [...this.#aggregates.keys()].sort()) {
      const aggregate = this.#aggregates.get(key) as Aggregate
      if (!aggregate.isEmpty) records.push(...packPages(this.#type, aggregate, { sorted: true }))
    }
    return records
  }
  /**
   * Keys of all aggregates, without loading those on disk at once. Rows may be written and evicted meanwhile: a key that has rows from the
   * beginning to the end is then visited at least once, else exactly once.
   */
  *keys(): Iterable<string> {
    const awake = [...this.#aggregates.keys()]
    yield* this.#asleep.keys()
    yield* awake
  }
  /** Current pages of an aggregate, empty if it has no rows; does not wake it, and does not copy the pages of an evicted one. */
  pagesOf(key: string): PageRecord[] {
    const aggregate = this.#aggregates.get(key)
    if (aggregate !== undefined) return aggregate.isEmpty ? [] : packPages(this.#type, aggregate)
    return this.#asleep.pagesOf(key).map(([page, value]) => ({ key: pageKey(key, page), value }))
  }
  /** Restores one changelog record; later records of a page win. Its rows are decoded at the first access. */
  restore(record: { readonly key: Uint8Array; readonly value: Uint8Array | null }): void {
    const key = this.#asleep.put(record)
    assert(!this.#aggregates.has(key), 'rows are restored before they are accessed')
  }
  /** Call once all records are restored. Returns the first page that is missing below a later page of its key. */
  begin(): MissingPage | undefined {
    const { pages, missing } = this.#asleep.census()
    this.pages = pages
    return missing
  }
  *timers(): Iterable<Timer> {
    // Each decoded name is a separate string, and there are as many of them as keys: equal names share one string here.
    const names = new Map<unknown, string>()
    for (const [key, { name, due }] of this.#asleep.timers()) {
      if (!names.has(name)) names.set(name, name as string)
      yield { store: this.name, key, name: names.get(name) as string, due: due as number }
    }
    for (const aggregate of this.#aggregates.values())
      for (const row of this.rows(aggregate, this.#type.timers))
        yield { store: this.name, key: aggregate.key, name: row.name as string, due: row.due as number }
  }

  /** Aggregates with uncommitted writes are not evicted. */
  #checkNext(): void {
    const { value: aggregate, done } = this.#watch.next()
    if (done) this.#watch = this.#aggregates.values()
    else if (aggregate.isUsed || aggregate.isDirty) aggregate.isUsed = false
    else {
      this.#aggregates.delete(aggregate.key)
      if (!aggregate.isEmpty) this.#asleep.keep(aggregate.key, packPages(this.#type, aggregate))
    }
  }
  #wake(key: string): Aggregate | undefined {
    const woken = this.#asleep.take(key)
    if (woken === undefined) return undefined
    const aggregate = new Aggregate(key, this.#type.kinds.length)
    this.#aggregates.set(key, aggregate)
    for (const state of woken.states) aggregate.fill(this.#type, state)
    if (!aggregate.filled(this.#type, woken.pages)) this.#packLater(aggregate)
    return aggregate
  }
  #create(aggregate: Aggregate, kind: Kind, id: string | number | undefined, initial: (() => Row) | undefined): Row {
    assert(initial !== undefined, `row ${kind.name} is absent and has no initial value`)
    assert((kind.idField === undefined) === (id === undefined), `row ${kind.name}: an id is for kinds with many rows`)
    const row = initial()
    if (this.#journal.keeps) {
      this.#written.add(row)
      this.#journal.note(aggregate, this.name, kind, id)
    }
    this.#put(aggregate, kind, id, row)
    return row
  }
  #put(aggregate: Aggregate, kind: Kind, id: string | number | undefined, row: Row | undefined): void {
    aggregate.put(kind, id, row)
    this.#touch(aggregate, kind, id)
  }
  #touch(aggregate: Aggregate, kind: Kind, id: string | number | undefined): void {
    this.#packLater(aggregate)
    aggregate.touch(kind, id)
  }
  #packLater(aggregate: Aggregate): void {
    if (aggregate.isDirty) return
    aggregate.isDirty = true
    this.#dirty.push(aggregate)
  }
  #forgetDirty(): void {
    this.#dirty = []
    this.#packedOfDirty = 0
  }
  #packDirty(aggregate: Aggregate, records: PageRecord[]): void {
    const pages = aggregate.pagesNow(this.#type)
    for (let page = pages; page < aggregate.pages; page++) records.push({ key: pageKey(aggregate.key, page), value: null })
    if (pages > 0) records.push(...packPages(this.#type, aggregate, { only: aggregate.dirtyPages(this.#type) }))
    else this.#aggregates.delete(aggregate.key)
    this.pages += pages - aggregate.pages
    aggregate.pages = pages
    aggregate.clean(this.#type)
  }
}
