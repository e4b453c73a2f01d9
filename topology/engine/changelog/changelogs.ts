// The changelogs of a task's stores: the records that a commit writes to them.
import type { Topic } from '../../../schemas/topics.ts'
import type { OutRecord } from '../../ports/log.ts'
import { pageLost, recordsLost } from '../failures.ts'
import type { PageRecord } from '../rows/aggregate.ts'
import type { MissingPage } from '../rows/cold-pages.ts'
import type { Store } from '../rows/store.ts'
import type { Journal } from '../undo/journal.ts'
import { copiedUndo, type RestoredUndo, type TypeOfStore, undoRecords } from '../undo/undo-record.ts'
import { countName, stampedCount } from './record-counts.ts'

/** A store and its changelog. */
interface LoggedStore {
  readonly store: Store
  readonly changelog: Topic
}

export interface ChangelogParts {
  readonly id: string
  readonly partition: number
  readonly journal: Journal
  /** The task's own rows come first; their changelog also holds the undo. */
  readonly stores: readonly [LoggedStore, ...LoggedStore[]]
}

const missingIn = (undo: readonly RestoredUndo[]): MissingPage | undefined => {
  const torn = undo.find(({ pages, last }) => last >= pages)
  return torn && { key: torn.name, page: torn.last - 1 }
}

export class Changelogs {
  readonly #parts: ChangelogParts
  readonly #undo: PageRecord[] = []
  readonly #typeOf: TypeOfStore = (name) => {
    const { stores } = this.#parts
    return (stores.find(({ store }) => store.name === name) ?? stores[0]).store.type
  }

  constructor(parts: ChangelogParts) {
    this.#parts = parts
  }
  get topics(): readonly Topic[] {
    return this.#parts.stores.map(({ changelog }) => changelog)
  }
  /**
   * Returns the undo. Call once all rows are restored. `counts`: records by name of the topic, as the newest commit stored them.
   * @throws EngineError `rows_torn`
   */
  checked(undo: readonly RestoredUndo[], counts: ReadonlyMap<string, number>): readonly RestoredUndo[] {
    const { partition, stores } = this.#parts
    for (const [n, { store, changelog }] of stores.entries()) {
      const missing = store.begin() ?? (n === 0 ? missingIn(undo) : undefined)
      if (missing !== undefined) throw pageLost(changelog, partition, missing)
      const records = store.pages + (n === 0 ? undo.reduce((sum, { pages }) => sum + pages, 0) : 0)
      const expected = counts.get(changelog.name)
      if (expected !== undefined && records !== expected) throw recordsLost(changelog, partition, records, expected)
    }
    return undo
  }
  /** The counts of the live records after what was packed last, to be stored with the input offset of the commit. */
  *counts(input: number): Iterable<readonly [name: string, stamped: number]> {
    const { journal, partition, stores } = this.#parts
    for (const [n, { store, changelog }] of stores.entries()) {
      const records = store.pages + (n === 0 ? journal.records : 0)
      yield [countName(changelog, partition), stampedCount(records, input)]
    }
  }
  /** Packs for `take` in steps, so that the caller can spread the work. No record may be folded before the last step. */
  *packing(): Iterable<void> {
    const { journal, id, stores } = this.#parts
    for (const { store } of stores) yield* store.packing()
    for (const record of undoRecords(journal, id, this.#typeOf)) yield void this.#undo.push(record)
  }
  /** The current undo, for a copy of the rows. */
  copiedUndo(): Iterable<PageRecord> {
    return copiedUndo(this.#parts.journal, this.#parts.id, this.#typeOf)
  }
  /** Appends the packed records to `outputs`; returns the pages by store. */
  take(outputs: OutRecord[]): ReadonlyMap<string, readonly PageRecord[]> {
    const { partition, stores } = this.#parts
    const written = new Map<string, readonly PageRecord[]>()
    const write = (topic: Topic, pages: readonly PageRecord[]): void => {
      for (const { key, value } of pages) outputs.push({ topic, partition, key, value })
    }
    for (const { store, changelog } of stores) {
      const pages = store.takeDirty()
      written.set(store.name, pages)
      write(changelog, pages)
    }
    write(stores[0].changelog, this.#undo.splice(0))
    return written
  }
}
